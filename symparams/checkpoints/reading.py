"""Reading a checkpoint by what somebody typed: a file, a folder, hf:OWNER/NAME."""

from __future__ import annotations

from pathlib import Path

from symparams.checkpoints import files
from symparams.checkpoints.record import Checkpoint
from symparams.models.sources.target import is_of_hub


def read(place: str | Path) -> Checkpoint:
    """Return the names, shapes and types of a checkpoint, without its weights.

    ``place`` is a .safetensors or .gguf file, a folder that holds one or several with their index, a .json file of names and
    shapes, a .txt file of print(model), or "hf:OWNER/NAME". Raises CheckpointError, in a line, for whatever cannot be read.
    """
    if isinstance(place, str) and is_of_hub(place):
        from symparams.checkpoints.hub import read as read_hub

        return read_hub(place)
    return files.read(Path(place))

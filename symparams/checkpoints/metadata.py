"""The metadata of a GGUF file: the families that it may be of, and the sizes that it says, by the table gguf.toml."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from symparams.architectures._tables import TomlTable, read
from symparams.checkpoints.record import Checkpoint
from symparams.expressions.symbols import BY_NAME

ARCHITECTURE = "general.architecture"


@cache
def _table() -> TomlTable:
    own = read(Path(__file__).parent / "gguf.toml")
    own.allow(("families", "letters", "rows"))
    own.table("letters").allow(BY_NAME)
    own.table("rows").allow(BY_NAME)
    return own


def architecture_of(checkpoint: Checkpoint) -> str:
    """Return what the metadata calls the family; "" of a file that says nothing of it."""
    return str(checkpoint.facts.get(ARCHITECTURE, ""))


def families_of(checkpoint: Checkpoint) -> tuple[str, ...]:
    """Return the families that a file may be of, the first that fits; none where the table has no such name."""
    return _table().table("families").words(architecture_of(checkpoint))


def sizes_of(checkpoint: Checkpoint) -> dict[str, int]:
    """Return the sizes that a file tells, by the names of their letters: its metadata, and the rows of its tables."""
    letters, rows, architecture = _table().table("letters"), _table().table("rows"), architecture_of(checkpoint)
    told = {letter: checkpoint.facts.get(f"{architecture}.{letters.word(letter)}") for letter in letters.values}
    sides = {tensor.name: tensor.shape[0] for tensor in checkpoint.tensors if tensor.shape}
    sizes = {letter: value for letter, value in told.items() if isinstance(value, int) and value > 0}
    return sizes | {letter: sides[rows.word(letter)] for letter in rows.values if rows.word(letter) in sides}

"""Checkpoints by what somebody typed: a file on a disk, a folder with several and their index, or hf:OWNER/NAME."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from symparams.checkpoints import safetensors, shapes
from symparams.checkpoints.record import MOST_TENSORS, Checkpoint, StoredTensor, too_many
from symparams.errors import CheckpointError, quoted
from symparams.models.sources import content
from symparams.models.sources.target import is_of_hub

SAFETENSORS, GGUF, JSON, TEXT, INDEX = ".safetensors", ".gguf", ".json", ".txt", ".safetensors.index.json"
PICKLE = re.compile(r"\.(?:bin|pth?|ckpt|pkl|pickle)\Z", re.IGNORECASE)
OTHER_WEIGHTS = re.compile(r"\.(?:h5|hdf5|keras|msgpack|npz|npy|onnx|pb|ot|nemo|ggml)\Z", re.IGNORECASE)
SPLIT = re.compile(r"(?P<name>.*-)(?P<number>[0-9]{5})(?P<of>-of-)(?P<many>[0-9]{5})(?P<ending>\.gguf)", re.IGNORECASE)
LARGEST_INDEX = 32 * 2**20
MOST_FILES = 2_000
LONGEST_PATH = 60
SUPPORTED = (
    f"give a {SAFETENSORS} or {GGUF} file, a folder that holds one, "
    f"a {JSON} file of names and shapes, or a {TEXT} file of print(model)"
)
Header = tuple[list[StoredTensor], int]  # the arrays of a file, and the bytes before them
Headers = Callable[[list[str]], Iterable[Header]]


def read(place: str | Path) -> Checkpoint:
    """Return the names, shapes and types of a checkpoint, without its weights.

    ``place`` is a .safetensors or .gguf file, a folder that holds one or several with their index, a .json file of names and
    shapes, a .txt file of print(model), or "hf:OWNER/NAME". Raises CheckpointError, in a line, for whatever cannot be read.
    """
    if isinstance(place, str) and is_of_hub(place):
        from symparams.checkpoints.hub import read as read_hub

        return read_hub(place)
    path = Path(place)
    try:
        content.refuse_outside(path)
        return _of_folder(path) if path.is_dir() else _of_file(path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "that is not a valid path"
        raise CheckpointError(f"Cannot read {quoted(ending_of(path))}: {reason}; {SUPPORTED}.") from None


def refuse_others(name: str) -> None:
    """CheckpointError for a file of weights that is not read: a pickle, which is a program, or another format."""
    if PICKLE.search(name):
        raise CheckpointError(
            f"{quoted(name)} may be a pickle, which executes code when it is read, so it is not opened: convert it to "
            "safetensors, or write its names and shapes as JSON."
        )
    if OTHER_WEIGHTS.search(name):
        raise CheckpointError(f"{quoted(name)} is of a format that is not read: {SUPPORTED}.")


def _of_file(path: Path) -> Checkpoint:
    name = path.name.lower()
    if name.endswith(SAFETENSORS):
        tensors, before = header_of(path)
        return Checkpoint(ending_of(path), tuple(tensors), before)
    if name.endswith(GGUF):
        return _of_gguf(path)
    if name.endswith(INDEX):
        return sharded(ending_of(path), _limited(path), lambda names: (header_of(path.parent / shard) for shard in names))
    if name.endswith(JSON):
        tensors = shapes.tensors_of(shapes.parsed(_limited(path), ending_of(path)), ending_of(path))
        return Checkpoint(ending_of(path), tuple(tensors), has_bytes=False)
    if name.endswith(TEXT):
        return _printed(path)
    refuse_others(ending_of(path))
    raise CheckpointError(f"{quoted(ending_of(path))} is not a checkpoint: {SUPPORTED}.")


def _of_folder(folder: Path) -> Checkpoint:
    files = sorted(file.name for file in folder.iterdir())
    chosen = chosen_of(files, ending_of(folder))
    found = _of_file(folder / chosen)
    return Checkpoint(ending_of(folder), found.tensors, found.overhead, found.files, found.has_bytes, facts=found.facts)


def chosen_of(files: list[str], place: str) -> str:
    """Return the file of a folder that holds its weights, or their index; CheckpointError where it is none, or not one."""
    for ending in (INDEX, SAFETENSORS, GGUF):
        found = [name for name in files if name.lower().endswith(ending)]
        firsts = [name for name in found if not (split := SPLIT.fullmatch(name)) or int(split["number"]) == 1]
        if len(firsts) == 1:
            return firsts[0]
        whole = [name for name in firsts if name == f"model{ending}"]
        if whole:
            return whole[0]
        if firsts:
            raise CheckpointError(f"{quoted(place)} holds {len(firsts)} checkpoints, {firsts[0]} among them: name one.")
    for name in files:
        if PICKLE.search(name):
            refuse_others(ending_of(Path(place) / name))
    raise CheckpointError(f"{quoted(place)} holds no checkpoint: {SUPPORTED}.")


def header_of(path: Path) -> Header:
    """Return the arrays of a safetensors file, and the bytes of its header."""
    with opened(path) as stream:
        size = os.fstat(stream.fileno()).st_size
        length = safetensors.length_of(stream.read(safetensors.LENGTH), size, ending_of(path))
        before = safetensors.LENGTH + length
        return safetensors.tensors_of(stream.read(length), size - before, ending_of(path)), before


def sharded(place: str, index: bytes, headers: Headers) -> Checkpoint:
    """Return the arrays of several files, of which an index tells the file of each; CheckpointError where they disagree."""
    values = shapes.parsed(index, place)
    listed = values.get("weight_map") if isinstance(values, dict) else None
    if not isinstance(listed, dict) or not all(map(_is_file_name, listed.values())):
        raise CheckpointError(f"{quoted(place)} has no weight_map that names a file beside it for each tensor.")
    files = list(dict.fromkeys(listed.values()))
    if len(files) > MOST_FILES:
        raise CheckpointError(f"{quoted(place)} names {len(files):,} files: that is not a checkpoint of a model.")
    return joined(place, listed, files, headers(files))


def joined(place: str, listed: Mapping[str, str], files: list[str], headers: Iterable[Header]) -> Checkpoint:
    """Return the arrays of several files together, each in the file that an index says."""
    tensors: list[StoredTensor] = []
    overhead = 0
    for file, (found, before) in zip(files, headers, strict=True):
        for tensor in found:
            if listed.get(tensor.name) != file:
                raise CheckpointError(
                    f"{quoted(place)} does not say that {quoted(tensor.name)} is in {quoted(file)}, where it is."
                )
        tensors += found
        overhead += before
        if len(tensors) > MOST_TENSORS:
            raise too_many(place)
    lacking = listed.keys() - {tensor.name for tensor in tensors}
    if lacking:
        name = min(lacking)
        raise CheckpointError(
            f"{quoted(place)} says that {quoted(name)} is in {quoted(listed[name])}, which has no such tensor."
        )
    return Checkpoint(place, tuple(tensors), overhead, len(files))


def _is_file_name(name: object) -> bool:
    """True if a name is that of a safetensors file in the same folder, and leads nowhere else."""
    return isinstance(name, str) and name.endswith(SAFETENSORS) and name.isprintable() and not re.search(r"[/\\:]", name)


def _of_gguf(path: Path) -> Checkpoint:
    """Return the arrays of a GGUF file, of one that is split those of all its files, which lie beside it."""
    from symparams.checkpoints import gguf

    split = SPLIT.fullmatch(path.name)
    names = [path.name]
    if split and int(split["many"]) <= MOST_FILES:
        whole = range(1, int(split["many"]) + 1)
        names = [f"{split['name']}{number:05}{split['of']}{split['many']}{split['ending']}" for number in whole]
    tensors: list[StoredTensor] = []
    facts: gguf.Facts = {}
    overhead = 0
    for name in names:
        with opened(path.parent / name) as stream:
            found, before, told = gguf.header_of(stream, os.fstat(stream.fileno()).st_size, ending_of(path.parent / name))
        tensors += found
        overhead += before
        facts = {**told, **facts}
    return Checkpoint(ending_of(path), tuple(tensors), overhead, len(names), facts=facts)


def _printed(path: Path) -> Checkpoint:
    from symparams.checkpoints import printed

    try:
        return printed.checkpoint_of(_limited(path).decode("utf-8-sig"), ending_of(path))
    except UnicodeDecodeError:
        raise CheckpointError(f"{quoted(ending_of(path))} is not UTF-8 text.") from None


def ending_of(path: Path) -> str:
    """Return a path for a message, of a long one the end, which tells files apart."""
    text = str(path)
    return text if len(text) <= LONGEST_PATH else f"…{text[1 - LONGEST_PATH :]}"


def _limited(path: Path) -> bytes:
    with opened(path) as stream:
        text = stream.read(LARGEST_INDEX + 1)
    if len(text) > LARGEST_INDEX:
        raise CheckpointError(
            f"{quoted(ending_of(path))} has more than {LARGEST_INDEX:,} bytes: that is not a list of names and shapes."
        )
    return text


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """A regular file, open; CheckpointError for a device or a pipe, which may have no end."""
    content.refuse_outside(path)
    if not stat.S_ISREG(path.stat().st_mode):
        raise CheckpointError(f"Cannot read {quoted(ending_of(path))}: it is not a file; {SUPPORTED}.")
    with path.open("rb") as stream:
        yield stream

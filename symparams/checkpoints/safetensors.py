"""A safetensors file: eight bytes with the length of its header, the header in JSON, the weights, which are not read.

The header is read within bounds, and held against the size of the file: each array has just the bytes of its shape, none
overlap, and no byte between them belongs to nobody.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from symparams.checkpoints.number_types import bytes_of, safetensors_type
from symparams.checkpoints.record import MOST_TENSORS, Shape, StoredTensor, checked_name, checked_shape, too_many
from symparams.errors import CheckpointError, quoted

LENGTH = 8  # bytes of the length
LARGEST_HEADER = 32 * 2**20
OTHERS = "__metadata__"
KEYS = {"dtype", "shape", "data_offsets"}


def length_of(start: bytes, size: int, place: str) -> int:
    """Return the length of the header from the first eight bytes of a file of so many; CheckpointError if it cannot be."""
    if len(start) < LENGTH:
        raise CheckpointError(f"{quoted(place)} has {len(start)} bytes: that is not a safetensors file.")
    length = int.from_bytes(start[:LENGTH], "little")
    if not 2 <= length <= size - LENGTH:
        raise CheckpointError(
            f"{quoted(place)} says that its header has {length:,} bytes, and the file has {size:,}: it is cut short, or not a "
            "safetensors file."
        )
    if length > LARGEST_HEADER:
        raise CheckpointError(
            f"{quoted(place)} has a header of {length:,} bytes, more than the {LARGEST_HEADER:,} of any checkpoint."
        )
    return length


@contextmanager
def _uncollected() -> Iterator[None]:
    """Do not look for cycles among hundreds of thousands of new objects, which takes as long as making them."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@_uncollected()
def tensors_of(header: bytes, size: int, place: str) -> list[StoredTensor]:
    """Return the arrays of a header, in the order of their bytes, before ``size`` bytes of weights."""
    found: list[tuple[int, int, StoredTensor]] = []
    entries = _parsed(header, place)
    entries.pop(OTHERS, None)
    sizes: dict[tuple[Shape, str], int] = {}  # most arrays are as others
    for name, value in entries.items():
        checked_name(name, place)
        if not isinstance(value, dict) or value.keys() != KEYS:
            raise CheckpointError(f"{quoted(place)}: {quoted(name)} is not described by dtype, shape and data_offsets.")
        shape = checked_shape(value["shape"], name, place)
        kind = safetensors_type(value["dtype"], name, place)
        begin, end = _offsets(value["data_offsets"], size, name, place)
        needed = sizes.get((shape, kind.name), -1)
        if needed < 0:
            needed = sizes[shape, kind.name] = bytes_of(kind, shape, name, place)
        if end - begin != needed:
            raise CheckpointError(
                f"{quoted(place)}: {quoted(name)} has {end - begin:,} bytes, and its shape and type need {needed:,}."
            )
        found.append((begin, end, StoredTensor(name, shape, kind.name, needed)))
    found.sort()
    _refuse_gaps(found, size, place)
    return [tensor for _, _, tensor in found]


def _parsed(header: bytes, place: str) -> dict[str, Any]:
    """Return the object in a header; the same name twice is an error."""

    objects = 0

    def pairs(values: list[tuple[str, Any]]) -> Any:
        nonlocal objects
        objects += 1
        if objects > MOST_TENSORS:  # before all of them are in memory
            raise too_many(place)
        joined = dict(values)
        return joined if len(joined) == len(values) else _Repeated(values)

    try:
        parsed = json.loads(header.decode("utf-8"), object_pairs_hook=pairs)
    except UnicodeDecodeError:
        raise CheckpointError(f"The header of {quoted(place)} is not UTF-8 text.") from None
    except (ValueError, RecursionError):
        raise CheckpointError(f"The header of {quoted(place)} is not JSON.") from None
    if isinstance(parsed, _Repeated):
        raise CheckpointError(f"{quoted(place)} has two tensors named {quoted(parsed.name)}.")
    if not isinstance(parsed, dict):
        raise CheckpointError(f"The header of {quoted(place)} is not an object of names.")
    return parsed


class _Repeated:
    """An object that has a key twice, and the first such key."""

    def __init__(self, values: list[tuple[str, Any]]) -> None:
        seen: set[str] = set()
        self.name = next(name for name, _ in values if name in seen or seen.add(name))  # type: ignore[func-returns-value]


def _offsets(given: Any, size: int, name: str, place: str) -> tuple[int, int]:
    if not isinstance(given, list) or len(given) != 2 or type(given[0]) is not int or type(given[1]) is not int:
        raise CheckpointError(f"{quoted(place)}: the data_offsets of {quoted(name)} are not two whole numbers.")
    begin, end = given
    if not 0 <= begin <= end <= size:
        raise CheckpointError(
            f"{quoted(place)}: {quoted(name)} reaches from byte {quoted(begin, 24)} to byte {quoted(end, 24)}, and there are "
            f"{size:,}."
        )
    return begin, end


def _refuse_gaps(found: list[tuple[int, int, StoredTensor]], size: int, place: str) -> None:
    reached, before = 0, ""
    for begin, end, tensor in found:
        if begin < reached:
            raise CheckpointError(f"{quoted(place)}: the bytes of {quoted(tensor.name)} overlap those of {quoted(before)}.")
        if begin > reached:
            raise CheckpointError(
                f"{quoted(place)}: the {begin - reached:,} bytes before {quoted(tensor.name)} belong to no tensor."
            )
        reached, before = end, tensor.name
    if reached < size:
        raise CheckpointError(f"{quoted(place)}: the last {size - reached:,} bytes belong to no tensor.")

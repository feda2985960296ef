"""The record of a checkpoint: what is stored in it, array by array, and its bytes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import field
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from symparams.errors import CheckpointError, quoted
from symparams.records import frozen

if TYPE_CHECKING:
    from symparams.checkpoints.printed import Printed

Shape = tuple[int, ...]
MOST_TENSORS = 300_000
LONGEST_NAME = 500
MOST_SIDES = 16
LARGEST_SIDE = 2**63 - 1
WHOLE = {int}


class StoredTensor(NamedTuple):
    """An array of a checkpoint: its name, its shape, its number type as the file spells it, "" if unknown, and its bytes.

    Of a module ``shares`` is the name of the array that it is, "" if it is its own, and ``is_buffer`` says that it is none of
    the parameters.
    """

    name: str
    shape: Shape
    dtype: str = ""
    bytes: int = 0
    shares: str = ""
    is_buffer: bool = False

    @property
    def numbers(self) -> int:
        """The product of its sides."""
        return prod(self.shape)


@frozen
class Checkpoint:
    """The arrays of a file, of several or of a module, in their order.

    ``overhead`` are the bytes of the files that belong to no array: their headers. ``has_bytes`` is False where only shapes are
    known, ``knows_buffers`` True where the source itself tells buffers from parameters, and shared arrays from others,
    ``is_module`` where it is what a function builds or what torch prints of one. Of a text ``printed`` says what it does not
    tell; ``facts`` are what the metadata of a GGUF file says of the model.
    """

    name: str
    tensors: tuple[StoredTensor, ...]
    overhead: int = 0
    files: int = 1
    has_bytes: bool = True
    knows_buffers: bool = False
    is_module: bool = False
    printed: Printed | None = None
    facts: Mapping[str, int | str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if len(self.tensors) > MOST_TENSORS:
            raise too_many(self.name)
        repeated = [name for name, number in Counter(tensor.name for tensor in self.tensors).items() if number > 1]
        if repeated:
            raise CheckpointError(f"{quoted(self.name)} has two tensors named {quoted(repeated[0])}.")

    @property
    def bytes(self) -> int:
        """The size of its files."""
        return self.overhead + sum(tensor.bytes for tensor in self.tensors)

    @property
    def types(self) -> Iterator[tuple[str, int, int]]:
        """Each number type with the number of its arrays and their bytes, the largest first."""
        number, size = Counter[str](), Counter[str]()
        for tensor in self.tensors:
            number[tensor.dtype] += 1
            size[tensor.dtype] += tensor.bytes
        for dtype, total in size.most_common():
            yield dtype, number[dtype], total


def too_many(name: str) -> CheckpointError:
    """The error for more tensors than are read."""
    return CheckpointError(f"{quoted(name)} has more than {MOST_TENSORS:,} tensors: that is not a checkpoint of a model.")


def checked_name(name: object, place: str) -> str:
    """Return the name of a tensor; CheckpointError for a text that cannot stand on a line."""
    if not isinstance(name, str) or not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise CheckpointError(
            f"{quoted(place)} has a tensor named {quoted(name, 40)}: names are printable text of 1 to {LONGEST_NAME} "
            "characters."
        )
    return name


def checked_shape(shape: object, name: str, place: str) -> Shape:
    """Return a shape as whole numbers from 0; CheckpointError for anything else."""
    if (
        not isinstance(shape, (list, tuple))
        or len(shape) > MOST_SIDES
        or not {*map(type, shape)} <= WHOLE
        or (shape and not 0 <= min(shape) <= max(shape) <= LARGEST_SIDE)
    ):
        raise CheckpointError(
            f"{quoted(place)}: {quoted(name)} has the shape {quoted(shape, 40)}, and a shape is at most {MOST_SIDES} whole "
            "numbers from 0."
        )
    return tuple(shape)

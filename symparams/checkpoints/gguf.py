"""A GGUF file: metadata, of which whole numbers and short texts are kept, then the name, the shape and the type of each
tensor, then the weights.

The package ``gguf`` reads a file that it trusts: it maps all of it, makes arrays of each word of the vocabulary, which takes
seconds, and believes each length that it finds. Here each length is held against the file and a bound before it is used.
"""

from __future__ import annotations

import struct
from itertools import pairwise
from typing import IO, Union

from symparams.checkpoints.number_types import NumberType, bytes_of, ggml_types
from symparams.checkpoints.record import MOST_TENSORS, StoredTensor, checked_name, checked_shape, too_many
from symparams.errors import CheckpointError, quoted

MAGIC = b"GGUF"
VERSIONS = (2, 3)
MOST_ENTRIES = 10_000  # of metadata
MOST_TEXTS = 2_000_000  # in lists, as the words of a vocabulary
MOST_SIDES = 4
LARGEST_HEADER = 256 * 2**20
ALIGNMENT, ALIGNED_TO = "general.alignment", 32
TEXT, LIST, UINT32 = 8, 9, 4
WIDTHS = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}  # bytes of a value, by its type
UNSIGNED, SIGNED = (0, 2, UINT32, 10), (1, 3, 5, 11)
LONGEST_FACT = 100  # bytes of a text that is kept
Facts = dict[str, Union[int, str]]


def header_of(stream: IO[bytes], size: int, place: str) -> tuple[list[StoredTensor], int, Facts]:
    """Return the tensors of a file of so many bytes, its bytes that belong to none, and what its metadata says.

    CheckpointError for a damaged file.
    """
    reader = _Reader(stream, size, place)
    if reader.take(len(MAGIC)) != MAGIC:
        raise CheckpointError(f"{quoted(place)} is not a GGUF file.")
    if (version := reader.whole(4)) not in VERSIONS:
        raise CheckpointError(f"{quoted(place)} is GGUF of version {version:,}: versions 2 and 3 are read.")
    number, entries = reader.whole(8), reader.whole(8)
    if number > MOST_TENSORS:
        raise too_many(place)
    if entries > MOST_ENTRIES:
        raise CheckpointError(f"{quoted(place)} has {entries:,} entries of metadata: that is not a checkpoint of a model.")
    facts: Facts = {}
    for _ in range(entries):
        key, value = reader.text(), reader.value(reader.whole(4))
        if value is not None:
            facts[key] = value
    alignment = facts.get(ALIGNMENT, ALIGNED_TO)
    if not isinstance(alignment, int) or not 1 <= alignment <= 2**20:
        raise CheckpointError(f"{quoted(place)} aligns its weights to {alignment:,} bytes: that is not a GGUF file.")
    found = [reader.tensor() for _ in range(number)]
    start = -(-reader.position // alignment) * alignment
    tensors = [tensor for _, tensor in found]
    _refuse_overlaps(sorted((start + offset, tensor) for offset, tensor in found), size, place)
    return tensors, size - sum(tensor.bytes for tensor in tensors), facts


def _refuse_overlaps(found: list[tuple[int, StoredTensor]], size: int, place: str) -> None:
    for (begin, tensor), (next_begin, other) in pairwise(found):
        if begin + tensor.bytes > next_begin:
            raise CheckpointError(f"{quoted(place)}: the bytes of {quoted(tensor.name)} overlap those of {quoted(other.name)}.")
    for begin, tensor in found[-1:]:
        if begin + tensor.bytes > size:
            raise CheckpointError(f"{quoted(place)} is cut short: {quoted(tensor.name)} ends after its {size:,} bytes.")


class _Reader:
    """A header, read value by value, up to the end of the file and within bounds."""

    def __init__(self, stream: IO[bytes], size: int, place: str) -> None:
        self.stream, self.place = stream, place
        self.end = min(size, LARGEST_HEADER)
        self.position, self.texts = 0, 0

    def _advance(self, length: int) -> None:
        self.position += length
        if self.position > self.end:
            raise CheckpointError(f"{quoted(self.place)} is cut short, or its header has more bytes than any checkpoint.")

    def take(self, length: int) -> bytes:
        self._advance(length)
        return self.stream.read(length)

    def whole(self, width: int) -> int:
        return int.from_bytes(self.take(width), "little")

    def text(self) -> str:
        return self.take(self.whole(8)).decode("utf-8", "replace")

    def skip(self, length: int) -> None:
        self._advance(length)
        self.stream.seek(self.position)

    def value(self, kind: int) -> int | str | None:
        """Return a whole number or a short text; None for any other value, which is passed over."""
        if kind in UNSIGNED or kind in SIGNED:
            return int.from_bytes(self.take(WIDTHS[kind]), "little", signed=kind in SIGNED)
        if kind != TEXT:
            self.skip_value(kind)
            return None
        length = self.whole(8)
        if length <= LONGEST_FACT:
            return self.take(length).decode("utf-8", "replace")
        self.skip(length)
        return None

    def skip_value(self, kind: int) -> None:
        """Pass over a value; a list of texts is read text by text, since each has its own length."""
        number = 1
        if kind == LIST:
            kind, number = self.whole(4), self.whole(8)
        if kind in WIDTHS:
            self.skip(number * WIDTHS[kind])
            return
        self.texts += number
        if kind != TEXT or self.texts > MOST_TEXTS:
            raise CheckpointError(f"{quoted(self.place)} has metadata that no checkpoint of a model has.")
        for _ in range(number):
            self.skip(self.whole(8))

    def tensor(self) -> tuple[int, StoredTensor]:
        """Return where the weights of a tensor start, and the tensor, its outermost side first."""
        name = checked_name(self.text(), self.place)
        sides = self.whole(4)
        if sides > MOST_SIDES:
            raise CheckpointError(
                f"{quoted(self.place)}: {quoted(name)} has {sides:,} sides, and at most {MOST_SIDES} are possible."
            )
        stored = struct.unpack(f"<{sides}q", self.take(8 * sides))
        kind, offset = self._type(name), self.whole(8)
        shape = checked_shape(stored[::-1], name, self.place)
        return offset, StoredTensor(name, shape, kind.name, bytes_of(kind, shape, name, self.place))

    def _type(self, name: str) -> NumberType:
        number, known = self.whole(4), ggml_types()
        if number not in known:
            raise CheckpointError(f"{quoted(self.place)}: {quoted(name)} has the number type {number:,}, which is not known.")
        return known[number]

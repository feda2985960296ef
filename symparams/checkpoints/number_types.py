"""Number types of stored arrays: the bits of each, and of block formats the weights and bytes of a block."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

from symparams.checkpoints.record import Shape
from symparams.errors import CheckpointError, quoted, suggestion

BITS_IN_A_BYTE = 8


class NumberType(NamedTuple):
    """A type: ``block`` numbers take ``bytes`` bytes. ``is_packed`` if the numbers may be parts of others: INT32 of INT4."""

    name: str
    block: int
    bytes: int
    is_packed: bool = False

    @property
    def bits(self) -> Fraction:
        """The bits of one number."""
        return Fraction(self.bytes * BITS_IN_A_BYTE, self.block)


@cache
def _table() -> Mapping[str, Mapping[str, Any]]:
    with (Path(__file__).parent / "number_types.toml").open("rb") as file:
        return tomllib.load(file)


@cache
def safetensors_types() -> Mapping[str, NumberType]:
    """The types of a safetensors file by their names there."""
    packed = _table()["packed"]["names"]
    return {name: NumberType(name, BITS_IN_A_BYTE, bits, name in packed) for name, bits in _table()["safetensors"].items()}


@cache
def ggml_types() -> Mapping[int, NumberType]:
    """The types of a GGUF file by their numbers there."""
    return {number: NumberType(name, block, size) for name, (number, block, size) in _table()["ggml"].items()}


def bytes_of(kind: NumberType, shape: Shape, name: str, place: str) -> int:
    """Return the bytes of an array; CheckpointError where its numbers do not fill whole blocks."""
    numbers = prod(shape)
    blocks, rest = divmod(numbers * kind.bytes, kind.block)
    if rest:
        raise CheckpointError(
            f"{quoted(place)}: {quoted(name)} has {numbers:,} numbers, which do not fill whole bytes of {kind.name}."
        )
    return blocks


def safetensors_type(dtype: object, name: str, place: str) -> NumberType:
    """Return the type of this name; CheckpointError for an unknown one."""
    known = safetensors_types()
    if not isinstance(dtype, str) or dtype not in known:
        raise CheckpointError(
            f"{quoted(place)}: {quoted(name)} has the number type {quoted(dtype, 20)}. {suggestion(str(dtype)[:20], known)}"
        )
    return known[dtype]

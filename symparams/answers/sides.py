"""Sides: the values of a dimension that a search walks through, and how a table of them is cut into parts."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

from symparams.expressions.nodes import Dimension

CELLS = 2**20  # that are worked out at a time


@dataclass(frozen=True)
class Side:
    """The values of a dimension: those of a list, or every multiple of ``step`` from ``low`` to ``high``."""

    dimension: Dimension
    low: int
    high: int
    step: int = 1
    listed: tuple[int, ...] | None = None

    def __len__(self) -> int:
        return len(self.values)

    @property
    def values(self) -> range | tuple[int, ...]:
        """All of them."""
        return range(self.low, self.high + 1, self.step) if self.listed is None else self.listed

    def upto(self, most: int) -> Side:
        """Those up to a bound, and the next."""
        if self.listed is not None:
            return self
        last = -(-most // self.step) * self.step
        return Side(self.dimension, self.low, max(self.low, min(self.high, last)), self.step)


def doubling(side: Side) -> Iterator[Side]:
    """A side in parts, cut before a value is twice the first of its part."""
    values, start = side.values, 0
    while start < len(values):
        end = bisect_left(values, 2 * values[start])
        yield _cut(side, start, end)
        start = end


def _cut(side: Side, start: int, end: int) -> Side:
    part = side.values[start:end]
    return Side(side.dimension, part[0], part[-1], side.step, None if isinstance(part, range) else part)


def parts(piece: tuple[Side, ...]) -> Iterator[tuple[Side, ...]]:
    """A piece in parts that are worked out at once."""
    if prod(len(side) for side in piece) <= CELLS:
        yield piece
        return
    longest = max(range(len(piece)), key=lambda i: len(piece[i]))
    side = piece[longest]
    for start, end in ((0, len(side) // 2), (len(side) // 2, len(side))):
        yield from parts((*piece[:longest], _cut(side, start, end), *piece[longest + 1 :]))

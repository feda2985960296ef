"""Grids: a cell for each expert of a mixture, those that one token uses dark; of very many the first row and the last."""

from __future__ import annotations

from collections.abc import Iterator

from symparams.drawings.lettering.faces import PITCHES
from symparams.drawings.marks import Cells, Face, Mark, Text, TextPiece
from symparams.records import frozen

# Up to so many experts, so many cells in a row, of a size, with a gap between them.
GRIDS = ((16, 16, 5.0, 0.8), (64, 8, 5.0, 0.8), (512, 32, 1.5, 0.45))
MOST = GRIDS[-1][0]
FEWEST_IN_A_ROW = 8
DOTS, DOTS_LOWERED = (
    PITCHES[Face.COUNT],
    3.0,
)  # the height of "…" between two rows, and how far its base line is above the lower


@frozen
class CellGrid:
    """A grid of so many cells, so many in a row, of a size, with a gap between them."""

    number: int
    in_a_row: int
    size: float
    gap: float

    @property
    def width(self) -> float:
        """From the left edge of the first cell to the right edge of the last in its row."""
        return self.in_a_row * (self.size + self.gap) - self.gap

    @property
    def height(self) -> float:
        """From the first row to the last."""
        if self.number > MOST:
            return 2 * self.size + DOTS
        rows = -(-self.number // self.in_a_row)
        return rows * (self.size + self.gap) - self.gap

    def marks(self, middle: float, y: float, active: frozenset[int]) -> Iterator[Mark]:
        """The cells around a middle, from a height on downwards."""
        x = middle - self.width / 2
        if self.number <= MOST:
            yield Cells(x, y, self.size, self.gap, self.in_a_row, self.number, active)
            return
        row = self.in_a_row
        first = frozenset(place for place in active if place < row)
        last = frozenset(place - self.number + row for place in active if place >= self.number - row)
        yield Cells(x, y, self.size, self.gap, row, row, first)
        yield Text(middle, y + self.size + DOTS - DOTS_LOWERED, (TextPiece("…", Face.COUNT),))
        yield Cells(x, y + self.size + DOTS, self.size, self.gap, row, row, last)


def grid(number: int, width: float) -> CellGrid:
    """The grid of so many cells within a width; a row that is too long for it is halved."""
    _, in_a_row, size, gap = next((known for known in GRIDS if number <= known[0]), GRIDS[-1])
    in_a_row = min(in_a_row, number)
    while in_a_row > FEWEST_IN_A_ROW and in_a_row * (size + gap) > width:
        in_a_row = -(-in_a_row // 2)
    return CellGrid(number, in_a_row, size, gap)


def chosen(number: int, active: int) -> frozenset[int]:
    """Return the dark cells: one in each of as many equal shares, at a place that follows from the share's number.

    Of very many only those that may stand in the first row or the last, the only ones that are drawn.
    """
    share, dark = max(1, number // max(1, active)), min(active, number)
    seen = (*range(min(dark, MOST)), *range(max(MOST, dark - MOST), dark))
    return frozenset(i * share + (7 * i * i + 3 * i + 5) % share for i in seen)

"""Tables: what stands in them, the columns of a terminal, and the columns of LaTeX, which have to fit the line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from symparams.expressions.printing.text import columns as text_columns

WIDEST_TEXT, NARROWEST_TEXT, NARROWEST_FORMULA = 10.0, 6.0, 10.0  # em
GAP, QUAD = 1.25, 1.0
MOST_LINES = 28  # a tabular does not break, and half a page in two columns has some 40 lines
WRAPPED = r">{\raggedright\arraybackslash}p{%sem}"


@dataclass(frozen=True)
class Cell:
    """A cell of a table: its text on one line, and for a formula how it breaks into lines of a given width."""

    text: str
    broken: Callable[[float], Sequence[str]] | None = None


@dataclass(frozen=True)
class Table:
    """A table: its header, an alignment for each column ("l", "c", "r"), its rows.

    ``words`` is the column of running text, which may wrap; ``wide`` are the columns that may move below it where the
    line is too narrow, first those that go first.
    """

    header: tuple[str, ...]
    align: str
    rows: tuple[tuple[Cell, ...], ...]
    words: int = 0
    wide: tuple[int, ...] = ()
    last_is_sum: bool = False

    @property
    def padded(self) -> list[str]:
        """The rows as columns of a terminal, the header and a rule first."""
        table = [list(self.header), *([cell.text for cell in row] for row in self.rows)]
        widths = [max(text_columns(row[i]) for row in table) for i in range(len(self.header))]
        written = ["  ".join(pad(*cell) for cell in zip(row, widths, self.align, strict=True)).rstrip() for row in table]
        return [written[0], "  ".join("─" * width for width in widths), *written[1:]]


@dataclass(frozen=True)
class Tabular:
    """A table as LaTeX's tabular on a line of ``line`` em, with ``measure`` for the width of a cell."""

    table: Table
    line: float
    measure: Callable[[str], float]

    @cached_property
    def widths(self) -> list[float]:
        """The natural width of each column."""
        cells = [list(self.table.header), *([cell.text for cell in row] for row in self.table.rows)]
        return [max(self.measure(row[i]) for row in cells) for i in range(len(self.table.header))]

    @cached_property
    def layout(self) -> tuple[tuple[int, ...], float, float]:
        """Which columns stay beside one another, the room of the words, and the room of the formula beside them."""
        moved: list[int] = []
        for candidate in (None, *self.table.wide):
            moved += [] if candidate is None else [candidate]
            kept = tuple(i for i in range(len(self.widths)) if i not in moved)
            words, formula = self._rooms(kept)
            if words >= min(self.widths[self.table.words], NARROWEST_TEXT):
                return kept, words, formula
        return kept, words, formula

    def _rooms(self, kept: Sequence[int]) -> tuple[float, float]:
        flexible = next((i for i in kept if any(row[i].broken for row in self.table.rows)), None)
        fixed = sum(self.widths[i] for i in kept if i not in (self.table.words, flexible)) + GAP * (len(kept) - 1)
        room = self.line - fixed
        if flexible is None:
            return room, 0.0
        formula = min(self.widths[flexible], room - min(self.widths[self.table.words], WIDEST_TEXT))
        enough = formula >= min(self.widths[flexible], NARROWEST_FORMULA)
        return (room - formula if enough else 0.0), formula

    @property
    def types(self) -> str:
        """The column types; the words wrap where they are wider than their room."""
        kept, words, _ = self.layout
        wrapped = WRAPPED % f"{words:.1f}" if self.widths[self.table.words] > words else "l"
        return "".join(wrapped if i == self.table.words else self.table.align[i] for i in kept)

    @property
    def header(self) -> list[str]:
        """The headings of the columns that stay; what moves below the words needs none."""
        return [self.table.header[i] for i in self.layout[0]]

    @property
    def rows(self) -> list[list[list[str]]]:
        """The rows, each with the lines that it takes, each line with its cells."""
        return [self._lines(row) for row in self.table.rows]

    @property
    def pages(self) -> list[list[tuple[bool, list[str]]]]:
        """The lines of all rows in parts that fit on a page; each line with whether a rule stands above it."""
        rows = self.rows
        lines = [(self.table.last_is_sum and row is rows[-1] and i == 0, line) for row in rows for i, line in enumerate(row)]
        return [lines[start : start + MOST_LINES] for start in range(0, len(lines), MOST_LINES)]

    def _lines(self, row: Sequence[Cell]) -> list[list[str]]:
        kept, _, formula = self.layout
        beside = [_broken(row[i], formula) for i in kept]
        height = max(len(lines) for lines in beside)
        lines = [[column[i] if i < len(column) else "" for column in beside] for i in range(height)]
        position = kept.index(self.table.words)
        below = self.line - sum(self.widths[i] + GAP for i in kept[:position]) - QUAD
        for i, cell in enumerate(row):
            if i not in kept and cell.text:
                for text in _broken(cell, below):
                    span = rf"\multicolumn{{{len(kept) - position}}}{{@{{\quad}}l@{{}}}}{{{text}}}"
                    lines.append([*[""] * position, span])
        return lines


def _broken(cell: Cell, room: float) -> Sequence[str]:
    return cell.broken(room) if cell.broken else [cell.text]


def pad(text: str, width: int, align: str) -> str:
    """A text filled up to a width: to the right, to the left, or as to the left for a centred one."""
    space = width - text_columns(text)
    return {"l": text + " " * space, "r": " " * space + text, "c": text + " " * space}[align]

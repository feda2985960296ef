"""Tables: which columns stay beside one another, which move below the words, and where words and formulas break.

One rule for every format whose lines have an end; what the lines look like is the format's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from symparams.expressions.nodes import Dimension, Expression, Number
from symparams.formats.layout import apart, level
from symparams.records import frozen
from symparams.sheets.document import Table
from symparams.sheets.values import Value

if TYPE_CHECKING:
    from symparams.formats.format import Widths
    from symparams.formats.sheet import Sheet


BREAKS = re.compile(r"\s+|(?<=\w-)(?=\w)")  # where a page ends a line of words


class TableLine(NamedTuple):
    """A line of a table: its cells, or one cell that stands below the words; whether a rule or a gap stands above it.

    ``spans`` is the number of lines of its row where one cell before them can keep them together, and they ``is_spanned``.
    ``is_after_lines`` tells that the row before it takes several lines, so that one sees where it ends. ``height`` is how
    many lines a format that wraps words itself makes of it; ``room`` is that of words below which are wider;
    ``number`` is that of its blanks where it stands at the margin.
    """

    cells: Sequence[str]
    below: str | None = None
    is_sum: bool = False
    is_apart: bool = False
    is_after_lines: bool = False
    spans: int = 1
    is_spanned: bool = False
    height: int = 1
    room: float = 0.0
    number: str = ""


@frozen
class Grid:
    """A table on lines of ``room``."""

    table: Table
    sheet: Sheet
    room: float

    @property
    def set_as(self) -> Widths:
        """The widths with which the format sets tables."""
        return self.sheet.markup.widths

    @property
    def gap(self) -> float:
        """The gap between columns."""
        is_tight = self.sheet.options.is_tight and self.set_as.tight_gap is not None
        return self.set_as.tight_gap or 0.0 if is_tight else self.set_as.gap

    @cached_property
    def widths(self) -> list[float]:
        """The natural width of each column; a heading wraps where all of them are too wide for the line."""
        cells = [
            max([self.sheet.width_of(row[i]) for row in self.table.rows], default=0.0) for i in range(len(self.table.columns))
        ]
        headings = [self.sheet.width_of(column.heading) for column in self.table.columns]
        set_as = self.set_as
        natural = [max(pair) for pair in zip(cells, headings, strict=True)]
        if not set_as.narrowest_heading or sum(natural) + self.gap * (len(natural) - 1) <= self.room:
            return natural
        least = [max(set_as.narrowest_heading, self._longest_word(column.heading)) for column in self.table.columns]
        return [max(cell, min(heading, room)) for cell, heading, room in zip(cells, headings, least, strict=True)]

    def _longest_word(self, heading: Value) -> float:
        """Return the least width of a heading; a Chinese one breaks anywhere."""
        words = self.sheet.text(heading).split()
        return max([self.sheet.metric.text(word) for word in words if word.isascii()], default=0.0)

    @cached_property
    def words(self) -> int:
        """The column of words."""
        return next((i for i, column in enumerate(self.table.columns) if column.is_words), 0)

    @cached_property
    def flexible(self) -> int | None:
        """The column of nothing but formulas, which may break; a letter among them is as good."""
        candidates = [i for i, column in enumerate(self.table.columns) if column.moves and i != self.words]
        cells = {i: [row[i] for row in self.table.rows if not isinstance(row[i], Dimension)] for i in candidates}
        return next((i for i in candidates if cells[i] and all(is_formula(cell) or cell is None for cell in cells[i])), None)

    def _widest(self, column: int, most: int) -> float:
        """Return the least width of a column's formulas: their widest term, so many of the widest left out."""
        cells = [row[column] for row in self.table.rows]
        terms = sorted(self.sheet.metric.widest_term(cell) for cell in cells if isinstance(cell, Expression))
        return max(terms[: max(0, len(terms) - most)], default=0.0)

    @cached_property
    def plan(self) -> tuple[tuple[int, ...], float, float]:
        """The columns that stay beside one another, the room of the words, and that of the formulas beside them."""
        order = [i for _, i in sorted((column.moves, i) for i, column in enumerate(self.table.columns) if column.moves)]
        ways = [order[:often] for often in range(len(order) + 1)]
        fit: list[tuple[int, tuple[tuple[int, ...], float, float]]] = []
        for moved in [*ways, [*order, *self._last]] if self._last else ways:
            if fit and len(moved) > len(order):
                break
            kept = tuple(i for i in range(len(self.widths)) if i not in {*moved, *self._gone})
            for most in (0, len(self.table.rows) // 3):
                words, formula = self._rooms(kept, most)
                if words >= min(self.widths[self.words], self.set_as.narrowest_words):
                    fit.append((self._lines_of(kept, words), (kept, words, formula)))
                    break
        return min(fit, key=lambda way: way[0])[1] if fit else (kept, words, formula)

    def _lines_of(self, kept: Sequence[int], words: float) -> int:
        """About how many lines a table has where the other columns move below the words, and these have so much room."""
        moved = [i for i in range(len(self.widths)) if i not in {*kept, *self._gone, *self._last}]
        below = sum(row[i] is not None for row in self.table.rows for i in moved)
        heading = 2 if any(map(self.heading_wraps, kept)) else 1
        return heading + below + sum(self._filled(row[self.words], words) for row in self.table.rows)

    def _filled(self, cell: Value, room: float) -> int:
        """About how many lines words fill, each line with as many as have room."""
        text, metric = self.sheet.text(cell), self.sheet.metric
        if self.sheet.markup.wrap:
            return len(self.sheet.markup.wrap(text, room))
        lines, left = 1, room
        for word in BREAKS.split(text):
            if metric.text(word) > left < room:
                lines, left = lines + 1, room
            lines += max(0, ceil(metric.text(word) / room) - 1)
            left -= metric.text(f"{word} ")
        return lines

    @cached_property
    def _gone(self) -> list[int]:
        """The columns that are left out, since not all of them have room."""
        order = sorted((column.goes, i) for i, column in enumerate(self.table.columns) if column.goes)
        gone: list[int] = []
        for _, i in order:
            kept = [width for j, width in enumerate(self.widths) if j not in gone]
            if sum(kept) + self.gap * (len(kept) - 1) <= self.room:
                break
            gone.append(i)
        return gone

    @cached_property
    def _last(self) -> list[int]:
        """The columns that are left out where there is no room after all have moved."""
        return [i for i, column in enumerate(self.table.columns) if column.goes_last]

    def _rooms(self, kept: Sequence[int], most: int) -> tuple[float, float]:
        """The rooms of words and formulas, where at most so many formulas, too wide for theirs, stand below the words."""
        set_as = self.set_as
        flexible = self.flexible if self.flexible in kept else None
        fixed = sum(self.widths[i] for i in kept if i not in (self.words, flexible)) + self.gap * (len(kept) - 1)
        room = self.room - fixed
        if flexible is None:
            return room, 0.0
        heading = self.sheet.width_of(self.table.columns[flexible].heading)
        narrowest = heading if self.sheet.options.is_tight else set_as.narrowest_formula
        formula = min(self.widths[flexible], room - min(self.widths[self.words], set_as.widest_words))
        is_enough = formula >= min(self.widths[flexible], max(narrowest, self._widest(flexible, most)))
        return (room - formula if is_enough else 0.0), formula

    @cached_property
    def wraps(self) -> bool:
        """True if the words are wider than their room."""
        return self.widths[self.words] > self.plan[1]

    def heading_wraps(self, column: int) -> bool:
        """True if a heading is wider than its column."""
        return self.sheet.width_of(self.table.columns[column].heading) > self.widths[column]

    @cached_property
    def header(self) -> list[str]:
        """The headings of the columns that stay; what moves below the words needs none."""
        return [self.sheet.text(self.table.columns[i].heading) for i in self.plan[0]]

    @cached_property
    def has_header(self) -> bool:
        """True if any column has a heading."""
        return any(self.header)

    @cached_property
    def headings(self) -> list[list[str]]:
        """The headings as lines of cells, for a format that wraps its words itself."""
        kept, words, _ = self.plan
        rooms = {i: words if i == self.words else self.widths[i] for i in kept}
        return level([self.sheet.wrapped(self.table.columns[i].heading, rooms[i]) for i in kept])

    @cached_property
    def rows(self) -> list[list[TableLine]]:
        """The lines of each row."""
        last, rows = len(self.table.rows) - 1, [self._lines(row) for row in self.table.rows]
        for i, (first, *_) in enumerate(rows):
            rows[i][0] = first._replace(
                is_sum=self.table.last_is_sum and i == last,
                is_apart=i in self.table.gaps,
                is_after_lines=i > 0 and sum(line.height for line in rows[i - 1]) > 1,
            )
            if len(rows[i]) > 1 and all(line.cells and not line.cells[0] for line in rows[i][1:]):
                rows[i][0] = rows[i][0]._replace(spans=len(rows[i]))
                rows[i][1:] = [line._replace(is_spanned=True) for line in rows[i][1:]]
        return rows

    @property
    def lines(self) -> list[TableLine]:
        """The lines of all rows."""
        return [line for row in self.rows for line in row]

    def _unbroken(self, cell: Value) -> float:
        """Return the width of words or a formula that are broken wherever they can be."""
        if isinstance(cell, Expression):
            return self.sheet.metric.widest_term(cell)
        wrap = self.sheet.markup.wrap
        if not wrap and self.plan[1] >= self.set_as.narrowest_words:  # a page breaks words itself, but not in so little room
            return 0.0
        words = wrap(self.sheet.text(cell), 1) if wrap else BREAKS.split(self.sheet.text(cell))
        return max(map(self.sheet.metric.text, words), default=0.0)

    def _is_too_wide(self, cell: Value, room: float) -> bool:
        """True if a formula has no room even where it is broken at its signs."""
        if not isinstance(cell, Expression) or not is_formula(cell):
            return False
        return min(self.sheet.metric(cell), self.sheet.metric.widest_term(cell)) > room

    def _lines(self, row: Sequence[Value]) -> list[TableLine]:
        number, row = apart(row) if self.sheet.markup.marks_at_margin else ("", row)
        kept, words, formula = self.plan
        rooms = {i: words if i == self.words else formula for i in (self.words, self.flexible)}
        beside: list[Sequence[str]] = []
        stays = {*kept, *self._gone, *self._last, *(i for i, cell in enumerate(row) if cell is None)}
        below: list[tuple[int, Value]] = [(self.before, cell) for i, cell in enumerate(row) if i not in stays]
        for i in kept:
            cell = row[i]
            if i == self.words and cell is not None and self._unbroken(cell) > words:
                below.insert(0, (max(self.before - 1, 0), cell))
                cell = None
            if i == self.flexible and self._is_too_wide(cell, formula):
                below.append((self.before, cell))
                cell = None
            if is_formula(cell) and i in rooms:
                beside.append(self.sheet.broken(cell, rooms[i]))
            else:
                beside.append(self.sheet.wrapped(cell, words if i == self.words else None))
        lines = [TableLine(cells) for cells in level(beside)]
        lines[0] = lines[0]._replace(height=self._height(row), number=number)
        for after, cell in below:
            # Where the room is short for what does not break in it, as a formula within words, the whole line is theirs.
            is_short = not self.sheet.markup.wrap and self._least_below(cell) > self._room_below(after)
            position = 0 if is_short else after
            room = self._room_below(position)
            texts = self.sheet.broken(cell, room) if is_formula(cell) else self.sheet.wrapped(cell, room)
            is_wider = not is_formula(cell) and not self.sheet.markup.wrap and self.sheet.width_of(cell) > room
            height = ceil(self.sheet.width_of(cell) / room) if is_wider else 1
            lines += [TableLine([""] * position, text, height=height, room=room if is_wider else 0.0) for text in texts]
        return lines

    def _least_below(self, cell: Value) -> float:
        """Return the least width of what stands below the words: a formula that breaks at its signs is broken before."""
        return self.sheet.width_of(cell) if is_formula(cell) else self.sheet.least_width_of(cell)

    def _room_below(self, position: int) -> float:
        """The room of what stands below the words, from a column on."""
        before = self.plan[0][:position]
        return self.room - sum(self.widths[i] + self.gap for i in before) - self.set_as.indent

    def _height(self, row: Sequence[Value]) -> int:
        """Return the number of lines of a row's words in their widths."""
        room = self.plan[1]
        return max(1, ceil(self.sheet.width_of(row[self.words]) / room)) if room > 0 and not self.sheet.markup.wrap else 1

    @cached_property
    def before(self) -> int:
        """The number of columns before the words."""
        return self.plan[0].index(self.words)


def is_formula(value: Value) -> bool:
    """True if this is a formula that may break: not a number, not a letter."""
    return isinstance(value, Expression) and not isinstance(value, (Number, Dimension))

"""Rules to write on: how long each is, from all that is to be written on a sheet, so that its length tells nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from symparams.expressions.nodes import Expression
from symparams.expressions.printing.form import BETWEEN
from symparams.expressions.printing.metric import Metric
from symparams.expressions.printing.nodes import Answer, Blank, Rule, Words
from symparams.formats.format import PageWidths, Widths
from symparams.formats.layout import EDGE, rows
from symparams.sheets.document import Document, Equation, Link, Table

if TYPE_CHECKING:
    from symparams.sheets.worksheet.gaps import Gap

ROOM = 1.6  # of what is printed, for a hand that writes it
LENGTHS = 4  # of all rules of a sheet
LEAST_OF_A_SHARE = 0.6  # of the least rule, for a percentage in a table, which is short
CLOSEST = 1.1  # of what is printed, in a table that has no more room


class Rules:
    """The rules of a document, by a format's metric, the lines of its page and how it sets tables."""

    def __init__(self, document: Document, metric: Metric, room: PageWidths, set_as: Widths) -> None:
        self.document, self.metric, self.room, self.set_as = document, metric, room, set_as

    def __call__(self, blank: Blank) -> float:
        """How long the rule of a blank is: the least of the four lengths that has room for its answer."""
        wanted = self.wanted(blank)
        return next((length for length in self.lengths if length >= wanted), wanted)

    def wanted(self, blank: Blank) -> float:
        """Return the length of a blank by itself."""
        return max(self.room.rule, ROOM * self.metric(blank.inner))

    @cached_property
    def lengths(self) -> Sequence[float]:
        """The four lengths, from the least to that of the widest answer, each as many times the one before."""
        widest = min(max(map(self.wanted, blanks(self.document)), default=self.room.rule), self.room.formula)
        ratio = widest / self.room.rule if self.room.rule else 1.0
        return [self.room.rule * ratio ** (step / (LENGTHS - 1)) for step in range(LENGTHS)]

    def equation(self, equation: Equation, number: str) -> Equation:
        """An equation to write: what it works out, and as many rules as it has lines, to the end of the line each."""
        sign = self.metric.sign("=", BETWEEN) if equation.left is not None else 0.0
        name = self.metric(equation.left) + sign if equation.left is not None else 0.0
        room = self.room.formula - max(name, self.metric.quad) - EDGE
        more = [Link(Rule(room + sign), relation="", joins=False)] * (len(rows(equation, self.metric, self.room.formula)) - 1)
        return Equation(equation.left, [Link(Rule(room, number)), *more])

    def table(self, table: Table) -> Table:
        """A table to write in: the rules of a column are equally long, and no column is left out."""
        if not any(isinstance(cell, (Blank, Answer)) for row in table.rows for cell in row):
            return table
        columns = [replace(column, goes=0, goes_last=False) for column in table.columns]
        lengths = self._columns(table)
        rows = [[_ruled(cell, length) for cell, length in zip(row, lengths, strict=True)] for row in table.rows]
        return replace(table, columns=columns, rows=rows)

    def _columns(self, table: Table) -> list[float]:
        """How long the rules of each column are; where all of them have no room they are as much shorter."""
        cells = [[row[i] for row in table.rows] for i in range(len(table.columns))]
        lengths = [max((self._in_a_table(cell) for cell in column if isinstance(cell, Blank)), default=0.0) for column in cells]
        beside = [i for i, column in enumerate(table.columns) if not column.moves and not column.is_words]
        others = [i for i, column in enumerate(table.columns) if column.moves]
        room = self.room.table - self.set_as.widest_words - self.set_as.gap * (len(beside) + 1) - sum(
            max((self.metric(cell) for cell in cells[i] if isinstance(cell, Expression)), default=0.0)
            for i in beside if not lengths[i]
        )  # fmt: skip
        taken = sum(lengths[i] for i in beside)
        less = max(CLOSEST / ROOM, min(1.0, room / taken)) if taken and room else 1.0
        widest = self.room.table - self.set_as.indent
        return [min(length, widest) if i in others else length * less for i, length in enumerate(lengths)]

    def _in_a_table(self, blank: Blank) -> float:
        least = self.room.rule * (LEAST_OF_A_SHARE if isinstance(blank.inner, Words) else 1.0)
        return max(least, ROOM * self.metric(blank.inner))


def _ruled(cell: Any, length: float) -> Any:
    return Rule(length, cell.number) if isinstance(cell, Blank) else cell


def blanks(document: Document) -> list[Blank]:
    """Every blank of a document but those that are lines to write on."""
    from symparams.sheets.worksheet.gaps import GapWalk

    contents: list[Blank] = []

    def note(gap: Gap) -> Any:
        if isinstance(gap.content, Blank):
            contents.append(gap.content)
        return gap.content

    GapWalk(note, document.language).document(document)
    return contents

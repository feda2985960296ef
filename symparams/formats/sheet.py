"""The sheet: a document as the macros of a format read it, each value printed and marked, each formula broken into lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from math import ceil
from typing import Any

from symparams.expressions.marks import Equality
from symparams.expressions.printing.form import BETWEEN
from symparams.formats.format import Format, Options
from symparams.formats.layout import EDGE, Row, rows, width, without_left
from symparams.formats.lines import EquationLine, cell, line
from symparams.formats.rules import Rules
from symparams.formats.tables import Grid
from symparams.sheets.document import Block, Display, Document, Equation, Item, Legend, Link, Section, Table, Writing
from symparams.sheets.values import Branch, Capital, Code, Name, Sentence, Value
from symparams.sheets.words import DocumentWords, Run

GLUE = "\N{NO-BREAK SPACE}"  # between the parts of a short formula, which stays on one line of a paragraph
MOST_GLUED = 40
MOST_KEPT = 0.6  # of a line, for a relation that a sentence quotes whole


class Sheet:
    """A document in a format."""

    def __init__(self, document: Document, format: Format, options: Options) -> None:  # noqa: A002 - the field's word
        self.document, self.format, self.options = document, format, options
        self.words = DocumentWords(document)
        self.head = self.words.catalogue.head
        grouping = self.head["grouping"]
        self.printer = format.printer(document.letters, self.words.label, self.words.named, grouping)
        self.metric = format.metric(document.letters, self.words.label, self.words.named, grouping)
        self._runs_by_id: dict[int, tuple[Value, list[Run]]] = {}
        self._written: dict[int, Equation] = {}
        self.room = format.room(options, self.head)
        if document.writing:
            self.room = replace(self.room, formula=self.room.formula - self.room.margin)
        self.rules = self.metric.rules = self.printer.rules = Rules(document, self.metric, self.room, format.widths)

    @cached_property
    def standalone(self) -> bool:
        """True if this is a whole document, not a part for another one."""
        return self.options.standalone

    @property
    def columns(self) -> int:
        """The number of columns of the page."""
        return self.options.columns

    def text(self, value: Value) -> str:
        """A value as it stands in a line."""
        return self.marked(self._runs(value))

    def paragraph(self, values: Iterable[Value]) -> str:
        """Sentences as a paragraph, in lines where the format has to break them."""
        return self.filled(self.marked(self.words.paragraph(values), GLUE if self.format.wrap else " ").strip())

    def run_in(self, item: Item) -> str:
        """Return the name of a step or a question, as its paragraph begins."""
        return self.text(Sentence("steps.item", {"name": Capital(item.name)}) if isinstance(item.name, Name) else item.name)

    def capital(self, value: Value) -> str:
        """A value that begins a line."""
        return self.text(Capital(value))

    def _runs(self, value: Value) -> list[Run]:
        """The runs of a value, worked out once: a cell is measured, and then printed."""
        entry = self._runs_by_id.get(id(value))
        if entry is None:
            entry = self._runs_by_id[id(value)] = (value, self.words.runs(value))
        return entry[1]

    def filled(self, text: str) -> str:
        """A text in lines, where the format has to break them."""
        return "\n".join(self.format.wrap(text, self.room.paragraph)).replace(GLUE, " ") if self.format.wrap else text

    def marked(self, runs: Iterable[Run], space: str = " ") -> str:
        """Runs with the marks of the format, and nothing in them that it would take for a mark; ``space`` within formulas."""
        return "".join([self._marked(run, space) for run in runs])

    def _marked(self, run: Run, space: str) -> str:
        if isinstance(run, str):
            return self.format.escape(run)
        if isinstance(run, Code):
            return self.format.code(run.text)
        if isinstance(run, Branch):
            copies = f"{self.printer.signs['×']}{self.printer(run.copies)}" if run.copies is not None else ""
            return self.format.branch(run) + (self._math(copies) if copies else "")
        formula = self.printer(run)
        is_kept = isinstance(run, Equality) and self.metric(run) <= MOST_KEPT * self.room.paragraph
        return self._math(formula.replace(" ", space) if len(formula) <= MOST_GLUED else formula, is_kept=is_kept)

    def _math(self, formula: str, *, is_kept: bool = False) -> str:
        before, after = (is_kept and self.format.kept) or self.format.inline
        return before + formula + after

    def blocks(self, section: Section) -> list[Block | Display]:
        """The blocks of a section, equations that follow one another together where they fit below one another."""
        blocks: list[Block | Display] = []
        for block in map(self.to_write, section.blocks):
            before = blocks[-1] if blocks else None
            if isinstance(before, Display) and isinstance(block, Equation) and self._fits([*before.equations, block]):
                blocks[-1] = Display([*before.equations, block])
            else:
                blocks.append(Display([block]) if isinstance(block, Equation) else block)
        return blocks

    def to_write(self, block: Block) -> Block:
        """An equation to write: what it works out, and as many rules as it has lines."""
        if not isinstance(block, Writing) or not isinstance(block.block, Equation):
            return block
        if id(block) not in self._written:
            self._written[id(block)] = self.rules.equation(block.block, block.number)
        return self._written[id(block)]

    def lines_of(self, writing: Writing) -> int:
        """Return the number of lines of a block of words, which is the number of lines to write on in its place."""
        values = [*([writing.block.name] if isinstance(writing.block, Item) else []), *writing.sentences]
        return max(1, ceil(sum(map(self.width_of, values)) / self.room.paragraph))

    def _fits(self, equations: Sequence[Equation]) -> bool:
        """True if equations have room for the widest of their left sides and of their right ones."""
        if any(equation.label is not None for equation in equations):
            return all(equation.label is not None for equation in equations)
        measured = [row for equation in equations for row in rows(equation, self.metric, self.room.formula)]
        left = max(self.metric(row.left) if row.left is not None else 0.0 for row in measured)
        return left + max(width(row, self.metric) for row in measured) <= self.room.formula

    def lines(self, display: Display) -> list[EquationLine]:
        """The lines of equations."""
        printed: list[EquationLine] = []
        before = max(self.width_of(equation.label) for equation in display.equations)
        room = self.room.formula - (before + self.metric.quad if before else 0.0)
        for equation, found_rows in zip(display.equations, self._rows(display.equations, room, aligns=before > 0), strict=True):
            first, *others = [self._line(row) for row in found_rows]
            lines = [first._replace(label=self.text(equation.label)), *others]
            printed += [*lines[:-1], lines[-1]._replace(ends=equation)]
        return printed

    def _rows(self, equations: Sequence[Equation], room: float, *, aligns: bool) -> list[list[Row]]:
        """The lines of each; behind words they align, and a left side that leaves no room moves to the right."""
        while True:
            lefts = [self.metric(equation.left) if aligns and equation.left is not None else 0.0 for equation in equations]
            broken = [
                rows(equation, self.metric, room - max(lefts) + left) for equation, left in zip(equations, lefts, strict=True)
            ]
            moves = [left > 0 and lines[0].left is None for left, lines in zip(lefts, broken, strict=True)]
            if not any(moves):
                return broken
            equations = [
                without_left(equation) if moved else equation for equation, moved in zip(equations, moves, strict=True)
            ]

    def answer(self, equation: Equation) -> list[EquationLine]:
        """The lines of the answer, within its frame, and those of what one token uses."""
        equations = [equation, *([self.document.active] if self.document.active else [])]
        left = [self.metric(shown.left) if shown.left is not None else 0.0 for shown in equations]
        room = (self.room.answer or self.room.formula) - self.room.frame - (EDGE if self.document.writing else 0.0)
        # Aligned at their first signs of equality, unless the formula fits fewer lines behind its own short name.
        aligned = [rows(shown, self.metric, room - max(left) + own) for shown, own in zip(equations, left, strict=True)]
        apart = [rows(shown, self.metric, room) for shown in (equations[0], *map(without_left, equations[1:]))]
        chosen = apart if len(apart[0]) < len(aligned[0]) else aligned
        return [self._line(row) for group in chosen for row in group]

    def _line(self, row: Row) -> EquationLine:
        return line(row, self.printer, self.tools.get("quad", "  "))

    def broken(self, formula: Any, room: float) -> list[str]:
        """A formula of a cell, in lines that fit."""
        return [self._math(text) for text in cell(formula, room, self.printer, self.metric)]

    def wrapped(self, value: Value, room: float | None) -> list[str]:
        """A cell of words, in lines where the format has to break them itself."""
        text = self.text(value)
        return self.format.wrap(text, room) if self.format.wrap and room is not None else [text]

    def width_of(self, value: Value) -> float:
        """Return the width of a cell on one line."""
        return sum([self._width(run) for run in self._runs(value)])

    def _width(self, run: Run) -> float:
        if isinstance(run, str):
            return self.metric.text(run)
        if isinstance(run, Code):
            return self.metric.code(run.text)
        if isinstance(run, Branch):
            copies = self.metric.sign("×", BETWEEN) + self.metric(run.copies) if run.copies is not None else 0.0
            return self.metric.code("   " * len(run.lasts) + run.name) + copies
        return self.metric(run)

    def results(self) -> list[tuple[str, str, str]]:
        """The counts beside the title: of each its name, the number, and how people say it with the sign before that."""
        return [
            (self.text(result.name), self.printer(result.count), self._rounded(result.rounded))
            for result in self.document.results or ()
        ]

    def _rounded(self, link: Link | None) -> str:
        return self.printer.signs[link.relation].lstrip() + self.printer(link.content) if link else ""

    def legend(self, legend: Legend) -> list[list[tuple[str, str, str]]]:
        """Dimensions in as few rows as have room for them, each as words, symbol and value."""
        widths = [max(map(self.width_of, entry)) for entry in legend.entries]
        entries = [
            (self.text(words), self._math(self.printer(symbol)), self.text(value)) for words, symbol, value in legend.entries
        ]
        for often in range(1, len(entries) + 1):
            length = ceil(len(entries) / often)
            cut = [widths[i : i + length] for i in range(0, len(entries), length)]
            columns = [max(row[i] for row in cut if i < len(row)) for i in range(length)]
            if sum(columns) + self.format.widths.gap * (length - 1) <= self.room.table or length == 1:
                break
        return [entries[i : i + length] for i in range(0, len(entries), length)]

    def grid(self, table: Table) -> Grid:
        """A table on the lines of this page."""
        return Grid(self.rules.table(table), self, self.room.table)

    def cells(self, table: Table) -> Sequence[Sequence[str]]:
        """A table's cells, for a format that sets its columns itself."""
        return [[self.text(cell) for cell in row] for row in self.rules.table(table).rows]

    def headings(self, table: Table) -> Sequence[str]:
        """The headings of a table's columns."""
        return [self.text(column.heading) for column in table.columns]

    @property
    def tools(self) -> Any:
        """The functions that the macros of this format call."""
        return self.format.tools

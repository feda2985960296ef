"""The sheet: a document as the macros of a format read it, printed and marked, formulas in lines, and rules to write on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, wraps
from math import ceil
from typing import TYPE_CHECKING, Any, TypeVar

from symparams.expressions.nodes import Equality, Expression, Named, Product, Sum
from symparams.expressions.printing.form import BETWEEN
from symparams.expressions.printing.metric import Metric
from symparams.expressions.printing.nodes import Answer, Blank, Rule, Words
from symparams.formats import find
from symparams.formats.format import Markup, Options, PageWidths, Widths
from symparams.formats.layout import EDGE, EquationLine, Row, cell, line, rows, width, without_left
from symparams.formats.tables import Grid
from symparams.sheets.document import (
    Block,
    Display,
    Document,
    Equation,
    Figure,
    Item,
    Legend,
    Link,
    Plotted,
    Section,
    Table,
    Writing,
)
from symparams.sheets.values import Branch, Capital, Code, Prose, Sentence, Value
from symparams.sheets.words import DocumentWords, Run

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
        """Return the length of a blank's answer line: the least of four that has room for the answer."""
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
        rows = [
            [Rule(length, cell.number) if isinstance(cell, Blank) else cell for cell, length in zip(row, lengths, strict=True)]
            for row in table.rows
        ]
        return replace(table, columns=columns, rows=rows)

    def _columns(self, table: Table) -> list[float]:
        """Return the lengths of the answer lines of each column, all shortened alike if they do not fit."""
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


GLUE = "\N{NO-BREAK SPACE}"  # between the parts of a short formula, which stays on one line of a paragraph
MOST_GLUED = 40
MOST_MORE = 1  # line that a display may take, for equations that stand below one another
FOR_LEARNERS = frozenset({"asked", "head"})
MOST_KEPT = 0.6  # of a line, for a relation that a sentence quotes whole
MOST_OF_A_TERM = 0.5  # and for a term, which a line would end within: after a × or between parentheses


Of = TypeVar("Of")
Kept = TypeVar("Kept")


def _once(method: Callable[[Sheet, Of], Kept]) -> Callable[[Sheet, Of], Kept]:
    """Let a method of a sheet keep its result for each object: a block is measured first, and printed later."""

    @wraps(method)
    def once(sheet: Sheet, of: Of) -> Kept:
        known = sheet.kept.get((method.__name__, id(of)))
        if known is None:
            known = sheet.kept[method.__name__, id(of)] = (of, method(sheet, of))
        return known[1]

    return once


class Sheet:
    """A document in the markup of a format."""

    def __init__(
        self,
        document: Document,
        markup: Markup,
        options: Options,
        room: PageWidths | None = None,
    ) -> None:
        self.document, self.markup, self.options = document, markup, options
        self.words = DocumentWords(document)
        self.head = self.words.catalogue.head
        grouping = self.head["grouping"]
        self.printer = markup.printer(document.letters, self.words.label, self.words.named, grouping)
        self.metric = markup.metric(document.letters, self.words.label, self.words.named, grouping)
        self.kept: dict[tuple[str, int], tuple[object, Any]] = {}
        self.room = room or markup.room(options, self.head)
        self.is_narrowed = room is not None
        if document.writing:
            self.room = replace(self.room, formula=self.room.formula - self.room.margin)
        self.rules = self.metric.rules = self.printer.rules = Rules(document, self.metric, self.room, markup.widths)

    @cached_property
    def standalone(self) -> bool:
        """True if this is a whole document, not a part for another one."""
        return self.options.standalone

    @property
    def columns(self) -> int:
        """The number of columns of the page."""
        return self.options.columns

    @property
    def has_figure(self) -> bool:
        """True if there is a drawing on it."""
        return any(isinstance(block, Figure) for section in self.document.sections for block in section.blocks)

    @cached_property
    def _parted(self) -> tuple[Sequence[Section], Sequence[Section]]:
        """The sections beside the figure, and the others."""
        parted: tuple[Sequence[Section], Sequence[Section]] = (
            self.tools["beside_figure"](self) if "beside_figure" in self.tools else ((), self.document.sections)
        )
        return parted

    @property
    def beside(self) -> Sequence[Section]:
        """The sections that stand beside the figure, where the format sets some there."""
        return self._parted[0]

    @property
    def sections(self) -> Sequence[Section]:
        """The sections from the first to the last, without those that stand beside the figure.

        A part of a paper goes without those for a learner.
        """
        sections = self._parted[1]
        if self.standalone or self.document.kind != "derivation":
            return sections
        return [section for section in sections if section.key not in FOR_LEARNERS]

    @cached_property
    def last_part(self) -> Section | Block | None:
        """The section or the block with which the last part begins that the format keeps on one page."""
        found: Section | Block | None = self.tools["last_part"](self) if "last_part" in self.tools else None
        return found

    def narrowed(self, room: PageWidths) -> Sheet:
        """The same sheet on lines of other widths."""
        return Sheet(self.document, self.markup, self.options, room)

    @property
    def figure_floats(self) -> bool:
        """True if a figure may float: on a page of one column, and in a paper that refers to it."""
        return self.columns == 1 if self.standalone else bool(self.options.label)

    def label_of(self, what: str) -> str:
        """The label of what there is one of, where it has labels."""
        return f"{self.options.label}:{what}" if self.options.label else ""

    @property
    def has_plot(self) -> bool:
        """True if there is a plot on it."""
        return any(isinstance(block, Plotted) for section in self.document.sections for block in section.blocks)

    def plot(self, block: Plotted) -> str:
        """A plot as the format takes one in."""
        from symparams.formats.plot import drawn

        return drawn(block.plot, self.tools["plot"])

    def figure(self, block: Figure) -> str:
        """The drawing of a figure as the format takes one in."""
        name, look = self.tools["drawing"]
        draw = find(name).draw
        assert draw is not None
        return draw(block.drawing, look).rstrip("\n")

    def text(self, value: Value) -> str:
        """A value as it stands in a line."""
        return self.marked(self._runs(value))

    def paragraph(self, values: Iterable[Value]) -> str:
        """Sentences as a paragraph, in lines where the format has to break them."""
        return self.filled(self.marked(self.words.paragraph(values), GLUE if self.markup.wrap else " ").strip())

    def run_in(self, item: Item) -> str:
        """Return the name of a step or a question, as its paragraph begins."""
        name = Sentence("steps.item", {"name": Capital(item.name)}) if not isinstance(item.name, Sentence) else item.name
        return self.text(Sentence("steps.numbered", {"number": Prose(str(item.number)), "item": name}) if item.number else name)

    def capital(self, value: Value) -> str:
        """A value that begins a line."""
        return self.text(Capital(value))

    @_once
    def _runs(self, value: Value) -> list[Run]:
        """The runs of a value."""
        return self.words.runs(value)

    def filled(self, text: str) -> str:
        """A text in lines, where the format has to break them."""
        return "\n".join(self.markup.wrap(text, self.room.paragraph)).replace(GLUE, " ") if self.markup.wrap else text

    def marked(self, runs: Iterable[Run], space: str = " ") -> str:
        """Runs with the marks of the format, and nothing in them that it would take for a mark; ``space`` within formulas."""
        return "".join([self._marked(run, space) for run in runs])

    def _marked(self, run: Run, space: str) -> str:
        if isinstance(run, str):
            return self.markup.escape(run)
        if isinstance(run, Code):
            return self.markup.code(run.text)
        if isinstance(run, Branch):
            copies = f"{self.printer.signs['×']}{self.printer(run.copies)}" if run.copies is not None else ""
            return self.markup.branch(run) + (self._math(copies) if copies else "")
        formula = self.printer(run)
        is_term = self.markup.keeps_terms and _may_be_torn(run)
        most = MOST_KEPT if isinstance(run, Equality) else MOST_OF_A_TERM if is_term else 0.0
        is_kept = bool(most) and self.metric(run) <= most * self.room.paragraph
        return self._math(formula.replace(" ", space) if len(formula) <= MOST_GLUED else formula, is_kept=is_kept)

    def _math(self, formula: str, *, is_kept: bool = False) -> str:
        before, after = (is_kept and self.markup.kept) or self.markup.inline
        return before + formula + after

    @_once
    def blocks(self, section: Section) -> list[Block | Display]:
        """The blocks of a section, equations that follow one another together where they fit below one another."""
        blocks: list[Block | Display] = []
        aligned: _Alignment | None = None
        for block in map(self.to_write, section.blocks):
            if not isinstance(block, Equation):
                aligned = None
                blocks.append(block)
            elif aligned is None or not aligned.takes(block):
                aligned = _Alignment(self, block)
                blocks.append(aligned.display)
        return blocks

    @cached_property
    def places(self) -> Mapping[int, tuple[Sequence[Block], int]]:
        """Where each block stands, by its identity: the blocks of its section as they are written, and its number there."""
        sections = [list(map(self.to_write, section.blocks)) for section in self.document.sections]
        return {id(block): (blocks, i) for blocks in sections for i, block in enumerate(blocks)}

    @_once
    def to_write(self, block: Block) -> Block:
        """An equation to write: what it works out, and as many rules as it has lines."""
        if not isinstance(block, Writing) or not isinstance(block.block, Equation):
            return block
        return self.rules.equation(block.block, block.number)

    def lines_of(self, writing: Writing) -> int:
        """Return the number of lines of a block of words, which is the number of lines to write on in its place."""
        values = [*([writing.block.name] if isinstance(writing.block, Item) else []), *writing.sentences]
        return max(1, ceil(sum(map(self.width_of, values)) / self.room.paragraph))

    @_once
    def lines(self, display: Display) -> list[EquationLine]:
        """The lines of equations."""
        printed: list[EquationLine] = []
        before = max(self.width_of(equation.label) for equation in display.equations)
        room = self.room.formula - (before + self.metric.quad - self.room.number if before else 0.0)
        for equation, found_rows in zip(
            display.equations, self._rows(display.equations, room, has_labels=before > 0), strict=True
        ):
            first, *others = [self._line(row) for row in found_rows]
            lines = [first._replace(label=self.text(equation.label)), *others]
            printed += [*lines[:-1], lines[-1]._replace(ends=equation)]
        return printed

    def _rows(self, equations: Sequence[Equation], room: float, *, has_labels: bool) -> list[list[Row]]:
        """The lines of each, aligned at their signs; behind words each by itself where that takes fewer lines."""
        aligned = self._aligned(equations, room, has_labels=has_labels)
        if not has_labels:
            return aligned
        apart = [rows(without_left(equation), self.metric, room) for equation in equations]
        return aligned if sum(map(len, aligned)) <= sum(map(len, apart)) + MOST_MORE else apart

    def _aligned(self, equations: Sequence[Equation], room: float, *, has_labels: bool) -> list[list[Row]]:
        """The lines of each, aligned at their signs; behind words a left side that leaves no room moves to the right."""
        while True:
            aligns = has_labels or not self.document.writing
            lefts = [self.metric(equation.left) if aligns and equation.left is not None else 0.0 for equation in equations]
            widest = max(lefts)
            broken = [
                rows(equation, self.metric, room - widest + left) for equation, left in zip(equations, lefts, strict=True)
            ]
            moves = [left > 0 and lines[0].left is None for left, lines in zip(lefts, broken, strict=True)]
            if not has_labels or not any(moves):
                return broken
            equations = [
                without_left(equation) if moved else equation for equation, moved in zip(equations, moves, strict=True)
            ]

    def answer(self, equation: Equation) -> list[EquationLine]:
        """The lines of the answer, within its frame, and those of what one token uses, aligned at their signs of equality."""
        equations = [equation, *([self.document.active] if self.document.active else [])]
        left = [self.metric(shown.left) if shown.left is not None else 0.0 for shown in equations]
        room = (self.room.answer or self.room.formula) - self.room.frame - (EDGE if self.document.writing else 0.0)
        aligned = [rows(shown, self.metric, room - max(left) + own) for shown, own in zip(equations, left, strict=True)]
        return [self._line(row) for group in aligned for row in group]

    def _line(self, row: Row) -> EquationLine:
        return line(row, self.printer, self.tools.get("quad", "  "))

    def broken(self, formula: Any, room: float) -> list[str]:
        """A formula of a cell, in lines that fit."""
        return [self._math(text) for text in cell(formula, room, self.printer, self.metric)]

    def wrapped(self, value: Value, room: float | None) -> list[str]:
        """A cell of words, in lines where the format has to break them itself."""
        text = self.text(value)
        return self.markup.wrap(text, room) if self.markup.wrap and room is not None else [text]

    def width_of(self, value: Value) -> float:
        """Return the width of a cell on one line."""
        return sum([self._width(run) for run in self._runs(value)])

    def least_width_of(self, value: Value) -> float:
        """Return the least width of a cell: words break at spaces, a name in code behind an underscore, a formula nowhere."""
        widest = filled = 0.0
        for run in self._runs(value):
            parts: list[Run] = [run]
            if isinstance(run, str):
                parts = list(run.split(" "))
            elif isinstance(run, Code):
                parts = [Code(part) for part in re.split("(?<=_)", run.text)]
            for i, part in enumerate(parts):
                filled = self._width(part) + (filled if i == 0 else 0.0)
                widest = max(widest, filled)
        return widest

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
            if sum(columns) + self.markup.widths.gap * (length - 1) <= self.room.table or length == 1:
                break
        return [entries[i : i + length] for i in range(0, len(entries), length)]

    @_once
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
        return self.markup.tools


def _may_be_torn(formula: Expression) -> bool:
    """True if a line could end within a term: a product with ×, or one with parentheses."""
    return not isinstance(formula, Sum) and (isinstance(formula, Product) or _has_a_sum(formula))


def _has_a_sum(formula: Expression) -> bool:
    within = () if isinstance(formula, Named) else formula.operands
    return isinstance(formula, Sum) or any(map(_has_a_sum, within))


class _Alignment:
    """Equations whose signs of equality stand below one another, which another one may join."""

    def __init__(self, sheet: Sheet, first: Equation) -> None:
        self.sheet, self.equations = sheet, [first]
        self.display = Display(self.equations)
        self.left = self._left(first)
        self.apart = self.aligned = len(self._rows(first))
        self.has_room = self._has_room(first, self._rows(first))

    def takes(self, equation: Equation) -> bool:
        """Add an equation where all then take hardly more lines than each by itself, and all or none have words before them."""
        if equation.label is not None or self.equations[0].label is not None:
            fits = equation.label is not None and self.equations[0].label is not None
        elif self.sheet.document.writing:  # rules to write on have their own lengths
            fits = self._has_room_to_write([*self.equations, equation])
        else:
            fits = self._fits(equation)
        if fits:
            self.equations.append(equation)
        return fits

    def _fits(self, equation: Equation) -> bool:
        """True if another one fits; the lines of those before it change only where its left side is wider than theirs."""
        left = max(self.left, self._left(equation))
        changed = [equation] if left == self.left else [*self.equations, equation]
        found = [self._rows(changed_one, left) for changed_one in changed]
        aligned = sum(map(len, found)) + (self.aligned if left == self.left else 0)
        apart = self.apart + len(self._rows(equation))
        if not self.has_room or not all(map(self._has_room, changed, found)) or aligned > apart + MOST_MORE:
            return False
        self.left, self.apart, self.aligned = left, apart, aligned
        return True

    def _has_room(self, equation: Equation, lines: Sequence[Row]) -> bool:
        return equation.left is None or lines[0].left is not None

    def _has_room_to_write(self, equations: Sequence[Equation]) -> bool:
        metric, room = self.sheet.metric, self.sheet.room.formula
        written = [row for equation in equations for row in self._rows(equation)]
        left = max(metric(row.left) if row.left is not None else 0.0 for row in written)
        return left + max(width(row, metric) for row in written) <= room

    def _left(self, equation: Equation) -> float:
        return self.sheet.metric(equation.left) if equation.left is not None else 0.0

    def _rows(self, equation: Equation, widest: float | None = None) -> list[Row]:
        """The lines of an equation by itself, or with a left side beside it that is the widest."""
        room = self.sheet.room.formula
        return rows(equation, self.sheet.metric, room if widest is None else room - widest + self._left(equation))

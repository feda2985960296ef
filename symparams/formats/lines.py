"""Lines: what layout has put on a line of an equation, or of a cell, as a printer writes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from symparams.expressions.nodes import Expression
from symparams.expressions.printing.form import FIRST, LINE
from symparams.expressions.printing.metric import Metric
from symparams.expressions.printing.nodes import Answer, Blank, Rule
from symparams.expressions.printing.printer import Printer
from symparams.formats.layout import LinePiece, Row, broken
from symparams.sheets.document import Equation


class EquationLine(NamedTuple):
    """A line of an equation, cut where lines align: N | = V × h. ``number`` is that of the blanks on it: 3a, 3b."""

    left: str
    right: str
    ends: Equation | None = None  # the equation whose last line this is
    label: str = ""
    number: str = ""


def line(row: Row, printer: Printer, quad: str) -> EquationLine:
    """A line as it is written; the number of a blank stands beside it."""
    left = printer(row.left) if row.left is not None else ""
    right = "".join(_run(run, printer, is_first=i == 0) for i, run in enumerate(row.runs))
    numbers = (run.pieces.number if isinstance(run.pieces, (Blank, Rule, Answer)) else run.box for run in row.runs)
    return EquationLine(left, quad * row.quads + right, number=", ".join(filter(None, numbers)))


def apart(cells: Sequence[Any]) -> tuple[str, list[Any]]:
    """The numbers of the blanks in a row, and its cells without them."""
    marked = [isinstance(content, (Blank, Rule, Answer)) for content in cells]
    numbers = [content.number for content, is_marked in zip(cells, marked, strict=True) if is_marked]
    bare = [replace(content, number="") if is_marked else content for content, is_marked in zip(cells, marked, strict=True)]
    return ", ".join(filter(None, numbers)), bare


def _run(run: LinePiece, printer: Printer, *, is_first: bool) -> str:
    relation = printer.signs[run.relation] if run.relation else ""
    relation = relation.lstrip() if is_first else relation
    if isinstance(run.pieces, (Blank, Rule, Answer)):
        return relation + printer(replace(run.pieces, number=""))
    if isinstance(run.pieces, Expression):
        return relation + printer(run.pieces)
    written = printer.line(run.pieces, LINE if run.continues else FIRST)
    return relation + (written if run.box is None else printer.boxed(written, ""))


def cell(formula: Any, room: float, printer: Printer, metric: Metric) -> list[str]:
    """A formula of a cell, in lines that fit; a rule is as long as there is room."""
    if metric(formula) <= room:
        return [printer(formula)]
    if isinstance(formula, (Blank, Rule)):
        return [printer(Rule(room, formula.number))]
    if isinstance(formula, Answer):
        lines = cell(formula.inner, room - metric.frame, printer, metric)
        return [printer.boxed(text, "" if i else formula.number) for i, text in enumerate(lines)]
    lines_found = broken(formula, metric, room, room)
    return [printer.line(pieces, LINE if i else FIRST) for i, pieces in enumerate(lines_found)]


def level(columns: Sequence[Sequence[str]]) -> list[list[str]]:
    """Columns of lines as lines of cells, the shorter ones filled up with nothing."""
    height = max(len(lines) for lines in columns)
    return [[lines[i] if i < len(lines) else "" for lines in columns] for i in range(height)]

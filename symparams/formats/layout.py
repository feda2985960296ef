"""Layout: a chain of equal expressions on lines that fit, a formula too wide for one broken at its signs.

Breaking comes before printing: what a line holds are pieces, and every format prints the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil
from typing import Any, NamedTuple

from symparams.expressions.nodes import Expression, Number, terms_of
from symparams.expressions.printing.form import BETWEEN, FIRST, LINE, Piece, pieces
from symparams.expressions.printing.metric import Metric
from symparams.expressions.printing.nodes import Answer, Blank, Rule
from symparams.expressions.printing.printer import Printer
from symparams.sheets.document import Equation, Link

SHORT = 0.2  # a last term of less than this part of a line takes the one before it along
EDGE = 0.5  # between a rule and the end of its line, for what is lost where widths are rounded
WIDEST_NAME = 0.4  # a name that would take more than this part of a line stands on a line of its own


class LinePiece(NamedTuple):
    """A link on a line, or a part of it: what relates it to what is before, its pieces, and whether they go on with one.

    ``box`` is the number of the blank that they answer, in a box; "" where the line before has it.
    """

    relation: str
    pieces: Sequence[Piece] | Expression
    continues: bool = False
    box: str | None = None


class Row(NamedTuple):
    """A line of an equation: the name on its left, how far it is set in, and its runs."""

    left: Expression | None
    quads: int
    runs: Sequence[LinePiece]


def rows(equation: Equation, metric: Metric, width: float) -> list[Row]:
    """The lines of an equation: as many links to a line as fit and may join, a link too wide broken at its + signs."""
    name = metric(equation.left) if equation.left is not None else 0.0
    if equation.left is not None and name > width:
        return rows(without_left(equation), metric, width)
    widths = [_relating(link.relation, metric) + metric(link.content) for link in equation.chain]
    if equation.in_a_row and name + sum(widths) <= width:
        relations = ["" if equation.left is None and i == 0 else link.relation for i, link in enumerate(equation.chain)]
        runs = [LinePiece(relation, link.content) for relation, link in zip(relations, equation.chain, strict=True)]
        return [Row(equation.left, 0, runs)]
    is_too_wide = any(whole > width - name for whole in widths)
    if name > WIDEST_NAME * width or (is_too_wide and _has_room_only_apart(equation, widths, metric, width, name)):
        return _apart(equation, metric, width)
    beside = _beside(equation, metric, width, name)
    is_broken = is_too_wide and any(
        width - name < whole <= width - metric.quad and not _is_of_numbers(link.content)
        for link, whole in zip(equation.chain, widths, strict=True)
    )
    return min(_apart(equation, metric, width), beside, key=len) if is_broken else beside


def _is_of_numbers(content: Expression) -> bool:
    """True if a link is a sum of numbers, which reads as well where it is broken."""
    return all(isinstance(term, Number) for term in terms_of(content))


def _beside(equation: Equation, metric: Metric, width: float, name: float) -> list[Row]:
    """The lines of an equation whose name stands on the first of them."""
    room = width - name
    rights = _rights(equation, metric, room, room - metric.quad - metric.joint, 0)
    return [Row(equation.left, rights[0].quads, rights[0].runs), *rights[1:]] if rights else [Row(equation.left, 0, [])]


def _apart(equation: Equation, metric: Metric, width: float) -> list[Row]:
    """The lines of an equation whose name stands on a line of its own, the others set in below it."""
    room = width - metric.quad
    name = [Row(None, 0, [LinePiece("", equation.left)])] if equation.left is not None else []
    return [*name, *_rights(equation, metric, room, room - metric.quad, 1)]


def without_left(equation: Equation) -> Equation:
    """An equation whose left side is the first link of its chain."""
    left = [Link(equation.left)] if equation.left is not None else []
    return replace(equation, left=None, chain=[*left, *equation.chain])


def width(row: Row, metric: Metric) -> float:
    """Return the width of the right side of a line."""
    total = row.quads * metric.quad + (metric.joint if row.runs and row.runs[0].continues else 0.0)
    for run in row.runs:
        total += _relating(run.relation, metric)
        total += metric.frame if run.box is not None else 0.0
        if isinstance(run.pieces, Expression):
            total += metric(run.pieces)
        else:
            total += metric.line(run.pieces, LINE if run.continues else FIRST)
    return total


def _rights(equation: Equation, metric: Metric, room: float, rest: float, set_in: int) -> list[Row]:
    """Yield the right-hand side line by line; ``rest`` is the width of the lines that go on with a link."""
    lines: list[Row] = []
    filled, was_broken = 0.0, False
    for i, link in enumerate(equation.chain):
        relation = "" if equation.left is None and i == 0 else link.relation
        relating = _relating(relation, metric)
        whole = relating + metric(link.content)
        if lines and link.joins and not was_broken and filled + whole <= room:
            lines[-1] = Row(None, set_in, [*lines[-1].runs, LinePiece(relation, link.content)])
            filled += whole
        elif whole <= room:
            lines.append(Row(None, set_in, [LinePiece(relation, link.content)]))
            filled, was_broken = whole, False
        else:
            first, *others = _runs(link.content, metric, room - relating, rest)
            lines.append(Row(None, set_in, [first._replace(relation=relation)]))
            lines += [Row(None, set_in + 1, [run]) for run in others]
            was_broken = True
    return lines


def _runs(content: Expression, metric: Metric, first: float, rest: float) -> list[LinePiece]:
    """A link that is too wide, line by line: a rule goes on with another one, an answer with another box."""
    if isinstance(content, Blank):
        lines = ceil(metric(content) / first)
        return [
            LinePiece("", Rule(first - EDGE, content.number)),
            *[LinePiece("", Rule(rest - EDGE), continues=True)] * (lines - 1),
        ]
    if isinstance(content, Answer):
        pieces = broken(content.inner, metric, first - metric.frame, rest - metric.frame)
        return [LinePiece("", line, continues=i > 0, box="" if i else content.number) for i, line in enumerate(pieces)]
    return [LinePiece("", line, continues=i > 0) for i, line in enumerate(broken(content, metric, first, rest))]


def _relating(relation: str, metric: Metric) -> float:
    """Return the width of the sign before a link; a rule that goes on with another has none."""
    return metric.sign(relation, BETWEEN) if relation else 0.0


def _has_room_only_apart(equation: Equation, widths: Sequence[float], metric: Metric, width: float, name: float) -> bool:
    """True if a term of a link that has to break has room on a line only where the name stands on its own."""
    apart = width - metric.quad
    rest = width - name - metric.quad - metric.joint
    return any(
        whole > width - name and rest < metric.widest_term(link.content) <= apart - metric.quad
        for link, whole in zip(equation.chain, widths, strict=True)
    )


def broken(expression: Expression, metric: Metric, first: float, rest: float) -> list[list[Piece]]:
    """A formula as lines of pieces, the first line of one width, those that go on of another."""
    narrower = min(first, rest)

    def fits(piece: Piece) -> bool:
        return (metric.piece(piece, LINE) if piece.label is None else metric.line([piece], LINE)) <= narrower

    return fill(pieces(expression, fits), metric, first, rest)


def _goes_on(piece: Piece) -> bool:
    """True if a piece goes on with a term that the line before has begun."""
    return piece.sign in "×·"


def fill(parts: Sequence[Piece], metric: Metric, first: float, rest: float) -> list[list[Piece]]:
    """Pieces on lines, as many on each as fit, and no short term alone on the last."""
    lines, filled, room = [[parts[0]]], metric.line(parts[:1], FIRST), first
    for piece in parts[1:]:
        if piece.label is None:
            joined = filled + metric.piece(piece, BETWEEN)
        else:  # under one brace they are as wide as the brace
            joined = metric.line([*lines[-1], piece], FIRST if len(lines) == 1 else LINE)
        if joined <= room:
            lines[-1].append(piece)
            filled = joined
        else:
            opening = [lines[-1][-1], piece]
            if len(lines[-1]) > 1 and _goes_on(piece) and not _goes_on(opening[0]) and metric.line(opening, LINE) <= rest:
                lines[-1].pop()
                lines.append(opening)
            else:
                lines.append([piece])
            filled, room = metric.line(lines[-1], LINE), rest
    if len(lines) > 1 and len(lines[-1]) == 1 < len(lines[-2]) and filled < SHORT * rest:
        together = [lines[-2][-1], *lines[-1]]
        if metric.line(together, LINE) <= rest:
            lines[-2:] = [lines[-2][:-1], together]
    return lines


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

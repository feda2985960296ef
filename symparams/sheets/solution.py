"""Solutions: the closed form as what is asked of it, where it meets the total, and a table of the nearest sizes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from symparams.answers.solutions import DECIMALS, Solution, Solutions
from symparams.expressions.closed_form import as_written
from symparams.expressions.nodes import Equality, Expression, Named, Number, as_expression
from symparams.expressions.notation import Letters
from symparams.expressions.printing.nodes import Measured, Scaled, Signed
from symparams.expressions.symbols import by_reading
from symparams.expressions.written import number, with_sign
from symparams.sheets.catalogue import Catalogue, catalogue
from symparams.sheets.document import Block, Column, Document, Equation, Lead, Link, Paragraph, Section, Table
from symparams.sheets.quantities import column_of, noun_of, sentence_of, unit_of
from symparams.sheets.values import Listed, Prose, Sentence, Value
from symparams.sheets.whole import is_users, letters_of


def solution(
    solved: Solutions, language: str = "en", notation: str = "hidden", symbols: Mapping[str, str] | None = None
) -> Document:
    """Return the sheet of solutions: the target, the kept sizes, the equation, the table; or a sentence if there is none."""
    design = solved.design
    asked: dict[str, Value] = {
        "dimensions": Listed(design.free, "signs.list"),
        "model": Prose(solved.model.name),
        "quantity": noun_of(design.quantity),
        "total": _amount(solved, language),
    }
    title = sentence_of(design.quantity, "solve_one" if len(design.free) == 1 else "solve", catalogue(language), asked)
    letters = Letters(letters_of(solved.model, notation, symbols or {})).counting(design.quantity.letter)
    return Document(
        "solution",
        language,
        title,
        _equation(solved),
        [Section("solution", None, list(_blocks(solved, catalogue(language))))],
        letters=letters,
        subject=solved,
        is_users=is_users(solved.model) or design.quantity.is_own,
    )


def _equation(solved: Solutions) -> Equation:
    """N = closed form = what it is in the free dimensions alone = total."""
    design = solved.design
    links = [Link(design.closed, joins=False)]
    alone = as_written(design.alone)
    if alone != design.closed:
        links.append(Link(alone, joins=False))
    cost = design.cost
    return Equation(
        Named(cost.name if cost else "", _counted(solved)), [*links, Link(Number(solved.total), joins=False)], in_a_row=True
    )


def _counted(solved: Solutions) -> Expression:
    return solved.design.closed if solved.design.cost else solved.model.formula()


def _amount(solved: Solutions, language: str) -> Expression:
    """The total with its unit."""
    unit = unit_of(solved.design.quantity, catalogue(language))
    return Measured(Number(solved.total), unit) if unit else Number(solved.total)


def _blocks(solved: Solutions, words: Catalogue) -> Iterator[Block]:
    design = solved.design
    sentences: list[Value] = []
    if design.kept:
        kept = tuple(Equality(d, as_expression(value)) for d, value in design.kept.items())
        sentences.append(Sentence("solve.kept", {"values": Listed(kept, "signs.comma")}))
    if design.follows:
        relations = tuple(Equality(d, value) for d, value in design.follows.items())
        sentences.append(Sentence("solve.follows", {"relations": Listed(relations, "signs.comma")}))
    for free in design.free:
        if design.step(free) > 1:
            sentences.append(Sentence("solve.step", {"dimension": free, "step": Number(design.step(free))}))
    bounds: list[tuple[Expression, tuple[int | Fraction, int | Fraction]]] = [*design.between.items(), *design.within.items()]
    for subject, (low, high) in bounds:
        sentences.append(Sentence("solve.between", {"dimension": subject, "low": number(low), "high": number(high)}))
    if sentences:
        yield Paragraph(sentences)
    if solved.root:
        yield Lead([Sentence("solve.root", {"total": Number(solved.total)})])
        digits = Scaled(solved.root.value, 0 if solved.root.value.denominator == 1 else DECIMALS, "")
        yield Equation(design.free[0], [Link(digits, "=" if solved.root.is_exact else "≈")])
    if not solved.found:
        yield Paragraph([sentence_of(design.quantity, "solve_none", words, {"total": Number(solved.total)})])
        return
    if not solved.is_met:
        yield Paragraph([_beyond(solved[0])])
    if solved.tried:
        yield Lead([Sentence("solve.tried", {"tried": Number(solved.tried), "number": Number(len(solved))})])
    yield _table(solved)


def _beyond(nearest: Solution) -> Sentence:
    """That even the nearest gives more than the total, or less."""
    values = tuple(Equality(d, Number(value)) for d, value in nearest.values.items())
    key = "solve.more" if nearest.difference > 0 else "solve.less"
    return Sentence(key, {"values": Listed(values, "signs.comma"), "difference": as_expression(abs(nearest.difference))})


def _table(solved: Solutions) -> Table:
    follows = sorted({d for solution in solved for d in solution.follows}, key=by_reading)
    columns = [Column(size, "r") for size in (*solved.design.free, *follows)]
    columns += [Column(column_of(solved.design.quantity), "r"), Column(Sentence("columns.difference"), "r")]
    rows: list[list[Value]] = [
        [
            *map(Number, (*design.values.values(), *(design.follows[d] for d in follows))),
            as_expression(design.count),
            _difference(design.difference),
        ]
        for design in solved
    ]
    return Table("solutions", columns, rows)


def _difference(apart: int) -> Value:
    return Signed(with_sign(apart)) if apart else Number(0)

"""Equality: whether two formulas are the same for a question, whatever their form, also where they divide by a sum."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symparams.errors import ExpressionError, SymparamsError
from symparams.expressions.closed_form import multiply_out
from symparams.expressions.extent import measured
from symparams.expressions.nodes import (
    Ceiling,
    Dimension,
    Expression,
    Floor,
    Minimum,
    Negative,
    Number,
    Power,
    Product,
    Quotient,
    Sum,
)
from symparams.expressions.parsing import parse
from symparams.expressions.polynomial import Polynomial
from symparams.expressions.symbols import letter
from symparams.expressions.written import ONE, fold, replaced
from symparams.practice.conditions import SIZE
from symparams.practice.question import Question
from symparams.practice.replies import UnreadableError

Ratio = tuple[Expression, Expression]


def are_equal(question: Question, first: Expression, other: Expression) -> bool:
    """True if two formulas are equal under the model's and the question's relations; UnreadableError for a huge one."""
    (above, below), (above_other, below_other) = (_ratio(question, formula) for formula in (first, other))
    try:
        left, right = (
            multiplied_out(question, measured(_times(*factors))) for factors in ((above, below_other), (above_other, below))
        )
    except ZeroDivisionError:
        raise UnreadableError("zero") from None
    except ExpressionError:
        raise UnreadableError("long") from None
    return left == right


def multiplied_out(question: Question, written: Expression) -> Polynomial:
    """A formula multiplied out under the relations of the model, and under those of whose models the question is asked."""
    return multiply_out(replaced(replaced(written, question.meanings), question.constants), relations(question))


def relations(question: Question) -> Mapping[Dimension, Expression]:
    """The model's relations, and those sizes that the question is asked of alone: h = n_heads·d_head."""
    known = dict(question.relations)
    for text in question.kind.where.get("sizes", ()):
        match = SIZE.fullmatch(text)
        if match and match["sign"] == "=" and not _speaks_of(known, match["left"]):
            try:
                known[letter(match["left"])] = parse(match["right"], letter)
            except SymparamsError:  # no single letter stands on its left
                continue
    return known


def _speaks_of(known: Mapping[Dimension, Expression], name: str) -> bool:
    return any(name in (dimension.name, *(operand.name for operand in value.dimensions)) for dimension, value in known.items())


def _ratio(question: Question, written: Expression) -> Ratio:
    return fold(replaced(written, question.meanings), Ratios())


def _times(*factors: Expression) -> Expression:
    kept = [factor for factor in factors if factor != ONE]
    return Product(tuple(kept)) if len(kept) > 1 else kept[0] if kept else ONE


class Ratios:
    """The algebra of a formula above another, in which no sum is divided by."""

    def number(self, value: int) -> Ratio:
        return Number(value), ONE

    def dimension(self, dimension: Dimension) -> Ratio:
        return dimension, ONE

    def sum(self, terms: Sequence[Ratio]) -> Ratio:
        below = _times(*(divisor for _, divisor in terms))
        others = [
            _times(above, *(divisor for j, (_, divisor) in enumerate(terms) if j != i)) for i, (above, _) in enumerate(terms)
        ]
        return Sum(tuple(others)), below

    def product(self, factors: Sequence[Ratio]) -> Ratio:
        return _times(*(above for above, _ in factors)), _times(*(below for _, below in factors))

    def power(self, base: Ratio, exponent: int) -> Ratio:
        above, below = base
        return Power(above, exponent), ONE if below == ONE else Power(below, exponent)

    def quotient(self, numerator: Ratio, denominator: Ratio) -> Ratio:
        return _times(numerator[0], denominator[1]), _times(numerator[1], denominator[0])

    def negative(self, operand: Ratio) -> Ratio:
        return Negative(operand[0]), operand[1]

    def floor(self, inner: Ratio) -> Ratio:
        return Floor(_divided(inner)), ONE

    def ceiling(self, inner: Ratio) -> Ratio:
        return Ceiling(_divided(inner)), ONE

    def minimum(self, choices: Sequence[Ratio]) -> Ratio:
        return Minimum(tuple(_divided(ratio) for ratio in choices)), ONE


def _divided(ratio: Ratio) -> Expression:
    return ratio[0] if ratio[1] == ONE else Quotient(*ratio)

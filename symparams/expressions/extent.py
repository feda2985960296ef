"""The extent of a formula: how large it gets, found before anything large is computed.

What a person writes is small. A tower of powers, a number of thousands of digits or a formula nested a thousand times is a
slip or an attack, and is refused where it is written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

from symparams.errors import NotAnExpressionError
from symparams.expressions.nodes import Dimension, Expression, Number, Size, as_expression
from symparams.expressions.written import fold
from symparams.records import frozen

MOST_DIGITS = 40
MOST_TERMS = 4_000
MOST_RESULT_DIGITS = 4_000  # Python prints an integer of up to 4,300
DEEPEST_NODES = 120  # some eight calls a level keep within Python's thousand
MOST_NODES = 20_000


@frozen
class Measure:
    """The size of an expression when multiplied out: its terms, and the decimal digits of its largest number."""

    terms: int = 1
    digits: int = 1
    is_fraction: bool = False

    @property
    def is_too_large(self) -> bool:
        """True if it is beyond what is multiplied out or printed."""
        return self.terms > MOST_TERMS or self.digits > MOST_RESULT_DIGITS

    def plus(self, other: Measure) -> Measure:
        """Of a sum; fractions are brought over one denominator, whose digits add up."""
        is_fraction = self.is_fraction or other.is_fraction
        digits = self.digits + other.digits if is_fraction else max(self.digits, other.digits)
        return Measure(self.terms + other.terms, digits + 1, is_fraction)

    def times(self, other: Measure, *, divided: bool = False) -> Measure:
        """Of a product or a quotient."""
        is_fraction = divided or self.is_fraction or other.is_fraction
        return Measure(self.terms * other.terms, self.digits + other.digits, is_fraction)

    def power(self, exponent: int) -> Measure:
        """Of a power; of a sum to any large one, more than is multiplied out."""
        terms = self.terms ** min(exponent, MOST_TERMS.bit_length())
        return Measure(terms, self.digits * max(exponent, 1), self.is_fraction)


LETTER = Measure(digits=MOST_DIGITS)  # its value may have so many


class Measures:
    """The algebra of measures, in which some letters stand for formulas of a known measure: d_ff for 4·h."""

    def __init__(self, meanings: Mapping[Dimension, Measure]) -> None:
        self.meanings = meanings

    def number(self, value: int) -> Measure:
        return Measure(digits=value.bit_length() * 30_103 // 100_000 + 1)

    def dimension(self, dimension: Dimension) -> Measure:
        return self.meanings.get(dimension, LETTER)

    def sum(self, terms: Sequence[Measure]) -> Measure:
        return reduce(lambda one, other: _bounded(one.plus(other)), terms)

    def product(self, factors: Sequence[Measure]) -> Measure:
        return reduce(lambda one, other: _bounded(one.times(other)), factors)

    def power(self, base: Measure, exponent: int) -> Measure:
        return _bounded(base.power(exponent))

    def quotient(self, numerator: Measure, denominator: Measure) -> Measure:
        divisor = replace(denominator, terms=1)  # what is divided by a sum is not multiplied out
        return _bounded(numerator.times(divisor, divided=True))

    def negative(self, operand: Measure) -> Measure:
        return operand

    def floor(self, inner: Measure) -> Measure:
        return replace(inner, terms=1, is_fraction=False) if inner.is_fraction else inner

    def ceiling(self, inner: Measure) -> Measure:
        return self.floor(inner)

    def minimum(self, choices: Sequence[Measure]) -> Measure:
        return Measure(digits=max(choice.digits for choice in choices))


def measure(expression: Expression, meanings: Mapping[Dimension, Measure]) -> Measure:
    """Return the size of an expression; NotAnExpressionError if it is too large to multiply out or print."""
    return _bounded(fold(expression, Measures(meanings), {}))


def measured(value: Any) -> Expression:
    """The expression that a value stands for, of an extent that can be worked with.

    Raises NotAnExpressionError where it is not an expression, nested too deeply, or would multiply out to too much.
    """
    expression = as_expression(value)
    if not isinstance(expression, Dimension) and not (isinstance(expression, Number) and expression.value < 10**MOST_DIGITS):
        _refuse_deep(expression)
        measure(expression, {})
    return expression


def size(value: Any) -> Expression:
    """A side as a definition gives it (``h``, ``3 * h``, ``4``): compound ones become a Size."""
    side = measured(value)
    return side if isinstance(side, (Number, Dimension, Size)) else Size(side)


def _bounded(extent: Measure) -> Measure:
    if extent.is_too_large:
        raise NotAnExpressionError(
            f"A formula multiplies out to more than {MOST_TERMS:,} terms or {MOST_RESULT_DIGITS:,} digits: write a smaller one."
        )
    return extent


def _refuse_deep(expression: Expression) -> None:
    """Raise an error for a formula that is too deep. Iterative: it cannot overflow the stack, and walks a shared part once."""
    known: dict[int, tuple[int, int]] = {}
    pending = [expression]
    while pending:
        here = pending[-1]
        missing = [operand for operand in here.operands if id(operand) not in known]
        if missing:
            pending += missing
            if len(pending) > MOST_NODES:
                break
            continue
        pending.pop()
        inner = [known[id(operand)] for operand in here.operands]
        known[id(here)] = (1 + max((depth for depth, _ in inner), default=0), 1 + sum(size for _, size in inner))
    depth, size = known.get(id(expression), (DEEPEST_NODES + 1, 0))
    if depth > DEEPEST_NODES or size > MOST_NODES:
        raise NotAnExpressionError(
            f"A formula is nested deeper than {DEEPEST_NODES} levels or longer than {MOST_NODES:,} signs: write it flatter."
        )

"""Equations: the sides and the numbers of arrays in letters beside those of a file, and the letters that follow from them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property

from symparams.errors import NotAnExpressionError
from symparams.expressions.closed_form import multiply_out
from symparams.expressions.nodes import Dimension, Expression
from symparams.expressions.polynomial import NOTHING, Polynomial
from symparams.expressions.symbols import in_rank
from symparams.expressions.written import exact
from symparams.records import frozen

LEAST_ROOT, LARGEST_POWER = 1, 4
Values = Mapping[Dimension, int]


@frozen
class Equation:
    """An expression that is a whole number; ``about`` is the array of a file that says so."""

    expression: Expression
    number: int
    about: str = ""

    def unknown(self, known: Collection[Dimension]) -> tuple[Dimension, ...]:
        """Return the letters that have no value."""
        return tuple(letter for letter in self.expression.dimensions if letter not in known)

    def holds(self, known: Values) -> bool:
        """True if all letters have values, and the expression is the number."""
        try:
            return exact(self.expression, known) == self.number
        except (KeyError, ZeroDivisionError):
            return False

    @cached_property
    def polynomial(self) -> Polynomial:
        """The expression multiplied out; that of nothing where it divides by a sum."""
        try:
            return multiply_out(self.expression, {})
        except (NotAnExpressionError, ZeroDivisionError):
            return NOTHING

    def is_told(self, letter: Dimension) -> bool:
        """True if the equation has one solution for a letter when all others are known: it stands in one power, not rounded."""
        powers = {power for monomial in self.polynomial.terms for other, power in monomial if other == letter}
        rounded = any(letter in other.dimensions for other in self.polynomial.letters if not isinstance(other, Dimension))
        return not rounded and len(powers) == 1 and abs(next(iter(powers))) <= LARGEST_POWER

    def solved(self, letter: Dimension, known: Values) -> int | None:
        """Return the only value of a letter that is told, at least 1; None where no whole number is one."""
        factor, rest, power = Fraction(0), Fraction(0), 0
        for monomial, coefficient in self.polynomial.terms.items():
            value, own = Fraction(coefficient), 0
            for other, times in monomial:
                if other == letter:
                    own = times
                else:
                    value *= Fraction(exact(other, known)) ** times
            factor, rest, power = (factor + value, rest, own) if own else (factor, rest + value, power)
        root = (self.number - rest) / factor if factor else Fraction(0)
        if root <= 0:
            return None
        root = root if power > 0 else 1 / root
        whole = round(root ** Fraction(1, abs(power))) if abs(power) > 1 else int(root)
        return whole if whole >= LEAST_ROOT and Fraction(whole) ** abs(power) == root else None


@frozen
class Solution:
    """The letters that equations tell, those that they leave open, and the first equation that the others contradict."""

    values: Values
    free: tuple[Dimension, ...] = ()
    broken: Equation | None = None


def solve(equations: Sequence[Equation], identities: Mapping[Dimension, Expression], given: Values) -> Solution:
    """Return what equations tell of their letters, one after another, wherever one letter alone is unknown.

    ``given`` values count where the equations leave a letter open, ``identities`` always hold.
    """
    known: dict[Dimension, int] = {}
    while True:
        broken = _follow(known, equations, identities)
        if broken is not None:
            return Solution(known, broken=broken)
        free = in_rank(letter for equation in equations for letter in equation.unknown(known))
        chosen = next((letter for letter in free if letter in given), None)
        if chosen is None:
            return Solution(known, free)
        known[chosen] = given[chosen]


def _follow(
    known: dict[Dimension, int], equations: Sequence[Equation], identities: Mapping[Dimension, Expression]
) -> Equation | None:
    """Put in each letter that the known ones tell; return an equation that cannot hold."""
    left = list(equations)
    number = -1
    while number != len(known):
        number = len(known)
        for letter, expression in identities.items():
            if letter in known:
                left.append(Equation(expression, known[letter]))
            elif not any(other not in known for other in expression.dimensions):
                size = exact(expression, known)
                if isinstance(size, int):
                    known[letter] = size
        pending = []
        for equation in left:
            unknown = equation.unknown(known)
            if not unknown and not equation.holds(known):
                return equation
            if len(unknown) == 1 and equation.is_told(unknown[0]):
                value = equation.solved(unknown[0], known)
                if value is None:
                    return equation
                known[unknown[0]] = value
            elif unknown:
                pending.append(equation)
        left = pending
    return None


def to_ask(free: Iterable[Dimension], equations: Sequence[Equation]) -> tuple[Dimension, ...]:
    """Return the fewest of the letters left open, the first in order, from which all others would follow."""
    left = list(free)
    closures = {letter: _closure({letter}, left, equations) for letter in left}
    asked: list[Dimension] = []
    while left:
        first = max(left, key=lambda letter: len(closures[letter] & set(left)))
        asked.append(first)
        reached = _closure(set(asked), left, equations)
        left = [letter for letter in left if letter not in reached]
    return tuple(asked)


def _closure(start: set[Dimension], free: Sequence[Dimension], equations: Sequence[Equation]) -> set[Dimension]:
    """The letters that follow from some of those left open, all others being known."""
    reached, open_letters = set(start), set(free)
    while True:
        more = {
            letter
            for equation in equations
            for letter in equation.expression.dimensions
            if letter in open_letters - reached
            and not (open_letters - reached - {letter}) & set(equation.expression.dimensions)
            and equation.is_told(letter)
        }
        if not more:
            return reached
        reached |= more

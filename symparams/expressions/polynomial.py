"""Polynomials over an open set of letters: a mapping from monomials to exact coefficients.

A monomial is what stands under one coefficient, ``((h, 2), (n_heads, -1))`` for h²/n_heads: letters with their powers, in
the order of their names. A power may be negative, which is how V·h / n_heads is a term like any other; what is rounded
(⌊image / patch⌋) is a letter of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from operator import mul
from typing import TypeAlias

from symparams.errors import NotAnExpressionError
from symparams.expressions.nodes import Ceiling, Dimension, Expression, Floor, Minimum
from symparams.records import frozen

Monomial: TypeAlias = tuple[tuple[Expression, int], ...]
Coefficient: TypeAlias = int | Fraction


@frozen
class Polynomial:
    """A sum of terms; no coefficient is 0, so equal polynomials are equal mappings."""

    terms: Mapping[Monomial, Coefficient]

    def __bool__(self) -> bool:
        return bool(self.terms)

    def __hash__(self) -> int:
        return hash(frozenset(self.terms.items()))

    def __add__(self, other: Polynomial) -> Polynomial:
        return added([self, other])

    def __neg__(self) -> Polynomial:
        return Polynomial({monomial: -coefficient for monomial, coefficient in self.terms.items()})

    def __sub__(self, other: Polynomial) -> Polynomial:
        return added([self, -other])

    def __mul__(self, other: Polynomial) -> Polynomial:
        products: dict[Monomial, Coefficient] = {}
        for left, a in self.terms.items():
            for right, b in other.terms.items():
                monomial = multiplied(left, right)
                products[monomial] = products.get(monomial, 0) + a * b
        return _without_zeros(products)

    def __pow__(self, exponent: int) -> Polynomial:
        result = UNIT
        for _ in range(exponent):
            result = result * self
        return result

    @property
    def letters(self) -> frozenset[Expression]:
        """The letters of its monomials."""
        return frozenset(letter for monomial in self.terms for letter, _ in monomial)

    @property
    def constant(self) -> Coefficient | None:
        """Its value where it has no letters, otherwise None."""
        return None if self.letters else self.terms.get((), 0)

    def reciprocal(self) -> Polynomial:
        """1 over a single term; ZeroDivisionError for 0, NotAnExpressionError for a sum."""
        if not self.terms:
            raise ZeroDivisionError("a formula divides by what is always 0")
        if len(self.terms) > 1:
            raise NotAnExpressionError("A formula divides by a sum: divide by a number or a product of letters.")
        [(monomial, coefficient)] = self.terms.items()
        return Polynomial({tuple((letter, -power) for letter, power in monomial): _lowest(Fraction(1) / coefficient)})


UNIT = Polynomial({(): 1})
NOTHING = Polynomial({})


def multiplied(left: Monomial, right: Monomial) -> Monomial:
    """The product of two monomials."""
    if not left or not right:
        return left or right
    powers = dict(left)
    for letter, power in right:
        powers[letter] = powers.get(letter, 0) + power
    return by_name((letter, power) for letter, power in powers.items() if power)


def by_name(powers: Iterable[tuple[Expression, int]]) -> Monomial:
    """Letters with their powers, in the order of their names."""
    return tuple(sorted(powers, key=_name))


def added(polynomials: Sequence[Polynomial]) -> Polynomial:
    """The sum of polynomials."""
    sums: dict[Monomial, Coefficient] = {}
    for polynomial in polynomials:
        for monomial, coefficient in polynomial.terms.items():
            sums[monomial] = sums.get(monomial, 0) + coefficient
    return _without_zeros(sums)


class Polynomials:
    """The algebra of polynomials, in which some letters stand for polynomials in others: d_ff for 4·h."""

    def __init__(self, meanings: Mapping[Dimension, Polynomial]) -> None:
        self.meanings = meanings

    def number(self, value: Coefficient) -> Polynomial:
        return Polynomial({(): _lowest(value)}) if value else NOTHING

    def dimension(self, dimension: Dimension) -> Polynomial:
        return self.meanings.get(dimension) or _letter(dimension)

    def sum(self, terms: Sequence[Polynomial]) -> Polynomial:
        return added(terms)

    def product(self, factors: Sequence[Polynomial]) -> Polynomial:
        return reduce(mul, factors)

    def power(self, base: Polynomial, exponent: int) -> Polynomial:
        return base**exponent

    def quotient(self, numerator: Polynomial, denominator: Polynomial) -> Polynomial:
        return numerator * denominator.reciprocal()

    def negative(self, operand: Polynomial) -> Polynomial:
        return -operand

    def floor(self, inner: Polynomial) -> Polynomial:
        return self._rounded(inner, Floor)

    def ceiling(self, inner: Polynomial) -> Polynomial:
        return self._rounded(inner, Ceiling)

    def minimum(self, choices: Sequence[Polynomial]) -> Polynomial:
        known = [choice.constant for choice in choices]
        if all(value is not None for value in known):
            return self.number(min(value for value in known if value is not None))
        return _letter(Minimum(tuple(_written(choice) for choice in choices)))

    def _rounded(self, inner: Polynomial, node: type[Floor | Ceiling]) -> Polynomial:
        value = inner.constant
        if value is not None:
            return self.number(value.__floor__() if node is Floor else value.__ceil__())
        if _is_whole(inner):
            return inner
        return _letter(node(_written(inner)))


def _is_whole(polynomial: Polynomial) -> bool:
    """True if a polynomial is a whole number wherever its dimensions are."""
    powers = (power for monomial in polynomial.terms for power in monomial)
    return all(isinstance(coefficient, int) for coefficient in polynomial.terms.values()) and all(
        power > 0 and _is_whole_letter(letter) for letter, power in powers
    )


def _is_whole_letter(letter: Expression) -> bool:
    """True if a letter is a whole number: the least of several may be one that is a fraction."""
    from symparams.expressions.closed_form import multiply_out

    return not isinstance(letter, Minimum) or all(_is_whole(multiply_out(choice, {})) for choice in letter.choices)


def _letter(expression: Expression) -> Polynomial:
    return Polynomial({((expression, 1),): 1})


def _written(polynomial: Polynomial) -> Expression:
    from symparams.expressions.closed_form import as_written

    return as_written(polynomial)


def _name(power: tuple[Expression, int]) -> str:
    letter = power[0]
    return letter.name if isinstance(letter, Dimension) else f"~{letter!r}"


def _lowest(value: Coefficient) -> Coefficient:
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value


def _without_zeros(terms: Mapping[Monomial, Coefficient]) -> Polynomial:
    return Polynomial({monomial: _lowest(coefficient) for monomial, coefficient in terms.items() if coefficient})

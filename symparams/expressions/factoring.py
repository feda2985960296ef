"""Factoring: a closed form with common factors drawn out, where that makes it shorter: r_q·(h + n_heads·(d_nope + d_rope) + 1).

The shortest form is searched letter by letter: of all terms that share a letter, it is drawn out with whatever else they
share, and what is left within the brackets and beside them is factored in its turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import gcd
from types import MappingProxyType
from typing import TypeAlias

from symparams.expressions.closed_form import as_written, place, written_term
from symparams.expressions.nodes import Expression, Negative, Product, Size, factors_of, unmarked
from symparams.expressions.polynomial import Coefficient, Monomial, Polynomial, multiplied
from symparams.expressions.written import ONE, total

MOST_TERMS = 24  # a longer sum stays as it is: the search tries every letter at every depth
LETTER, BRACKET = 2, 1  # what they are to read: of two forms with as many letters the one with fewer brackets is the shorter

Terms: TypeAlias = tuple[tuple[Monomial, Expression], ...]  # each with the monomial by which it finds its place


def factored(polynomial: Polynomial) -> Expression:
    """The shortest form of a polynomial that drawing out letters finds, its terms in the order in which people write them."""
    if len(polynomial.terms) > MOST_TERMS or not all(isinstance(coefficient, int) for coefficient in polynomial.terms.values()):
        return as_written(polynomial)
    return _searched(frozenset(polynomial.terms.items()))


def gathered(polynomial: Polynomial, known: Mapping[Polynomial, Expression] = MappingProxyType({})) -> Expression:
    """The terms that differ in one letter alone as one: 3·h·d_expert·(n_experts + n_shared); the others as they are.

    What they share is written as it is ``known``: N_expert·(n_experts + n_shared).
    """
    places: dict[Expression, Monomial] = {}
    waiting = sorted(polynomial.terms, key=place)
    while waiting:
        first = waiting.pop(0)
        alike = [(other, common) for other in waiting if (common := _all_but_one(polynomial, first, other))]
        common = alike[0][1] if alike else first
        together = [first, *(other for other, shared in alike if shared == common)]
        waiting = [other for other in waiting if other not in together]
        term = written_term(polynomial.terms[first], common)
        if alike:
            inverse = tuple((letter, -power) for letter, power in common)
            term = _product(
                known.get(Polynomial({common: polynomial.terms[first]}), term),
                total([written_term(1, multiplied(monomial, inverse)) for monomial in together]),
            )
        places[term] = first
    return total(list(places))


def _all_but_one(polynomial: Polynomial, first: Monomial, other: Monomial) -> Monomial | None:
    """Return the factor that two terms share, if it is all but one letter of each and more than one letter."""
    common = tuple(item for item in first if item in other)
    is_one = len(common) == len(first) - 1 == len(other) - 1 and all(p == 1 for _, p in {*first, *other} - {*common})
    return common if is_one and len(common) > 1 and polynomial.terms[first] == polynomial.terms[other] else None


@lru_cache(maxsize=1_024)
def _searched(terms: frozenset[tuple[Monomial, Coefficient]]) -> Expression:
    """Return the result of a search for these terms, cached because a sheet asks for the same ones repeatedly."""
    _, shortest = _Search().shortest(Polynomial(dict(terms)))
    return total([term for _, term in shortest])


class _Search:
    """A search that keeps what it has found: the same brackets are met on many ways."""

    def __init__(self) -> None:
        self.found: dict[frozenset[tuple[Monomial, Coefficient]], tuple[int, Terms]] = {}

    def shortest(self, polynomial: Polynomial) -> tuple[int, Terms]:
        """The length of the shortest form, and its terms."""
        key = frozenset(polynomial.terms.items())
        if key not in self.found:
            monomials = sorted(polynomial.terms, key=place)
            plain = tuple((monomial, written_term(polynomial.terms[monomial], monomial)) for monomial in monomials)
            forms = [(sum(map(_length, monomials)), plain)]
            forms += [self._drawn_out(polynomial, letter) for letter in _shared(monomials)]
            self.found[key] = min(forms, key=lambda form: form[0])
        return self.found[key]

    def _drawn_out(self, polynomial: Polynomial, letter: Expression) -> tuple[int, Terms]:
        """The form with a letter drawn out of all terms that have it."""
        inside = {monomial: int(c) for monomial, c in polynomial.terms.items() if dict(monomial).get(letter, 0) > 0}
        rest = Polynomial({monomial: c for monomial, c in polynomial.terms.items() if monomial not in inside})
        common, number = _common(list(inside)), gcd(*inside.values())
        if all(coefficient < 0 for coefficient in inside.values()):
            number = -number
        outside = tuple((shared, -power) for shared, power in common)
        bracket = Polynomial({multiplied(monomial, outside): c // number for monomial, c in inside.items()})
        length, within = self.shortest(bracket)
        drawn = (min(inside, key=place), _product(written_term(number, common), total([term for _, term in within])))
        more, beside = self.shortest(rest) if rest else (0, ())
        return length + _length(common) + BRACKET + more, tuple(sorted((drawn, *beside), key=lambda shared: place(shared[0])))


def _product(factor: Expression, bracket: Expression) -> Expression:
    if isinstance(factor, Negative):
        return Negative(_product(factor.operand, bracket))
    factors = factors_of(unmarked(factor))
    return bracket if factor == ONE else Size(Product((*factors, bracket)))


def _shared(monomials: Sequence[Monomial]) -> list[Expression]:
    """The letters that two terms or more have, in the order in which they are met."""
    met = Counter(letter for monomial in monomials for letter, power in monomial if power > 0)
    return [letter for letter, often in met.items() if often > 1]


def _common(monomials: Sequence[Monomial]) -> Monomial:
    """Return the common factor: of each letter the least power."""
    powers = [dict(monomial) for monomial in monomials]
    least = {letter: min(exponents.get(letter, 0) for exponents in powers) for letter in powers[0]}
    return tuple((letter, power) for letter, power in least.items() if power > 0)


def _length(monomial: Monomial) -> int:
    """Return the reading length of a term: its letters and their exponents."""
    return sum(LETTER if power == 1 else 2 * LETTER for _, power in monomial)

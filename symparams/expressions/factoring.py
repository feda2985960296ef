"""Factoring: a closed form with common factors drawn out, where that makes it shorter: r_q·(h + n_heads·(d_nope + d_rope) + 1).

The shortest form is searched letter by letter: of all terms that share a letter, it is drawn out with whatever else they
share, and what is left within the brackets and beside them is factored in its turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from math import gcd
from operator import sub
from types import MappingProxyType
from typing import TypeAlias

from symparams.expressions.closed_form import as_written, place, written_term
from symparams.expressions.nodes import Expression, Negative, Product, Size, factors_of, unmarked
from symparams.expressions.polynomial import Coefficient, Monomial, Polynomial, multiplied
from symparams.expressions.symbols import SLICES, by_rank, h
from symparams.expressions.written import ONE, total

MOST_TERMS = 24  # a longer sum stays as it is: the search tries every letter at every depth
LETTER, BRACKET = 2, 1  # what they are to read: of two forms with as many letters the one with fewer brackets is the shorter

Powers: TypeAlias = tuple[int, ...]  # of each letter, in the order in which people write letters
Drawn: TypeAlias = tuple[Powers, list[Powers], list[Powers]]  # what is drawn out, of which terms, and what stands beside it


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
    letters = {letter for monomial, _ in terms for letter, _ in monomial}
    search = _search_in(tuple(sorted(letters, key=by_rank)))
    found = {tuple(dict(monomial).get(letter, 0) for letter in search.letters): int(number) for monomial, number in terms}
    return total([term for _, term in search.written(found)])


@lru_cache(maxsize=32)
def _search_in(letters: tuple[Expression, ...]) -> _Search:
    """Return the search for forms in these letters, which have many brackets in common."""
    return _Search(letters)


class _Search:
    """A search that keeps what it has found: the same brackets are met on many ways. Only the shortest form is written."""

    def __init__(self, letters: Sequence[Expression]) -> None:
        self.letters = letters
        self.by_name = sorted(range(len(letters)), key=lambda i: getattr(letters[i], "name", f"~{letters[i]!r}"))
        self.degrees = [letter not in SLICES for letter in letters]
        self.h = letters.index(h) if h in letters else -1
        self.found: dict[tuple[Powers, ...], tuple[int, int | None]] = {}  # whatever the numbers of the terms are
        self.places: dict[Powers, tuple[int, int, list[tuple[int, int]]]] = {}

    def place(self, powers: Powers) -> tuple[int, int, list[tuple[int, int]]]:
        """Return the sort key of a term, as ``place`` has it."""
        if powers not in self.places:
            degree = sum(power for power, counts in zip(powers, self.degrees, strict=True) if counts)
            factors = [(i, -power) for i, power in enumerate(powers) if power]
            self.places[powers] = -degree, -powers[self.h] if self.h >= 0 else 0, factors
        return self.places[powers]

    def sorted(self, terms: Iterable[Powers]) -> tuple[Powers, ...]:
        """Terms in the order in which people write them."""
        return tuple(sorted(terms, key=self.place))

    def shortest(self, terms: tuple[Powers, ...]) -> tuple[int, int | None]:
        """The length of the shortest form, and the letter that it draws out first; None where it draws out nothing."""
        if terms not in self.found:
            best: tuple[int, int | None] = sum(map(_length, terms)), None
            for letter in self._shared(terms):
                common, inside, rest = _split(terms, letter)
                bracket = self.sorted([tuple(map(sub, powers, common)) for powers in inside])
                length = self.shortest(bracket)[0] + _length(common) + BRACKET + (self.shortest(tuple(rest))[0] if rest else 0)
                best = (length, letter) if length < best[0] else best
            self.found[terms] = best
        return self.found[terms]

    def _shared(self, terms: tuple[Powers, ...]) -> list[int]:
        """The letters that two terms or more have, in the order in which they are met."""
        met: dict[int, int] = {}
        for powers in terms:
            for i in self.by_name:
                if powers[i] > 0:
                    met[i] = met.get(i, 0) + 1
        return [letter for letter, often in met.items() if often > 1]

    def written(self, terms: Mapping[Powers, int]) -> list[tuple[Powers, Expression]]:
        """The shortest form, its terms each with the powers by which it finds its place."""
        ordered = self.sorted(terms)
        _, letter = self.shortest(ordered) if terms else (0, None)
        if letter is None:
            return [(powers, self._term(terms[powers], powers)) for powers in ordered]
        common, inside, rest = _split(ordered, letter)
        number = gcd(*(terms[powers] for powers in inside))
        if all(terms[powers] < 0 for powers in inside):
            number = -number
        bracket = self.written({tuple(map(sub, powers, common)): terms[powers] // number for powers in inside})
        product = _product(self._term(number, common), total([term for _, term in bracket]))
        beside = self.written({powers: terms[powers] for powers in rest})
        return sorted([(inside[0], product), *beside], key=lambda term: self.place(term[0]))

    def _term(self, number: int, powers: Powers) -> Expression:
        return written_term(number, tuple((letter, power) for letter, power in zip(self.letters, powers, strict=True) if power))


def _split(terms: Sequence[Powers], letter: int) -> Drawn:
    """What the terms that have a letter share, those terms, and the others."""
    inside = [powers for powers in terms if powers[letter] > 0]
    common = tuple([max(0, min(column)) for column in zip(*inside, strict=True)])
    return common, inside, [powers for powers in terms if powers[letter] <= 0]


@cache
def _length(powers: Powers) -> int:
    """Return the reading length of a term: its letters and their exponents."""
    return LETTER * sum(1 + (power != 1) for power in powers if power)


def _product(factor: Expression, bracket: Expression) -> Expression:
    if isinstance(factor, Negative):
        return Negative(_product(factor.operand, bracket))
    factors = factors_of(unmarked(factor))
    return bracket if factor == ONE else Size(Product((*factors, bracket)))

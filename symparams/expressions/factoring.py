"""Factoring: a closed form with common factors drawn out, where that makes it shorter: r_q·(h + n_heads·(d_nope + d_rope) + 1).

The shortest form is searched letter by letter: of all terms that share a letter, it is drawn out with whatever else they
share, and what is left within the brackets and beside them is factored in its turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache, reduce
from math import gcd
from operator import and_, or_
from threading import Lock
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from symparams.expressions.closed_form import as_written, place, written_term
from symparams.expressions.nodes import Expression, Negative, Product, Size, factors_of, unmarked
from symparams.expressions.polynomial import Coefficient, Monomial, Polynomial, by_name, multiplied
from symparams.expressions.written import ONE, total

MOST_TERMS = 24  # a longer sum stays as it is: the search tries every letter at every depth
MOST_POWER = 8  # one with a higher power, too
FIELD = (1 << MOST_POWER) - 1  # of a letter in a term
MOST_KEPT = 65_536  # brackets that a search keeps; a process may factor any number of forms
LETTER, BRACKET = 2, 1  # what they are to read: of two forms with as many letters the one with fewer brackets is the shorter

Term: TypeAlias = int  # of a sum, without its number, as a search has it


def factored(polynomial: Polynomial) -> Expression:
    """The shortest form of a polynomial that drawing out letters finds, its terms in the order in which people write them."""
    terms = polynomial.terms
    is_whole = all(isinstance(coefficient, int) for coefficient in terms.values())
    is_high = any(abs(power) > MOST_POWER for monomial in terms for _, power in monomial)
    return as_written(polynomial) if len(terms) > MOST_TERMS or is_high or not is_whole else _searched(frozenset(terms.items()))


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
    if len(_search().found) > MOST_KEPT:
        _search.cache_clear()
    return _search().form(terms)


@cache
def _search() -> _Search:
    """The one search of a process."""
    return _Search()


class _Search:
    """A search that keeps what it has found: the same brackets are met on many ways, and in many formulas. Only the shortest
    form is written.

    A term is one integer, so that what terms share is a conjunction: each letter, as it is met, has a field for its positive
    powers and one for its negative ones, of as many ones as the power is.
    """

    def __init__(self) -> None:
        self.lock = Lock()
        self.letters: list[Expression] = []  # in the order in which they were met
        self.places: dict[Expression, int] = {}
        self.positive: Term = 0  # the fields for positive powers
        self.found: dict[tuple[Term, ...], tuple[int, int | None]] = {}  # whatever the numbers of the terms are
        self.known: dict[Term, _Known] = {}

    def form(self, terms: Iterable[tuple[Monomial, Coefficient]]) -> Expression:
        """The shortest form of these terms."""
        with self.lock:  # while one thread gives a letter its fields
            return total([term for _, term in self.written({self.term(monomial): int(number) for monomial, number in terms})])

    def term(self, monomial: Monomial) -> Term:
        """The term of a monomial."""
        term = 0
        for letter, power in monomial:
            if letter not in self.places:
                self.places[letter] = len(self.letters)
                self.positive |= FIELD << 2 * MOST_POWER * len(self.letters)
                self.letters.append(letter)
            term |= (1 << abs(power)) - 1 << MOST_POWER * (2 * self.places[letter] + (power < 0))
        return term

    def of(self, term: Term) -> _Known:
        """What is known of a term."""
        known = self.known.get(term)
        if known is None:
            fields = [(term >> MOST_POWER * place & FIELD).bit_count() for place in range(2 * len(self.letters))]
            powers = [up - down for up, down in zip(fields[::2], fields[1::2], strict=True)]
            monomial = by_name((letter, power) for letter, power in zip(self.letters, powers, strict=True) if power)
            known = self.known[term] = _Known(
                self.term(monomial),
                monomial,
                place(monomial),
                LETTER * sum(1 + (power != 1) for _, power in monomial),
                [self.places[letter] for letter, power in monomial if power > 0],
            )
        return known

    def sorted(self, terms: Iterable[Term]) -> tuple[Term, ...]:
        """Terms in the order in which people write them."""
        return tuple(sorted(terms, key=lambda term: self.of(term).place))

    def shortest(self, terms: tuple[Term, ...]) -> tuple[int, int | None]:
        """The length of the shortest form, and the letter that it draws out first; None where it draws out nothing."""
        found = self.found.get(terms)
        if found is None:
            apart = self._apart(terms)
            if len(apart) > 1:  # what shares no letter is drawn out by itself
                each = [self.shortest(part) for part in apart]
                found = sum(length for length, _ in each), next((letter for _, letter in each if letter is not None), None)
            else:
                found = self._best(terms)
            self.found[terms] = found
        return found

    def _best(self, terms: tuple[Term, ...]) -> tuple[int, int | None]:
        """The shortest of the forms of terms that each draw out another letter first, or none."""
        best: tuple[int, int | None] = sum([self.of(term).length for term in terms]), None
        for letter in self._shared(terms):
            common, inside, rest = self._split(terms, letter)
            length = self.shortest(self._within(inside, common))[0] + self.of(common).length + BRACKET
            length += self.shortest(tuple(rest))[0] if rest else 0
            best = (length, letter) if length < best[0] else best
        return best

    def _within(self, inside: Iterable[Term], common: Term) -> tuple[Term, ...]:
        """The terms of a bracket, of which something is drawn out."""
        return self.sorted([self.of(term & ~common).plain for term in inside])

    def _shared(self, terms: tuple[Term, ...]) -> list[int]:
        """The letters that two terms or more have, in the order in which they are met; of those that all have, one is enough.

        What all terms have is drawn out first: beside any other letter it would stand twice.
        """
        met: dict[int, int] = {}
        for term in terms:
            for i in self.of(term).letters:
                met[i] = met.get(i, 0) + 1
        in_all = [letter for letter, often in met.items() if often == len(terms) > 1]
        return in_all[:1] or [letter for letter, often in met.items() if often > 1]

    def _apart(self, terms: tuple[Term, ...]) -> list[tuple[Term, ...]]:
        """Terms in groups that have no letter in common."""
        groups: list[Term] = []
        for term in terms:
            near = [group for group in groups if group & term & self.positive]
            groups = [*(group for group in groups if group not in near), reduce(or_, near, term)] if near else [*groups, term]
        if len(groups) == 1:
            return [terms]
        alone = [(term,) for term in terms if not term & self.positive]
        shared = [group for group in groups if group & self.positive]
        return [*(tuple([term for term in terms if term & group & self.positive]) for group in shared), *alone]

    def _split(self, terms: Sequence[Term], letter: int) -> tuple[Term, list[Term], list[Term]]:
        """What the terms that have a letter share, those terms, and the others."""
        first = 1 << 2 * MOST_POWER * letter
        inside = [term for term in terms if term & first]
        return reduce(and_, inside) & self.positive, inside, [term for term in terms if not term & first]

    def written(self, terms: Mapping[Term, int]) -> list[tuple[Term, Expression]]:
        """The shortest form, its terms each with the powers by which it finds its place."""
        ordered = self.sorted(terms)
        _, letter = self.shortest(ordered) if terms else (0, None)
        if letter is None:
            return [(term, written_term(terms[term], self.of(term).monomial)) for term in ordered]
        common, inside, rest = self._split(ordered, letter)
        number = gcd(*(terms[term] for term in inside))
        if all(terms[term] < 0 for term in inside):
            number = -number
        bracket = self.written({self.of(term & ~common).plain: terms[term] // number for term in inside})
        product = _product(written_term(number, self.of(common).monomial), total([term for _, term in bracket]))
        beside = self.written({term: terms[term] for term in rest})
        return sorted([(inside[0], product), *beside], key=lambda term: self.of(term[0]).place)


class _Known(NamedTuple):
    """What a search knows of a term: itself with its ones at the foot of each field, its monomial, its sort key, how long it is
    to read, and the places of the letters that can be drawn out of it, by name.
    """

    plain: Term
    monomial: Monomial
    place: Any
    length: int
    letters: list[int]


def _product(factor: Expression, bracket: Expression) -> Expression:
    if isinstance(factor, Negative):
        return Negative(_product(factor.operand, bracket))
    factors = factors_of(unmarked(factor))
    return bracket if factor == ONE else Size(Product((*factors, bracket)))

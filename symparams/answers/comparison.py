"""Closed forms side by side: their terms, what all of them have, and whether a difference of two is one of their numbers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from symparams.display import Displayed
from symparams.expressions.closed_form import place
from symparams.expressions.polynomial import Coefficient, Monomial, Polynomial
from symparams.models.model import Model


@dataclass(frozen=True)
class Term:
    """A product of letters, and how often it stands in each closed form."""

    monomial: Monomial
    coefficients: tuple[Coefficient, ...]

    @property
    def differs(self) -> bool:
        """Whether the models have not all as many of it."""
        return len(set(self.coefficients)) > 1


class Comparison(Displayed, ABC):
    """What is true of closed forms side by side, whatever they count."""

    @property
    @abstractmethod
    def polynomials(self) -> Sequence[Polynomial]:
        """The closed forms, one of each model."""

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """The terms of the closed forms, in the order in which people write them."""
        monomials = sorted({monomial for each in self.polynomials for monomial in each.terms}, key=place)
        return tuple(Term(each, tuple(other.terms.get(each, 0) for other in self.polynomials)) for each in monomials)

    @property
    def common(self) -> Polynomial:
        """The terms that all of them have, as often."""
        return Polynomial({term.monomial: term.coefficients[0] for term in self.terms if not term.differs})


def have_same_sizes(difference: Polynomial, first: Model, other: Model) -> bool:
    """Whether every letter of A − B has one value in both models, so that its value is the difference of the numbers."""
    letters = {letter for part in difference.letters for letter in part.dimensions}
    return all(letter in first.values and first.values[letter] == other.values.get(letter) for letter in letters)

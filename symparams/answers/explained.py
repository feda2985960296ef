"""Explanations: ways from our number to a claimed one, each a sum that comes out exactly; what ``explain`` gives back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from fractions import Fraction

from symparams.answers.claims import Claim, Met, Reading
from symparams.answers.remainders import RESIDUAL
from symparams.answers.terms import ConventionTerm
from symparams.architectures._definition import Claimed
from symparams.display import DisplayedBuiltin
from symparams.models.calculation import Calculation
from symparams.models.model import Model
from symparams.quantities.parameters import QUANTITY as PARAMETERS
from symparams.quantities.quantity import Quantity
from symparams.records import frozen

MOST_EXPLANATIONS = 3


@frozen
class Explanation:
    """A way to come from a quantity of a model to the claim: what is supposed, and the number that it comes to.

    ``start`` is the quantity by our definition, of one token where ``is_of_token``; ``terms`` are what is put to it. Where
    each of them is a difference, ``start`` + the sum of ``term.step.value`` = ``result``. ``met`` tells whether the result is
    ``claim`` itself, rounds to it or begins with its digits. ``published`` is where the figure stands, if it is known.
    """

    calculation: Calculation = field(repr=False)
    start: int | Fraction
    terms: tuple[ConventionTerm, ...]
    result: int | Fraction
    claim: Reading = field(repr=False)
    met: Met
    published: Claimed | None = None
    is_of_token: bool = field(default=False, repr=False)

    @property
    def model(self) -> str:
        """The model from whose number the terms start: the one that was asked about, or another of its family."""
        return self.calculation.model.name

    @property
    def is_exact(self) -> bool:
        """True if the result is the claim itself."""
        return self.met is Met.EXACT

    @property
    def weight(self) -> int:
        """The weight of its suppositions: least for a convention of the model, most for a padded vocabulary."""
        return sum(term.weight for term in self.terms)

    @property
    def rank(self) -> tuple[bool, Met, int, Fraction]:
        """The sort key: a published figure first, then the better match, the likelier, the nearer."""
        return self.published is None, self.met, self.weight, abs(Fraction(self.result) - self.claim.value)

    @property
    def is_explained(self) -> bool:
        """True if every term is a convention; what is only left over explains nothing."""
        return all(term.note.keys[0] not in RESIDUAL for term in self.terms)


class Explanations(DisplayedBuiltin, list[Explanation]):
    """The explanations of a claim about a model, simplest first, one of each kind; a notebook shows them as what they say."""

    def __init__(
        self, model: Model, claim: Claim, quantities: Sequence[Quantity], explanations: Iterable[Explanation] = ()
    ) -> None:
        unlike: dict[tuple[object, ...], Explanation] = {}
        for explanation in sorted(explanations, key=lambda explanation: explanation.rank):
            terms = ((term.note.keys, term.tensors) for term in explanation.terms)
            unlike.setdefault((explanation.model, explanation.calculation.quantity.name, *terms), explanation)
        super().__init__(list(unlike.values())[:MOST_EXPLANATIONS])
        self.model, self.claim, self.quantities = model, claim, quantities

    @property
    def our_count(self) -> int | None:
        """The number of parameters of the model, where one is claimed."""
        return self.model.count() if PARAMETERS in self.quantities else None

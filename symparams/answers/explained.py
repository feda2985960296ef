"""The explanations of a claim as a caller gets them: a list that a notebook shows as what it says."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symparams.answers import explanations
from symparams.answers.claims import read_claim
from symparams.answers.explanations import Explanation
from symparams.display import Displayed
from symparams.models.load import as_model
from symparams.models.model import Model


class Explanations(list[Explanation], Displayed):
    """The explanations of a claim about a model, simplest first."""

    def __init__(self, model: Model, claim: int, found: Iterable[Explanation]) -> None:
        super().__init__(found)
        self.model, self.claim = model, claim

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # IPython would print a list as it prints all lists
        printer.text(self._repr_mimebundle_(include={"text/plain"})["text/plain"])


def explain(model: Model | str, claimed: int | str) -> Explanations:
    """The explanations of a claimed number, simplest first; [] where nothing explains it.

    ``model`` is a model or what names one; ``claimed`` is an integer, or a number as people round it ("110M"). In each
    explanation ``start`` + the sum of ``term.step.value`` over its ``terms`` = ``result``, which is the claim or rounds to
    it; where ``is_explained`` is false, a term is only left over. Raises MissingDimensionError for a model without values,
    and OptionError for a claim that is no number.
    """
    found = explanations.explain(subject := as_model(model), claimed)
    claim = read_claim(claimed)
    return Explanations(subject, claim.value if claim else 0, found)

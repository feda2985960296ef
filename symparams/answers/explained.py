"""The explanations of a claim as a caller gets them: a list that a notebook shows as what it says."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symparams.answers import explanations
from symparams.answers.claims import read_claim
from symparams.answers.explanations import Explanation
from symparams.answers.explanations_of_costs import CostExplanation, cost_claim, explain_cost
from symparams.display import Displayed
from symparams.models.inputs import checked_calculation
from symparams.models.load import as_model
from symparams.models.model import Model
from symparams.quantities.quantity import PARAMETERS


class Explanations(list[Explanation], Displayed):
    """The explanations of a claim about a model, simplest first."""

    def __init__(self, model: Model, claim: int, found: Iterable[Explanation]) -> None:
        super().__init__(found)
        self.model, self.claim = model, claim

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # IPython would print a list as it prints all lists
        printer.text(self._repr_mimebundle_(include={"text/plain"})["text/plain"])


def explain(model: Model | str, claimed: int | str, quantity: str = "", **inputs: Any) -> Explanations | list[CostExplanation]:
    """The explanations of a claimed number, simplest first; [] where nothing explains it.

    "320 KB a token" and "140 TFLOPs" are claims of a cost, told by their unit, or named: quantity="kv_cache", with
    ``inputs`` as ``measure`` takes them; each then says what it supposes, and what our number comes to under that.

    ``model`` is a model or what names one; ``claimed`` is an integer, or a number as people round it ("110M"). In each
    explanation ``start`` + the sum of ``term.step.value`` over its ``terms`` = ``result``, which is the claim or rounds to
    it; where ``is_explained`` is false, a term is only left over. Raises MissingDimensionError for a model without values,
    and OptionError for a claim that is no number.
    """
    claim_of_cost = None if quantity == PARAMETERS else cost_claim(claimed, quantity)
    if claim_of_cost is not None:
        return explain_cost(as_model(model), claim_of_cost, quantity, inputs)
    subject = as_model(model)
    checked_calculation(subject, PARAMETERS, inputs)
    found = explanations.explain(subject, claimed)
    claim = read_claim(claimed)
    return Explanations(subject, int(claim.value) if claim else 0, found)

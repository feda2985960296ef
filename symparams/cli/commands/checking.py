"""``explain`` and ``verify``: somebody's number against ours, ours against the library's. Exit code 1 tells a difference."""

from __future__ import annotations

from dataclasses import replace

from symparams.cli.answering import answer
from symparams.cli.loading import load_request
from symparams.cli.progress import going_on
from symparams.cli.quantities import given_to
from symparams.cli.request import CommandResult, Request

A_DIFFERENCE = 1


def explain(request: Request) -> CommandResult:
    """Return the explanations why a published number differs from the count."""
    from symparams.answers.claims import read_claim
    from symparams.answers.explanations import explain as explanations_of
    from symparams.sheets.explanation import explanation as explained

    if (found_of_cost := _explain_cost(request)) is not None:
        return found_of_cost
    model, claimed = load_request(request), request.own["claimed"]
    with going_on(f"looking for what makes {model.name} come to {claimed}"):
        explanations = explanations_of(model, claimed)
    claim = read_claim(claimed)
    is_explained = any(explanation.is_explained for explanation in explanations)
    document = explained(model, int(claim.value) if claim else 0, explanations, request.language)
    return answer(document, request, 0 if is_explained else A_DIFFERENCE)


def _explain_cost(request: Request) -> CommandResult | None:
    """Why a published cost differs from ours; None where a number of parameters is claimed."""
    from symparams.answers.explanations_of_costs import cost_claim, explain_cost, possible
    from symparams.quantities.quantity import PARAMETERS
    from symparams.sheets.costs.explanation import cost_explanation

    named, claimed = request.own.get("quantity", ""), request.own["claimed"]
    claim = None if named == PARAMETERS else cost_claim(claimed, named)
    if claim is None:
        given_to(request)  # a choice of a cost is refused
        return None
    quantity = named or possible(claim, request.values)[0]
    _, given, rest = given_to(replace(request, own={**request.own, "quantity": quantity}))
    model = load_request(rest)
    with going_on(f"looking for what makes {model.name} come to {claimed}"):
        explanations = explain_cost(model, claim, named, given)
    return answer(cost_explanation(model, claim, explanations, request.language), request, 0 if explanations else A_DIFFERENCE)


def verify(request: Request) -> CommandResult:
    """Compare the number of parameters, their names and their shapes with the model that the transformers library builds."""
    from symparams.answers.verification import verify as verified
    from symparams.sheets.verification import verification

    model = load_request(request)
    with going_on(f"verifying {model.name}") as tell_how_far:
        compared = verified(model, tell_how_far)
    return answer(verification(compared, request.language), request, 0 if compared.match else A_DIFFERENCE)

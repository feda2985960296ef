"""``explain`` and ``verify``: somebody's number against ours, ours against the library's. Exit code 1 tells a difference."""

from __future__ import annotations

from symparams.cli.answering import answer
from symparams.cli.loading import load_request
from symparams.cli.progress import going_on
from symparams.cli.request import Answer, Request

A_DIFFERENCE = 1


def explain(request: Request) -> Answer:
    """Why a published number differs from the count."""
    from symparams.answers.claims import read_claim
    from symparams.answers.explanations import explain as explanations_of
    from symparams.sheets.explanation import explanation as explained

    model, claimed = load_request(request), request.own["claimed"]
    with going_on(f"looking for what makes {model.name} come to {claimed}"):
        found = explanations_of(model, claimed)
    claim = read_claim(claimed)
    is_explained = any(explanation.is_explained for explanation in found)
    document = explained(model, claim.value if claim else 0, found, request.language)
    return answer(document, request, 0 if is_explained else A_DIFFERENCE)


def verify(request: Request) -> Answer:
    """The model beside what the transformers library builds."""
    from symparams.answers.verification import verify as verified
    from symparams.sheets.verification import verification

    model = load_request(request)
    with going_on(f"verifying {model.name}") as tell_how_far:
        compared = verified(model, tell_how_far)
    return answer(verification(compared, request.language), request, 0 if compared.match else A_DIFFERENCE)

"""``compare``: models side by side."""

from __future__ import annotations

from symparams.cli.answering import answer, page_of
from symparams.cli.loading import load_requests
from symparams.cli.quantities import given_to
from symparams.cli.request import Answer, Request


def compare(request: Request) -> Answer:
    """Two models or more beside one another, in numbers where they have values."""
    from symparams.answers.comparison_of_models import compare as beside

    if request.format == "html":
        return page_of(load_requests(request), request)
    quantity, inputs, rest = given_to(request)
    models = load_requests(rest)
    chosen = [model.symbolic() for model in models] if "symbolic" in request.own else models
    return answer(beside(*chosen, quantity=quantity, **inputs), rest)

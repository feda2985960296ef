"""``compare``: models side by side."""

from __future__ import annotations

from symparams.cli.answering import answer
from symparams.cli.loading import load_requests
from symparams.cli.request import Answer, Request


def compare(request: Request) -> Answer:
    """Two models or more beside one another, in numbers where they have values."""
    from symparams.answers.comparison_of_models import compare as beside

    models = load_requests(request)
    return answer(beside(*(model.symbolic() for model in models) if "symbolic" in request.own else models), request)

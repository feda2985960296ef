"""``compare``: models side by side."""

from __future__ import annotations

from symparams.cli.answering import answer, page_of
from symparams.cli.commands import HTML
from symparams.cli.loading import load_requests
from symparams.cli.quantities import given_to
from symparams.cli.request import CommandResult, Request
from symparams.errors import OptionError
from symparams.formats import DRAWN


def compare(request: Request) -> CommandResult:
    """Two models or more beside one another, in numbers where they have values."""
    from symparams.answers.comparison import compare as beside

    is_drawn = request.format in DRAWN or "side_by_side" in request.own
    if "relative" in request.own and not is_drawn:
        raise OptionError("Only bars have a scale: leave out --relative, or add --svg or --tikz.")
    if request.format == HTML:
        return page_of(load_requests(request), request, beside=beside)
    quantity, inputs, rest = given_to(request)
    models = load_requests(rest)
    chosen = [model.symbolic() for model in models] if "symbolic" in request.own else models
    comparison = beside(*chosen, quantity=quantity, **inputs)
    if not is_drawn:
        return answer(comparison, rest)
    if comparison.quantity.tensors is None:
        raise OptionError("A drawing shows parameters: leave out --quantity, or choose another format.")
    from symparams.cli.commands.drawing import draw_comparison

    return draw_comparison(comparison, rest)

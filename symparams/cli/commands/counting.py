"""``count``, ``formula`` and ``derive``: the number, the closed form, the whole sheet."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from symparams.cli.answering import answer, answer_formula, page_of, told
from symparams.cli.commands import JSON
from symparams.cli.loading import derive_request, load_request, subject_of
from symparams.cli.quantities import budget_request, costing_request, given_to
from symparams.cli.request import Answer, Request
from symparams.components.walks import components
from symparams.errors import MissingDimensionError, OptionError

if TYPE_CHECKING:
    from symparams.models.costing import Costing


def count(request: Request) -> Answer:
    """The number of parameters, exact."""
    costing = costing_request(request)
    if costing is not None:
        return _measured(costing, request)
    subject = subject_of(request)
    value = subject.count(**request.own)
    if request.format == JSON:
        from symparams.formats.json import count as count_json

        return Answer(count_json(subject, value), note=told(subject))
    return Answer(f"{value}\n", note=told(subject))


def _measured(costing: Costing, request: Request) -> Answer:
    """The number of another quantity, exact: an integer, or a fraction such as 1/2."""
    try:
        value = costing.value()
    except MissingDimensionError as error:
        lack = f"--quantity {costing.cost.name.replace('_', '-')}: {error.lack}"
        raise MissingDimensionError(lack, error.names, error.other) from None
    if request.format == JSON:
        from symparams.formats.json import measure as measure_json

        return Answer(measure_json(costing, value), note=told(costing.model))
    return Answer(f"{value}\n", note=told(costing.model))


def formula(request: Request) -> Answer:
    """The closed form of a model."""
    if request.expression is not None and request.values:
        raise OptionError("The closed form of a bare formula holds its symbols: leave out --set, or write 'derive' or 'count'.")
    costing = costing_request(request)
    return answer_formula(costing or subject_of(request), replace(request, own=given_to(request)[2].own))


def _page(request: Request) -> Answer:
    """The page of a model, which opens with the quantity that is asked for."""
    costing = costing_request(request)
    request = given_to(request)[2]
    return page_of([load_request(request)] if request.expression is None else [], request, costing)


def derive(request: Request) -> Answer:
    """The derivation of a model, step by step."""
    from symparams.cli.commands.drawing import with_figure
    from symparams.derivations.derivation import derive as work_out
    from symparams.derivations.derivation import derive_cost
    from symparams.formats.rendering import preamble

    if request.format == "html":
        return _page(request)
    request = with_figure(request)
    if "preamble" in request.layout:
        return Answer(preamble(request.language, request.format, with_figure="with_figure" in request.layout))
    if (whole := budget_request(request)) is not None:
        return answer(whole, request, brief="brief" in request.own)
    fits, own = request.own.get("fits"), {name: value for name, value in request.own.items() if name != "fits"}
    costing = costing_request(replace(request, own=own))
    working = {name: request.own[name] for name in ("view", "attention", "form") if name in request.own}
    if request.expression is not None:
        derivation = derive_request(request)
    elif costing is not None:
        derivation = derive_cost(costing, request.own.get("view", "module"), request.own.get("form"), fits)
    else:
        model = load_request(request)
        if "attention" in request.own and not any(node.attending for _, node in components(model.tree)):
            raise OptionError(f"{model.name} has no attention to write in a way: leave out --attention.")
        derivation = work_out(model.symbolic() if "symbolic" in request.own else model, **working)
    is_brief, with_memory = "brief" in request.own, "with_memory" in request.own
    return answer(derivation, request, brief=is_brief, with_memory=with_memory)

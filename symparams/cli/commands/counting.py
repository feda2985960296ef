"""``count``, ``formula`` and ``derive``: the number, the closed form, the whole sheet."""

from __future__ import annotations

import json
from dataclasses import replace

from symparams.cli.answering import answer, answer_formula, page_of, told
from symparams.cli.commands import HTML, JSON
from symparams.cli.loading import load_request, subject_of
from symparams.cli.options import FIGURED, TEXT
from symparams.cli.quantities import budget_request, calculation_request, given_to, quantity_request
from symparams.cli.request import CommandResult, Request
from symparams.components.walks import components
from symparams.errors import OptionError
from symparams.formats.options import FIGURE, PLOT


def count(request: Request) -> CommandResult:
    """The number of parameters, or of another quantity, exact: an integer, or a fraction such as 1/2."""
    calculation = calculation_request(request)
    subject = subject_of(request) if calculation is None else calculation.model
    value = subject.count(**request.own) if calculation is None else calculation.value()
    if request.format == JSON:
        from symparams.formats.json.writer import count as count_json

        return CommandResult(count_json(calculation or subject, value), note=told(subject))
    return CommandResult(f"{value}\n", note=told(subject))


def formula(request: Request) -> CommandResult:
    """The closed form of a model."""
    if request.expression is not None and request.values:
        raise OptionError("The closed form of a bare formula holds its symbols: leave out --set, or write 'derive' or 'count'.")
    calculation = calculation_request(request)
    return answer_formula(calculation or subject_of(request), replace(request, own=given_to(request)[2].own))


def _page(request: Request) -> CommandResult:
    """The page of a model, which opens with the quantity that is asked for."""
    from symparams.derivations.usual import usual_calculation

    asked = quantity_request(request)
    calculation = None if asked is None else usual_calculation(*asked, takes_inputs=False)[0]
    request = given_to(request)[2]
    return page_of([load_request(request)] if request.expression is None else [], request, calculation)


def _keys(request: Request) -> CommandResult:
    """The sentences of a sheet by their keys, as the catalogue has them, in the order in which they are looked up."""
    from symparams.sheets.catalogue import catalogue

    if request.format != TEXT:
        raise OptionError(f"--keys prints keys, not a sheet: leave out --keys or --{request.format}.")
    entries = catalogue(request.language).entries
    entries.asked.clear()
    derive(replace(request, own={name: value for name, value in request.own.items() if name != "keys"}))
    words = {key: entries[key] for key in tuple(entries.asked) if not key.startswith("head.")}
    lines = [
        f"{key} = {json.dumps(text, ensure_ascii=False)}\n" for key, text in words.items() if isinstance(text, str) and text
    ]
    return CommandResult("".join(lines))


def derive(request: Request) -> CommandResult:
    """The derivation of a model, step by step."""
    if "keys" in request.own:
        return _keys(request)
    from symparams.derivations.derivation import derive as work_out
    from symparams.derivations.derivation import derive_formula, worked_out_as_usual
    from symparams.formats.rendering import preamble

    if request.format == HTML:
        return _page(request)
    if any(option.name in request.own for option in FIGURED):
        from symparams.cli.commands.drawing import with_figure

        request = with_figure(request)
    if "preamble" in request.layout:
        has_figure, has_plot = request.layout.get(FIGURE, False) is not False, PLOT in request.layout
        return CommandResult(preamble(request.language, request.format, figure=has_figure, with_plot=has_plot))
    if (whole := budget_request(request)) is not None:
        return answer(whole, request, brief="brief" in request.own)
    fits, own = request.own.get("fits"), {name: value for name, value in request.own.items() if name != "fits"}
    asked = quantity_request(replace(request, own=own))
    working = {name: request.own[name] for name in ("view", "attention", "form") if name in request.own}
    if request.expression is not None:
        derivation = derive_formula(request.expression, request.values)
    elif asked is not None:
        derivation = worked_out_as_usual(*asked, request.own.get("view", "module"), request.own.get("form"), fits=fits)
    else:
        model = load_request(request)
        if "attention" in request.own and not any(node.attending for _, node in components(model.tree)):
            raise OptionError(f"{model.name} has no attention: leave out --attention.")
        derivation = work_out(model.symbolic() if "symbolic" in request.own else model, **working)
    is_brief, with_memory = "brief" in request.own, "with_memory" in request.own
    return answer(derivation, request, brief=is_brief, with_memory=with_memory)

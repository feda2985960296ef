"""``macros``: the values of models for a paper, as LaTeX commands, as YAML or as JSON."""

from __future__ import annotations

from symparams.cli.answering import told
from symparams.cli.loading import load_requests
from symparams.cli.quantities import given_to
from symparams.cli.request import CommandResult, Request
from symparams.errors import OptionError


def macros(request: Request) -> CommandResult:
    """Counts and closed forms of each target, or of a quantity of each, under names that a document can use."""
    from symparams.models.inputs import checked_calculation
    from symparams.papers.macros import macros as commands
    from symparams.papers.values import values
    from symparams.papers.variables import as_json, yaml

    chosen = {name: request.layout[name] for name in ("notation", "symbols") if name in request.layout}
    quantity, inputs, rest = given_to(request)
    calculations = [checked_calculation(model, quantity, inputs) for model in load_requests(rest)]
    quoted = [
        values(calculation if calculation.quantity.tensors is None else calculation.model, request.language, **chosen)
        for calculation in calculations
    ]
    if request.format != "latex" and "prefix" in request.own:
        raise OptionError(f"--prefix is for commands of LaTeX: leave it out beside --{request.format}.")
    note = told(*(calculation.model for calculation in calculations))
    if request.format == "latex":
        return CommandResult(commands(quoted, request.language, request.own.get("prefix", "symparams")), note=note)
    return CommandResult(as_json(quoted) if request.format == "json" else yaml(quoted, request.language), note=note)

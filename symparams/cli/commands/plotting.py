"""``plot``: numbers of models as a picture, as their table, or as text on a terminal."""

from __future__ import annotations

from dataclasses import replace
from shlex import quote
from typing import TYPE_CHECKING, Any

from symparams.cli.answering import answer, told
from symparams.cli.commands.drawing import TIKZ, layout
from symparams.cli.loading import load_requests
from symparams.cli.options import TEXT
from symparams.cli.quantities import given_to
from symparams.cli.request import CommandResult, Request
from symparams.errors import OptionError

if TYPE_CHECKING:
    from symparams.models.model import Model

OWN = ("over", "limits", "active", "families")
CSV, LETTERS = "csv", ("notation", "symbols")
PICTURES = ("svg", "pdf", "png", "pgf")


def plot(request: Request) -> CommandResult:
    """A plot of models in the format of the request."""
    from symparams.plots import plot_of

    kind, models, options = asked(request)
    made = plot_of(kind, *models, **options)
    note = told(*models)
    if request.is_on_screen:
        how = f"add -o {quote(f'{kind}.svg')} to write the picture, or --svg to print its source"
        kept = {name: request.layout[name] for name in ("language", *LETTERS, "width") if name in request.layout}
        shown = answer(made, replace(request, format=TEXT, layout=kept))
        return replace(shown, note="; ".join(filter(None, (note, how))))
    if request.format == TIKZ:
        from symparams.plots.lettering import Lettering
        from symparams.plots.pgfplots import written as in_tex

        chosen = layout(request)
        words = Lettering(made, request.language, **{name: chosen[name] for name in LETTERS if name in chosen})
        look = {name: chosen[name] for name in ("standalone", "with_title") if name in chosen}
        return CommandResult(in_tex(words, look=str(chosen.get("theme", "light")), **look), note=note)
    if request.format in PICTURES:
        from symparams.plots import picture

        content = picture(made, request.format, **request.layout)
        if request.format in ("svg", "pgf"):
            return CommandResult(content.decode(), note=note)
        return CommandResult("", pages=[content], note=note)
    if request.format == CSV:
        for name in LETTERS:
            if name in request.layout:
                flag = "--symbol" if name == "symbols" else f"--{name}"
                raise OptionError(f"CSV has the letters of the tool: leave out {flag}, or choose another format.")
    return replace(answer(made, request), note=note)


def asked(request: Request) -> tuple[str, list[Model], dict[str, Any]]:
    """The kind of a plot, its models and its options."""
    from symparams.plots import KINDS
    from symparams.plots.span import read_span

    kind = request.own["kind"]
    options = {name: request.own[name] for name in OWN if name in request.own}
    own = {name: value for name, value in request.own.items() if name not in ("kind", *OWN)}
    own.setdefault("targets", ())
    if kind in KINDS and (usual := KINDS[kind].usual):
        own.setdefault("quantity", usual)
    if "over" in options:
        letter = read_span(options["over"]).letter
        if letter in request.values:
            raise OptionError(
                f"--over {options['over']} varies {letter} already: leave out --set {letter}={request.values[letter]}."
            )
    quantity, inputs, rest = given_to(replace(request, own=own))
    if "quantity" in own:
        options["quantity"] = quantity
    return kind, load_requests(rest), {**options, **inputs}

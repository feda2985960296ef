"""``draw``: a model as a picture, or its shares as a bar; the bars of ``compare``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePath
from shlex import quote
from typing import TYPE_CHECKING, Any

from symparams.cli.answering import told
from symparams.cli.loading import load_request
from symparams.cli.options import FIGURED, TEXT
from symparams.cli.request import CommandResult, Request
from symparams.errors import OptionError
from symparams.formats import find, names
from symparams.formats.options import FIGURE, OPTIONS, PICTURED, WIDTH

if TYPE_CHECKING:
    from symparams.answers.comparison import Comparison
    from symparams.drawings.marks import Drawing
    from symparams.models.model import Model

TIKZ = "tikz"
MOST_APART = 100  # how many times the smallest bar the largest is before it is said


def draw(request: Request) -> CommandResult:
    """The drawing of a model."""
    from symparams.formats.drawing import draw as drawn
    from symparams.formats.drawing import pictured

    if "symbolic" in request.own and (request.format == TEXT or "bars" in request.layout):
        shown = "--bars" if "bars" in request.layout else "--text, which is bars"
        raise OptionError(f"--symbolic leaves out the numbers of {shown}: leave out --symbolic.")
    if "bars" in request.layout:
        _refuse(request.layout, PICTURED, "{0} goes with the picture, not with --bars")
    model = load_request(request)
    subject = model.symbolic() if "symbolic" in request.own else model
    if request.is_on_screen:
        return _on_screen(subject, request)
    chosen = layout(request)
    notes = [told(model), _without_parts(subject, request), _slab(model, request) if "bars" in chosen else ""]
    if request.format == TEXT:
        return CommandResult(drawn(subject, TEXT, **chosen), note="; ".join(filter(None, notes)))
    picture = pictured(subject, request.format, **chosen)
    note = "; ".join(filter(None, [*notes, _small(picture, chosen)]))
    if find(request.format).typeset:
        from symparams.formats.typesetting import typeset_drawing

        return CommandResult("", note=note, pages=typeset_drawing(picture, request.format, **chosen))
    return CommandResult(drawn(picture, request.format, **chosen), note=note)


def _small(picture: Drawing, chosen: Mapping[str, Any]) -> str:
    """Return that the letters are small on paper, and what makes them larger; "" where they are not."""
    from symparams.drawings.lettering.faces import LEAST_LETTER, letter_size

    size, instead = letter_size(picture), {"detail": "blocks", "labels": "count"}
    if picture.printed is None or size >= LEAST_LETTER:
        return ""
    ways = [f"--{name} {value}" for name, value in instead.items() if name not in chosen and "bars" not in chosen]
    return f"its smallest letters are {size:.1f} pt on paper: try {', '.join(ways)}{' or ' if ways else ''}a larger --width"


def _slab(model: Model, request: Request) -> str:
    """Where one part is nearly all of a bar, how to see the others."""
    from symparams.drawings.bars.portions import NEARLY_ALL, portions

    most = max(portion.part for portion in portions(model))
    if most < NEARLY_ALL:
        return ""
    return f"one part is {float(most):.1%} of it: plot treemap {quote(request.target or model.name)} shows the others larger"


def _without_parts(subject: Model, request: Request) -> str:
    """That a tall drawing of several columns has no room for the parts of the blocks, where both were asked for."""
    if (request.layout.get("detail"), request.layout.get("layout")) != ("parts", "tall"):
        return ""
    from symparams.drawings.outline.columns import outline

    columns = len(outline(subject.tree).columns)
    told_so = f"beside {columns} columns a tall drawing has no room for what is inside the blocks: --layout wide shows it"
    return told_so if columns > 1 else ""


def _on_screen(subject: Model, request: Request) -> CommandResult:
    """The shares of a model as bars, where it has values and nobody chose what bars have not; how to write its picture."""
    from symparams.drawings.lengths import length
    from symparams.formats.drawing import draw as drawn

    width = request.layout.get(WIDTH)
    if isinstance(width, str):
        length(width)
    has_bars = not subject.unbound and request.layout.keys() <= find(TEXT).drawn and not isinstance(width, str)
    bars = drawn(subject, TEXT, **{name: value for name, value in request.layout.items() if name != "bars"}) if has_bars else ""
    how = f"add -o {quote(f'{PurePath(subject.name).name}.svg')} to write the drawing, or --svg to print its source"
    return CommandResult(bars, note="; ".join(filter(None, (told(subject), how))))


def draw_comparison(comparison: Comparison, request: Request) -> CommandResult:
    """Several models side by side, or their bars; bars too where they are too unlike to stand side by side, which is said."""
    from symparams.drawings.compared.comparing import UnlikeModelsError

    if "side_by_side" not in request.own:
        return _bars(comparison, request)
    _refuse(request.own, ("symbolic",), "Models side by side show numbers")
    _refuse(request.own, ("relative",), "Only bars have a scale")
    if request.is_on_screen:
        return CommandResult("", note="add -o compared.svg to write the drawing, or --svg to print its source")
    try:
        return _drawn(comparison, request, side_by_side=True)
    except UnlikeModelsError as unlike:
        bars = _bars(comparison, request)
        return replace(bars, note="; ".join(filter(None, (f"{unlike.reason}: their bars are drawn instead", bars.note))))


def _drawn(comparison: Comparison, request: Request, **how: Any) -> CommandResult:
    from symparams.formats.drawing import draw as drawn

    note = told(*comparison.models)
    if find(request.format).typeset:
        from symparams.formats.typesetting import typeset_drawing

        pages = typeset_drawing(comparison, request.format, **how, **layout(request))
        return CommandResult("", note=note, pages=pages)
    return CommandResult(drawn(comparison, request.format, **how, **layout(request)), note=note)


def _bars(comparison: Comparison, request: Request) -> CommandResult:
    """The bars of several models."""
    _refuse({**request.own, **request.layout}, ("symbolic", "notation", "symbols", "with_title"), "Bars show numbers alone")
    relative = "relative" in request.own
    result = _drawn(comparison, request, relative=relative)
    counts = sorted(model.count() for model in comparison.models)
    is_apart = counts[-1] > MOST_APART * counts[0] and not relative
    times = f"{counts[-1] // counts[0]:,}" if is_apart else ""
    apart = f"the largest is {times} times the smallest: --relative shows both" if is_apart else ""
    return replace(result, note="; ".join(filter(None, (result.note, apart))))


def with_figure(request: Request) -> Request:
    """The request of a sheet, whose figure is drawn as its options say; OptionError where there is no figure."""
    shown = {option.name: request.own[option.name] for option in FIGURED if option.name in request.own}
    if not shown:
        return request
    name, value = next(iter(shown.items()))
    flag = next(option for option in FIGURED if option.name == name).spelled(value)
    if "preamble" in request.layout:
        raise OptionError(f"A preamble is the same for every figure: leave out {flag} or --preamble.")
    flavor = str(request.layout.get("flavor", ""))
    if FIGURE not in find(request.format, flavor).options:
        sheet = f"--flavor {flavor}" if flavor else f"--{request.format}"
        others = ", ".join(f"--{other}" for other in names() if FIGURE in find(other).options)
        raise OptionError(f"{flag} is for a figure, which {sheet} does not have: leave out {flag}, or choose one of {others}.")
    if request.layout.get(FIGURE, request.format in OPTIONS[FIGURE].on_in) is False:
        raise OptionError(f"{flag} changes only the figure of a sheet: leave out {flag}, or add --figure.")
    own = {name: value for name, value in request.own.items() if name not in shown}
    return replace(request, own=own, layout={**request.layout, FIGURE: shown})


def layout(request: Request) -> dict[str, Any]:
    """Return the look of a drawing; a file that is named as TikZ holds the picture alone."""
    chosen = dict(request.layout)
    if request.format == TIKZ and PurePath(request.output or "").suffix.lower() == f".{TIKZ}":
        chosen.setdefault("standalone", False)
    return chosen


FLAGS = {"with_legend": "--legend", "symbols": "--symbol", "with_title": "--no-title"}


def _refuse(given: Mapping[str, Any], names: tuple[str, ...], reason: str) -> None:
    for name in names:
        if name in given:
            flag = "--no-legend" if name == "with_legend" and not given[name] else FLAGS.get(name, f"--{name}")
            raise OptionError(f"{reason.format(flag)}: leave out {flag}.")

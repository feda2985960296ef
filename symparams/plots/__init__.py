"""Plots: what is asked of models as a picture of numbers: each kind a file, its picture drawn by matplotlib or by pgfplots.

A kind makes a ``Plot``: exact numbers, words by key and the facts that are marked. ``figures`` draws it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from symparams.errors import OptionError, UnknownNameError, quoted, suggestion
from symparams.models.load import as_model
from symparams.plots.pictures import STROKES
from symparams.records import frozen

if TYPE_CHECKING:
    from symparams.plots.figures.figure import PlotFigure
    from symparams.plots.lettering import Lettering
    from symparams.plots.pictures import Plot


@frozen
class Kind:
    """A kind of plot: its file, the options that it takes, and of how many models it is.

    ``usual`` is the quantity that it shows where none is named. One that ``takes_inputs`` takes those of its quantity, and its
    choices, too.
    """

    file: str
    takes: tuple[str, ...]
    least: int = 1
    most: int = len(STROKES)
    takes_inputs: bool = True
    usual: str = ""


KINDS: Mapping[str, Kind] = {
    "line": Kind("lines", ("quantity", "over")),
    "memory": Kind("memory", ("over", "limits"), usual="kv_cache"),
    "shares": Kind("shares", ("quantity", "over"), most=1, usual="forward_flops"),
    "treemap": Kind("treemap", ("active",), most=1, takes_inputs=False),
    "rule": Kind("rule", ("families",), least=0, most=10_000, takes_inputs=False),
}
FLAGS = {"quantity": "--quantity", "over": "--over", "limits": "--limit", "active": "--active", "families": "--family"}
SEVERAL = {"limits": "24GB", "families": "bert"}  # options that are several texts, each with an example
LOOK = ("language", "notation", "symbols", "theme", "background", "with_title")
OF_TRAINING = Kind("training", ("over", "limits"), most=1)
TRAINING = "training_memory"


def plot_of(kind: str, *models: Any, **options: Any) -> Plot:
    """Return the plot of a kind of models or their names: its exact numbers and words, which ``render`` prints as a table.

    UnknownNameError for another kind; OptionError for an option that the kind does not take, and for too many models.
    """
    if not isinstance(kind, str) or kind not in KINDS:
        raise UnknownNameError(f"Unknown kind of plot {quoted(kind)}. {suggestion(str(kind), KINDS)}")
    options = {name: _several(name, value) if name in SEVERAL else value for name, value in options.items()}
    quantity = str(options.get("quantity") or "").replace("-", "_")
    chosen = OF_TRAINING if kind == "memory" and quantity == TRAINING else KINDS[kind]
    if kind == "memory" and quantity in (TRAINING, KINDS[kind].usual):
        options = {name: value for name, value in options.items() if name != "quantity"}
    _check(kind, chosen, len(models), options)
    made: Plot = import_module(f"symparams.plots.{chosen.file}").plot([as_model(model) for model in models], **options)
    return made


def plot(kind: str, *models: Any, **options: Any) -> PlotFigure:
    """Return a plot of models as a matplotlib figure: kind "line", "memory", "shares", "treemap" or "rule".

    ``line``: any ``quantity`` ``over`` an input of it or a size, "t=1024..131072". ``memory``: weights and KV cache over t,
    with ``limits`` such as ["24GB", "h100-sxm"]; with quantity="training_memory" that of training over b. ``shares``: parts of
    the FLOPs of one model over s. ``treemap``: its parameters as areas. ``rule``: N against 12·L·h² of these or, without
    models, of all published ones, or of ``families``. Inputs and choices of the quantity are given as ``measure`` takes them.

    The figure has the exact numbers as ``points``, records that a data frame takes, and is what matplotlib gives: style it,
    save it. ``language``, ``notation``, ``symbols``, ``theme``, ``background`` and ``with_title`` are those of ``draw``.

    Needs the extra ``symparams[plot]``. Raises OptionError for an option that the kind does not take or a model that it cannot
    show, and UnknownNameError for a kind, a quantity or a letter that there is not.
    """
    look = {name: options.pop(name) for name in LOOK if name in options}
    drawn: PlotFigure = _drawing().figure_of(plot_of(kind, *models, **options), **look)
    return drawn


def picture(made: Plot, kind: str, **look: Any) -> bytes:
    """Return a plot as a file, "svg", "pdf", "png" or "pgf"; pages and TeX are light unless a theme is named."""
    if kind != "svg":
        look.setdefault("theme", "light")
    drawn, enlarged = _drawing(), {name: look.pop(name) for name in ("scale",) if name in look}
    content: bytes = drawn.written(drawn.figure_of(made, **look), kind, **enlarged)
    return content


def inline(lettering: Lettering, prefix: str) -> tuple[str, Mapping[str, str]]:
    """Return a plot as SVG within a page that lets no style but its own hold, and the dark one of each colour in it.

    ``prefix`` begins its ids.
    """
    drawn, look = _drawing(), {"notation": lettering.notation, "symbols": lettering.symbols, "with_title": False}
    figure = drawn.figure_of(lettering.plot, language=lettering.language, theme="light", background=False, **look)
    written: tuple[str, Mapping[str, str]] = drawn.inline(figure, prefix)
    return written


def _drawing() -> Any:
    """The module that draws; OptionError without matplotlib."""
    try:
        return import_module("symparams.plots.figures.figure")
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != "matplotlib":
            raise
        raise OptionError(
            "A plot is drawn by matplotlib, which is not installed: pip install 'symparams[plot]', or print the numbers with "
            "--text, --csv or --tikz."
        ) from None


def _several(name: str, value: Any) -> tuple[str, ...]:
    """Texts, of which one may stand alone; OptionError for another type."""
    if value is None or isinstance(value, str):
        return () if value is None else (value,)
    if not isinstance(value, Iterable):
        raise OptionError(f"{name} = {quoted(value)} is not a list of texts: write {name}=[{SEVERAL[name]!r}].")
    return tuple(map(str, value))


def _check(name: str, kind: Kind, number: int, options: Mapping[str, Any]) -> None:
    for option in options:
        if option in FLAGS and option not in kind.takes:
            raise OptionError(f"A plot of kind {name} takes no {option}: leave out {FLAGS[option]}, in Python {option}.")
        if option not in FLAGS and not kind.takes_inputs:
            raise OptionError(f"A plot of kind {name} has no inputs: leave out {option}.")
    if number < kind.least:
        raise OptionError(f"A plot of kind {name} shows a model: name one, such as llama-3-8b.")
    if number > kind.most:
        models = "one model" if kind.most == 1 else f"{kind.most} models at most"
        raise OptionError(f"A plot of kind {name} shows {models}, and {number} are named: leave out some.")

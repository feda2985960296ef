"""Drawing: a model as a picture, or where its parameters are as bars, in a format of drawings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from symparams.answers.comparison_of_models import ModelComparison
from symparams.derivations.derivation import Derivation, as_printed, derive
from symparams.drawings.marks import Drawing
from symparams.errors import OptionError, quoted, suggestion
from symparams.formats import DRAWN, find
from symparams.formats.format import Look
from symparams.models.load import as_model
from symparams.models.model import Model

if TYPE_CHECKING:
    from symparams.drawings.work import Work

THEMES = ("auto", "light", "dark")
LABELS = ("both", "formula", "count", "none")
DETAILS = ("parts", "blocks", "stacks")
TEXT = "text"  # on a terminal, bars alone
Said: TypeAlias = tuple[str, str, Mapping[str, str]]  # a language, a notation, symbols


def draw(
    model: Model | Derivation | ModelComparison | Drawing | str,
    format: str = "svg",  # noqa: A002 - the name is part of the surface
    *,
    language: str = "en",
    notation: str = "hidden",
    symbols: Mapping[str, str] | None = None,
    labels: str = "both",
    detail: str = "parts",
    bars: bool = False,
    relative: bool = False,
    with_title: bool = True,
    with_legend: bool = True,
    theme: str = "auto",
    background: bool = True,
    standalone: bool = True,
    width: int = 80,
) -> str:
    """The picture of a model as "svg" or "tikz": its embeddings, its layers and what is in them, its heads, from below.

    ``labels`` beside a name are "both" formula and count, "formula", "count" or "none". ``detail`` goes to the "parts" of
    attention and feed-forward, the "blocks" of a layer, or the "stacks" alone. ``bars`` are one bar of shares in its place;
    what ``compare`` answers is bars, to one scale, or with ``relative`` each as long as the others; so is a "text".

    ``theme`` is "light", "dark" or "auto", as the reader has it; without a ``background`` it has to be one of the two.
    ``standalone`` is for TikZ: a document, or a picture to input. A drawing is as it was made before.

    Raises OptionError for a format, a theme or another choice that there is not, and for what has no picture: a bare formula,
    another quantity; MissingDimensionError for bars of a model without values.
    """
    _check(format, theme, background=background)
    if isinstance(model, ModelComparison) or bars or format == TEXT:
        _check_bars(model, (labels, detail, with_legend), relative=relative)
    elif relative:
        raise OptionError("One picture has no scale to leave: relative is for what compare answers.")
    if format == TEXT:
        return _text(model, (language, notation, symbols or {}), width, with_title=with_title)
    if isinstance(model, Drawing):
        drawing = model
    elif isinstance(model, ModelComparison) or bars:
        drawing = _bars(model, (language, notation, symbols or {}), relative=relative, with_title=with_title)
    else:
        from symparams.drawings.architecture import architecture

        drawing = architecture(_derived(model), language, labels, detail, with_title, with_legend, notation, symbols)
    written = find(format).draw
    assert written is not None
    return written(drawing, Look(theme, background, standalone))


def _bars(model: Any, said: Said, *, relative: bool, with_title: bool) -> Drawing:
    if isinstance(model, ModelComparison):
        from symparams.drawings.bars.of_models import bars

        return bars([_work(each, *said) for each in model.models], relative=relative)
    from symparams.drawings.bars import bar

    return bar(_work(model, *said), with_title=with_title)


def _text(model: Any, said: Said, width: int, *, with_title: bool) -> str:
    if isinstance(model, (ModelComparison, Drawing)):
        raise OptionError("As a text only one model is drawn: choose svg or tikz, or render a comparison.")
    from symparams.formats.text.bars import bars

    return bars(_work(model, *said), width, with_title=with_title)


def _work(model: Any, language: str, notation: str, symbols: Mapping[str, str]) -> Work:
    from symparams.drawings.work import Work

    return Work(as_printed(_derived(model), symbols), language, notation=notation, symbols=symbols)


def _derived(model: Any) -> Derivation:
    found = model if isinstance(model, Derivation) else derive(as_model(model))
    if found.costing is not None:
        raise OptionError(f"A drawing shows parameters, not {found.costing.cost.name}: leave out the quantity.")
    return found


def _check(format: object, theme: object, *, background: bool) -> None:  # noqa: A002 - as above
    if format not in (*DRAWN, TEXT):
        raise OptionError(f"{quoted(format)} is no format of a drawing: choose {' or '.join(DRAWN)}.")
    if theme not in THEMES:
        raise OptionError(f"Unknown theme {quoted(theme)}. {suggestion(str(theme), THEMES)}")
    if not background and theme == "auto":
        raise OptionError(
            "Without its background (--no-background) a drawing has the colours of one theme: name light or dark."
        )


def _check_bars(model: object, chosen: tuple[str, str, bool], *, relative: bool) -> None:
    if chosen != ("both", "parts", True):
        raise OptionError("Bars have neither labels nor details, nor do they lack a legend: leave these out, or the bars.")
    if relative and not isinstance(model, ModelComparison):
        raise OptionError("One bar has no scale to leave: relative is for what compare answers.")

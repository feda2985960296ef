"""Drawing: a model as a picture, or where its parameters are as bars, in a format of drawings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from symparams.answers.comparison import Comparison
from symparams.derivations.derivation import Derivation, as_printed, derive
from symparams.drawings.marks import Drawing
from symparams.errors import OptionError, quoted, suggestion
from symparams.formats import DRAWN, PRINTED, find
from symparams.formats.format import THEMES, Look
from symparams.formats.options import checked
from symparams.models.load import as_model
from symparams.models.model import Model

if TYPE_CHECKING:
    from symparams.drawings.context import DrawingContext

PLAIN = ("both", "parts", "exact", True)  # what bars leave as it is
TEXT = "text"  # on a terminal, bars alone


def draw(
    model: Model | Derivation | Comparison | Drawing | str,
    format: str = "svg",  # noqa: A002 - the name is part of the surface
    *,
    language: str = "en",
    notation: str = "hidden",
    symbols: Mapping[str, str] | None = None,
    labels: str = "both",
    detail: str = "parts",
    numbers: str = "exact",
    bars: bool = False,
    relative: bool = False,
    with_title: bool = True,
    with_legend: bool = True,
    theme: str = "auto",
    background: bool = True,
    standalone: bool = True,
    width: int = 80,
) -> str:
    """The picture of a model as "svg", "tikz" or "typst": its embeddings, its layers and what they hold, its heads, from below.

    ``labels`` beside a name are "both" formula and count, "formula", "count" or "none", with "exact" ``numbers`` or "short"
    ones; ``detail`` goes to the "parts" of attention and feed-forward, the "blocks" of a layer, or the "stacks" alone. ``bars``
    are one bar of shares in its place; what ``compare`` answers is bars, to one scale or ``relative``; so is a "text".
    ``theme`` is "light", "dark" or "auto", as the reader has it; ``standalone`` TikZ or Typst is a document, otherwise
    a picture to input.

    Raises OptionError for a choice that there is not and for what has no picture: a bare formula, another quantity;
    MissingDimensionError for bars of a model without values.
    """
    how = Shown(language, notation, symbols or {}, labels, detail, numbers, bars, relative, with_title, with_legend)
    look = Look(theme, background, standalone)
    _check(format, look)
    chosen = {"theme": theme, "background": background, "standalone": standalone, "with_title": with_title, "width": width}
    checked(chosen, format, _taken, (*DRAWN, *PRINTED, TEXT))
    _check_bars(model, format, how)
    return _text(model, how, width) if format == TEXT else _written(_drawn(model, how), format, look)


@dataclass(frozen=True)
class Shown:
    """The options of a drawing: its content and its words, as ``draw`` takes them."""

    language: str
    notation: str
    symbols: Mapping[str, str]
    labels: str
    detail: str
    numbers: str
    bars: bool
    relative: bool
    with_title: bool
    with_legend: bool


def _drawn(model: Any, how: Shown) -> Drawing:
    """The marks of a picture, or of bars; a drawing is as it was made before."""
    if isinstance(model, Drawing):
        return model
    if isinstance(model, Comparison):
        from symparams.drawings.bars.of_models import bars

        return bars([_context(member, how) for member in model.models], relative=how.relative)
    if how.bars:
        from symparams.drawings.bars import bar

        return bar(_context(model, how), with_title=how.with_title)
    from symparams.drawings.architecture import architecture

    shown = (how.labels, how.detail, how.with_title, how.with_legend, how.notation, how.symbols, how.numbers)
    return architecture(_derived(model), how.language, *shown)


def _written(drawing: Drawing, format: str, look: Look) -> str:  # noqa: A002 - as above
    write = find(format).draw
    assert write is not None
    return write(drawing, look)


def _text(model: Any, how: Shown, width: int) -> str:
    if isinstance(model, (Comparison, Drawing)):
        raise OptionError(f"As a text only one model is drawn: choose {_texts()}, or render a comparison.")
    from symparams.formats.text.bars import bars

    return bars(_context(model, how), width, with_title=how.with_title)


def _context(model: Any, how: Shown) -> DrawingContext:
    from symparams.drawings.context import DrawingContext

    derived = as_printed(_derived(model), how.symbols)
    return DrawingContext(derived, how.language, notation=how.notation, symbols=how.symbols)


def _derived(model: Any) -> Derivation:
    derivation = model if isinstance(model, Derivation) else derive(as_model(model))
    if derivation.calculation is not None and derivation.is_by_terms:
        raise OptionError(f"A drawing shows parameters, not {derivation.calculation.quantity.name}: leave out the quantity.")
    return derivation


def _taken(name: str) -> frozenset[str]:
    return find(name).drawn or find(name).options


def _texts() -> str:
    """The formats of pictures that are texts, as one may choose of them."""
    *others, last = (name for name in (*DRAWN, *PRINTED) if find(name).draw)
    return f"{', '.join(others)} or {last}"


def _check(format: object, look: Look) -> None:  # noqa: A002 - as above
    if format in PRINTED and find(str(format)).typeset:
        raise OptionError(f"A {str(format).upper()} is no text: write typeset_drawing(…, {quoted(format)}).")
    if format not in (*DRAWN, TEXT, *PRINTED):
        raise OptionError(f"{quoted(format)} is no format of a drawing: choose {_texts()}.")
    if look.theme not in THEMES:
        raise OptionError(f"Unknown theme {quoted(look.theme)}. {suggestion(str(look.theme), THEMES)}")
    if not look.background and look.theme == "auto":
        raise OptionError(
            "Without its background (--no-background) a drawing has the colours of one theme: name light or dark."
        )


def _check_bars(model: object, format: str, how: Shown) -> None:  # noqa: A002 - as above
    is_compared = isinstance(model, Comparison)
    if how.relative and not is_compared:
        raise OptionError(
            "One bar has no scale to leave: relative is for what compare answers."
            if how.bars or format == TEXT
            else "One picture has no scale to leave: relative is for what compare answers."
        )
    if (is_compared or how.bars or format == TEXT) and (how.labels, how.detail, how.numbers, how.with_legend) != PLAIN:
        raise OptionError(
            "Bars have neither labels nor details, nor other numbers, nor do they lack a legend: leave these out, or the bars."
        )

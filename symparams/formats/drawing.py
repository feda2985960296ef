"""Drawing: a model as a picture, or where its parameters are as bars, in a format of drawings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from symparams.answers.comparison import Comparison
from symparams.derivations.derivation import Derivation, as_printed, derive
from symparams.display import RenderedText
from symparams.drawings.lengths import length
from symparams.drawings.marks import Drawing
from symparams.errors import OptionError, quoted
from symparams.formats import DRAWN, PRINTED, file_instead, find
from symparams.formats.format import Look
from symparams.formats.options import PICTURED, WIDTH, DrawingOptions, checked
from symparams.models.load import as_model
from symparams.models.model import Model

if TYPE_CHECKING:
    from typing import Unpack

    from symparams.drawings.context import DrawingContext

TEXT = "text"  # on a terminal, bars alone
LETTERS = ("notation", "symbols")


def draw(
    model: Model | Derivation | Comparison | Drawing | str,
    format: str = "svg",  # noqa: A002 - the name is part of the surface
    **options: Unpack[DrawingOptions],
) -> RenderedText:
    """Draw a model as "svg", "tikz" or "typst": embeddings, layers and their parts, and heads, from the bottom up.

    ``labels`` are "both" (formula and count), "formula", "count" or "none"; ``numbers`` are "exact" or "short". ``detail`` is
    "parts" (inside attention and feed-forward network), "blocks" (of a layer) or "stacks"; ``layout`` is "tall", "wide" or
    "auto". ``width``, such as "8.5cm", is how wide it is printed, and chooses the layout where you do not. ``bars`` draws the
    shares as a bar instead. The result of ``compare`` is drawn as bars, to one scale or ``relative``; with ``side_by_side`` as
    two or three pictures beside one another, what differs marked. "text" draws bars of ``width`` characters. ``with_title`` and
    ``with_legend`` can be turned off. ``language``, ``notation`` and ``symbols`` are those of ``render``. ``theme`` is "light",
    "dark" or "auto", with or without a ``background``. ``standalone`` TikZ or Typst is a document, else a picture for \\input.

    Raises OptionError for an invalid option or one without effect, for a bare formula or another quantity, which cannot be
    drawn, and for models side by side of which too few blocks stand for one another; MissingDimensionError for bars, and for a
    comparison, of a model without values.
    """
    _check_format(format)
    chosen = checked(options, format, _taken, (*DRAWN, *PRINTED, TEXT))
    _check_bars(model, format, chosen)
    if format == TEXT:
        return RenderedText(_text(model, chosen), find(TEXT).media_type)
    look = Look(**{name: chosen[name] for name in ("theme", "background", "standalone") if name in chosen})
    if not look.background and look.theme == "auto":
        raise OptionError("A drawing without background (--no-background) needs one theme: choose light or dark.")
    writer = find(format)
    assert writer.draw is not None
    return RenderedText(writer.draw(_drawn(model, chosen), look), writer.media_type)


def pictured(model: Any, format: str, **options: Any) -> Drawing:  # noqa: A002 - as above
    """The drawing that ``draw`` or ``typeset_drawing`` would write, with these options."""
    chosen = checked(options, format, _taken, (*DRAWN, *PRINTED, TEXT))
    _check_bars(model, format, chosen)
    return _drawn(model, chosen)


def _drawn(model: Any, chosen: Mapping[str, Any]) -> Drawing:
    """The marks of a picture, or of bars; a drawing is as it was made before."""
    printed = length(chosen[WIDTH]) if WIDTH in chosen else None
    if isinstance(model, Drawing):
        return replace(model, printed=printed or model.printed)
    if isinstance(model, Comparison) and "side_by_side" in chosen:
        from symparams.drawings.compared.picture import side_by_side

        shown = {name: chosen[name] for name in ("language", "with_title", *LETTERS) if name in chosen}
        return replace(side_by_side(model, **shown), printed=printed)
    if isinstance(model, Comparison):
        from symparams.drawings.bars.of_models import bars

        made = bars([_context(member, chosen) for member in model.models], relative="relative" in chosen)
        return replace(made, printed=printed)
    if "bars" in chosen:
        from symparams.drawings.bars import bar

        return replace(bar(_context(model, chosen), with_title=chosen.get("with_title", True)), printed=printed)
    from symparams.drawings.architecture import architecture

    shown = {name: chosen[name] for name in ("language", "with_title", *LETTERS, *PICTURED) if name in chosen}
    return architecture(_derived(model), **shown, width=printed)


def _text(model: Any, chosen: Mapping[str, Any]) -> str:
    if isinstance(model, (Comparison, Drawing)):
        raise OptionError(f"Text can draw only one model: choose {_texts()}, or render a comparison.")
    from symparams.formats.text.bars import bars

    return bars(_context(model, chosen), chosen.get("width", 80), with_title=chosen.get("with_title", True))


def _context(model: Any, chosen: Mapping[str, Any]) -> DrawingContext:
    from symparams.drawings.context import DrawingContext

    derived = as_printed(_derived(model), chosen.get("symbols") or ())
    letters = {name: chosen[name] for name in LETTERS if name in chosen}
    return DrawingContext(derived, chosen.get("language", "en"), **letters)


def _derived(model: Any) -> Derivation:
    derivation = model if isinstance(model, Derivation) else derive(as_model(model))
    if derivation.calculation is not None and derivation.is_by_terms:
        raise OptionError(f"A drawing shows parameters, not {derivation.calculation.quantity.spelled}: leave out the quantity.")
    return derivation


def _taken(name: str) -> frozenset[str]:
    return find(name).drawn or find(name).options


def _texts() -> str:
    """The formats of pictures that are texts, as one may choose of them."""
    *others, last = (name for name in (*DRAWN, *PRINTED) if find(name).draw)
    return f"{', '.join(others)} or {last}"


def _check_format(format: object) -> None:  # noqa: A002 - as above
    if format in PRINTED and find(str(format)).typeset:
        raise OptionError(f"A {str(format).upper()} is not text: write typeset_drawing(…, {quoted(format)}).")
    if format not in (*DRAWN, TEXT, *PRINTED):
        if instead := file_instead(str(format), "draw", "typeset_drawing", (*DRAWN, *PRINTED)):
            raise OptionError(instead)
        raise OptionError(f"{quoted(format)} is not a format of a drawing: choose {_texts()}.")


def _check_bars(model: object, format: str, chosen: Mapping[str, Any]) -> None:  # noqa: A002 - as above
    is_compared = isinstance(model, Comparison)
    if "relative" in chosen and not is_compared:
        what = "bar" if "bars" in chosen or format == TEXT else "picture"
        raise OptionError(f"One {what} has no scale: relative is for comparisons.")
    if "side_by_side" in chosen and not is_compared:
        raise OptionError("One model has no other beside it: side_by_side is for comparisons.")
    if "side_by_side" in chosen and (bars := [name for name in ("relative", "bars") if name in chosen]):
        raise OptionError(f"{bars[0]} is for bars, not for models side by side: leave out {bars[0]}.")
    if is_compared and model.quantity.tensors is None:  # type: ignore[attr-defined] # a comparison
        raise OptionError("A drawing shows parameters: leave out the quantity.")
    if is_compared or "bars" in chosen:
        for name in (name for name in PICTURED if name in chosen):
            raise OptionError(f"{name} is for the picture of one model: leave out {name}.")

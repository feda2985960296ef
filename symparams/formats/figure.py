"""The figure: a model drawn on the sheet of its derivation, and that drawing as each format takes one in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from symparams.derivations.derivation import Derivation, as_printed
from symparams.errors import OptionError, quoted, suggestion
from symparams.formats import find
from symparams.formats.format import Format, Look
from symparams.formats.options import PICTURED, WITH
from symparams.models.formula import Formula
from symparams.sheets import composition_of
from symparams.sheets.chosen import called
from symparams.sheets.document import Document, Figure, Section
from symparams.sheets.values import Sentence


def refuse_figure(answer: Any, format: Format, chosen: Mapping[str, Any]) -> None:  # noqa: A002 - the field's word
    """OptionError for a figure of no kind, for a sheet without a place for one, and for a flavor that shows none."""
    shown = chosen[WITH]
    if not isinstance(shown, (bool, Mapping)):
        raise OptionError(
            f"{WITH} = {quoted(shown)} is neither True nor False, nor what a figure shows: write {WITH}={{'labels': 'none'}}."
        )
    if chosen.get("only") or chosen.get("brief"):
        raise OptionError("A part of a sheet, or its brief, has no figure: leave out with_figure.")
    if isinstance(answer, Document):
        raise OptionError("A document is as it was composed: leave out with_figure, or render the derivation with it.")
    composition = composition_of(answer)
    if composition is not None and WITH not in composition.options:
        raise OptionError("A figure shows one model: leave out with_figure.")
    if WITH not in format.options:
        raise OptionError(
            f"No drawing is shown within the text of flavor {quoted(chosen['flavor'])}: leave out with_figure, write the"
            " drawing beside it, symparams draw TARGET -o model.svg, and show that, ![](model.svg)."
        )


def with_figure_of(document: Document, options: Mapping[str, Any]) -> Document:
    """The sheet of a model with its drawing before all else that has a heading, which shows what is chosen, as in ``draw``.

    OptionError where nothing can be drawn.
    """
    from symparams.drawings.architecture import architecture

    derivation = document.subject
    if not isinstance(derivation, Derivation) or derivation.is_by_terms:
        raise OptionError("A figure shows parameters: leave out with_figure, or the quantity.")
    shown, notation, symbols = options[WITH], options.get("notation", "hidden"), options.get("symbols")
    chosen = dict(shown) if isinstance(shown, Mapping) else {}
    for name in chosen:
        if name not in PICTURED:
            raise OptionError(f"A figure has no {quoted(name)}. {suggestion(str(name), PICTURED)}")
    printed = as_printed(derivation, symbols or ())
    picture = architecture(printed, document.language, with_title=False, notation=notation, symbols=symbols, **chosen)
    assert not isinstance(derivation.subject, Formula)  # of which there is no drawing
    caption = Sentence("figure.caption", {"model": called(derivation.subject)})
    return replace(document, sections=[Section("figure", None, [Figure(picture, caption)]), *document.sections])


# How a format of sheets takes in a drawing: TikZ no wider than its line, SVG within HTML, Typst in the font of the sheet.
EMBEDDED: Mapping[str, tuple[str, Look]] = {
    "latex": ("tikz", Look("light", standalone=False)),
    "markdown": ("svg", Look()),
    "typst": ("typst", Look("light", background=False, standalone=False)),
}


def drawn(block: Figure, name: str) -> str:
    """The drawing of a figure, for the format of this name."""
    form, look = EMBEDDED[name]
    draw = find(form).draw
    assert draw is not None
    return draw(block.drawing, look).rstrip("\n")

"""The figure: a model drawn on the sheet of its derivation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from symparams.components.walks import unordered_part
from symparams.derivations.derivation import Derivation, as_printed
from symparams.drawings.badges import badges
from symparams.drawings.distances import PICTURE_EDGE
from symparams.drawings.lettering.faces import TextMeasure
from symparams.drawings.marks import Box, Drawing, Pill
from symparams.errors import OptionError, quoted, suggestion
from symparams.formats.format import Format
from symparams.formats.options import FIGURE, PICTURED
from symparams.models.formula import Formula
from symparams.sheets import composition_of
from symparams.sheets.chosen import called
from symparams.sheets.document import Block, Document, Figure, Item, Section
from symparams.sheets.values import Sentence


def refuse_figure(answer: Any, format: Format, chosen: Mapping[str, Any]) -> None:  # noqa: A002 - the field's word
    """OptionError for a figure of no kind, for a sheet without a place for one, and for a flavor that shows none."""
    shown = chosen[FIGURE]
    if not isinstance(shown, (bool, Mapping)):
        raise OptionError(
            f"figure = {quoted(shown)} is neither True nor False nor a mapping of options: write figure={{'labels': 'none'}}."
        )
    refuse_picture(answer, format, chosen, FIGURE)


def refuse_picture(answer: Any, format: Format, chosen: Mapping[str, Any], name: str) -> None:  # noqa: A002 - as above
    """OptionError for a figure or a plot of a sheet without a place for one, and for a flavor that shows none."""
    noun, verb = ("figure", "draw") if name == FIGURE else ("plot", "plot KIND")
    if chosen.get("only") or chosen.get("brief"):
        raise OptionError(f"A section of a sheet or a brief has no {noun}: leave out {name}.")
    if isinstance(answer, Document):
        raise OptionError(f"A document cannot be given a {noun}: leave out {name}, or render the derivation with it.")
    composition = composition_of(answer)
    if composition is not None and name not in composition.options:
        raise OptionError(f"A {noun} shows one model, and one quantity of it: leave out {name}.")
    if name not in format.options:
        raise OptionError(
            f"Markdown of flavor {quoted(chosen['flavor'])} cannot hold a picture: leave out {name}, write it beside the"
            f" sheet, symparams {verb} TARGET -o model.svg, and link it, ![](model.svg)."
        )


def has_place(document: Document, chosen: Mapping[str, Any]) -> bool:
    """True if a sheet has a place for a figure that nobody asked for: it is the whole one of a model's parameters."""
    derivation = document.subject
    is_of_parameters = isinstance(derivation, Derivation) and not derivation.is_by_terms and not derivation.is_expression
    is_drawn = is_of_parameters and unordered_part(derivation.model.tree) is None
    return document.kind == "derivation" and is_drawn and not chosen.get("only")


def drawn_on(document: Document, options: Mapping[str, Any]) -> Document:
    """The sheet of a model with its drawing before all else that has a heading, which shows what is chosen, as in ``draw``.

    The steps have numbers, and the boxes of the parts that they are about the same. OptionError where nothing can be drawn.
    """
    from symparams.drawings.architecture import architecture

    derivation = document.subject
    if not isinstance(derivation, Derivation) or derivation.is_by_terms:
        raise OptionError("A figure shows parameters: leave out figure, or the quantity.")
    shown, notation, symbols = options.get(FIGURE), options.get("notation", "hidden"), options.get("symbols")
    chosen = dict(shown) if isinstance(shown, Mapping) else {}
    chosen.setdefault("layout", "tall")  # a sheet is a column of print
    for name in chosen:
        if name not in PICTURED:
            raise OptionError(f"A figure has no {quoted(name)}. {suggestion(str(name), PICTURED)}")
    printed = as_printed(derivation, symbols or ())
    picture = architecture(
        printed, document.language, with_title=False, notation=notation, symbols=symbols, is_on_sheet=True, **chosen
    )
    assert not isinstance(derivation.subject, Formula)  # of which there is no drawing
    caption = Sentence("figure.caption", {"model": called(derivation.subject)})
    sections, numbers = numbered(document.sections, [mark for mark in picture.marks if isinstance(mark, Box)])
    picture = enlarged(picture, list(badges(picture.marks, numbers, TextMeasure(picture.letters))))
    return replace(document, sections=[Section("figure", None, [Figure(picture, caption)]), *sections])


def numbered(sections: Sequence[Section], boxes: Sequence[Box]) -> tuple[list[Section], Mapping[Box, int]]:
    """Return the sections with a number for each step that is about a box, and the number of each box."""
    numbers: dict[Box, int] = {}
    told: list[Section] = []
    count = 0
    for section in sections:
        blocks: list[Block] = []
        for block in section.blocks:
            about = [box for box in boxes if box not in numbers and _is_about(block, box)] if isinstance(block, Item) else []
            count += bool(about)
            numbers |= dict.fromkeys(about, count)
            blocks.append(replace(block, number=count) if about and isinstance(block, Item) else block)
        told.append(replace(section, blocks=blocks))
    return told, numbers


def _is_about(item: Item, box: Box) -> bool:
    """True if a step is about the part of a box, or about what several kinds of layers have, as that is one of them.

    Of the two boxes of a mixture, that of its experts alone is the one that the step on all experts counts; those of the one
    expert that is opened count no layer.
    """
    if not box.leaves:
        return False
    if set(item.parts) == set(box.leaves):
        return True
    for path in item.parts:
        place, _, name = path.rpartition(".")
        if box.part == path or (place and box.part.startswith(f"{place}.") and box.part.endswith(f".{name}")):
            return True
    return False


def enlarged(drawing: Drawing, badges: Sequence[Pill]) -> Drawing:
    """The drawing with badges, as much larger on each side as those reach beyond it: a box may stand at its edge."""
    places = [badge.place for badge in badges]
    left = max([0.0, *(PICTURE_EDGE - place.x for place in places)])
    above = max([0.0, *(PICTURE_EDGE - place.y for place in places)])
    width = max([drawing.width, *(place.right + PICTURE_EDGE for place in places)])
    height = max([drawing.height, *(place.bottom + PICTURE_EDGE for place in places)])
    marks = tuple(mark.moved(left, above) for mark in (*drawing.marks, *badges))
    return replace(drawing, width=left + width, height=above + height, marks=marks)

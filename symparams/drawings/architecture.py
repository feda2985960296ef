"""The drawing of an architecture: its tree from the inputs at the bottom to the outputs on top, each part at its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from enum import StrEnum

from symparams.components.walks import unordered_part
from symparams.derivations.derivation import Derivation, as_printed, derive
from symparams.drawings.context import DrawingContext, Labels, NumberStyle
from symparams.drawings.description import description, title
from symparams.drawings.distances import PICTURE_EDGE
from symparams.drawings.header import header
from symparams.drawings.layout.beside import wishes
from symparams.drawings.layout.forks import dotted
from symparams.drawings.layout.pen import Layout, Pen
from symparams.drawings.layout.placing import place
from symparams.drawings.legend import legend
from symparams.drawings.lengths import UNITS, Length
from symparams.drawings.lettering.faces import LEAST_LETTER, letter_size
from symparams.drawings.lettering.lettering import cut, rounded
from symparams.drawings.marks import Drawing, Frame, Mark, Stroke, Tint, Wedge, Wire, layer
from symparams.drawings.outline.columns import Outline, outline
from symparams.drawings.outline.parts import agreeing
from symparams.drawings.outline.splits import split
from symparams.errors import OptionError, quoted, suggestion
from symparams.models.classes import is_answering, tree_as_read
from symparams.models.model import Model

WIDENINGS = (1.0, 1.1, 1.2, 1.4, 1.6)  # of the picture, until all words and digits have room
TALLEST, MOST_PANELS = 1.6, 2  # of a tall drawing: its height by its width, and the panels that stand well beside it
ACROSS = 12 * UNITS["cm"]  # from here on a drawing is for a page, not for a column


class Detail(StrEnum):
    """The detail of a drawing: a box for each stack, the blocks of a layer, or the inside of the blocks too."""

    STACKS = "stacks"
    BLOCKS = "blocks"
    PARTS = "parts"


def architecture(
    subject: Derivation | Model | str,
    language: str = "en",
    labels: str = "both",
    detail: str = "parts",
    with_title: bool = True,
    with_legend: bool = True,
    notation: str = "hidden",
    symbols: Mapping[str, str] | None = None,
    numbers: str = "exact",
    layout: str | None = None,
    width: Length | None = None,
    is_on_sheet: bool = False,
) -> Drawing:
    """The drawing of a model, or of a derivation in its own letters: ``labels`` are "both", "formula", "count" or "none"
    beside each name, ``detail`` is "stacks", "blocks" or "parts"; ``with_title`` puts the name and the total above,
    ``with_legend`` what the colours mean below; ``numbers`` are "exact" or "short". A ``layout`` is "tall", as wide as a
    column of print, "wide", with what is inside the blocks at both sides, or "auto": wide where the tall one has more than two
    panels or is taller than 1.6 times its width; by default tall, or wide where several columns leave no room for the parts.
    It is printed so wide as ``width`` says, which chooses the layout that can be read there where you do not. One that
    ``is_on_sheet`` opens no expert, and its numbers are those of the steps. The letters are those of a ``notation``, with your
    own ``symbols``.

    Raises OptionError for a bare formula, which has no tree, for choices that there are not, and for those that would show
    nothing.
    """
    derivation = subject if isinstance(subject, Derivation) else as_printed(derive(subject), symbols or ())
    lettering = (
        Labels(_chosen(labels, Labels, "labels")),
        notation,
        symbols or {},
        NumberStyle(_chosen(numbers, NumberStyle, "numbers")),
    )
    context = DrawingContext(derivation, language, *lettering)
    if (path := unordered_part(context.model.tree)) is not None:
        raise OptionError(
            f"{context.model.name} cannot be drawn, since nobody saw what the parts of {path or 'the model'} read: draw its "
            "bars (--bars), or write its tree with attention(…), feed_forward(…) and residual(…)."
        )
    shown = Detail(_chosen(detail, Detail, "detail"))
    _check_counts(derivation, labels, numbers)
    usual = outlined(context.model)
    asked = None if layout is None else Layout(_chosen(layout, Layout, "layout"))

    def drawing(layout: Layout) -> Drawing:
        drawn = split(usual, tree_as_read(context.model)) if layout is Layout.WIDE and shown is not Detail.STACKS else usual
        pen, across = _placed(context, drawn, shown, layout, is_on_sheet=is_on_sheet)
        top, bottom = extent(pen.marks)
        below = legend(context, pen.marks, across, bottom, PICTURE_EDGE) if with_legend else []
        marks = [*dotted(pen.marks), *(header(context, across, top) if with_title else []), *below]
        texts = (title(context), description(context, drawn))
        return Drawing(
            context.called, *texts, context.language, across, *framed(marks), context.letters, width, pen.context.facts
        )

    if asked is Layout.AUTO and shown is Detail.PARTS and len(wishes(context, *usual.columns)) > MOST_PANELS:
        return drawing(Layout.WIDE)
    if asked is Layout.AUTO:
        tall = drawing(Layout.TALL)
        return drawing(Layout.WIDE) if tall.height > TALLEST * tall.width else tall
    if asked is not None:
        return drawing(asked)
    if width is None:
        return drawing(Layout.WIDE if shown is Detail.PARTS and len(usual.columns) > 1 else Layout.TALL)
    first, other = [Layout.WIDE, Layout.TALL][:: 1 if width.points >= ACROSS else -1]
    made = drawing(first)
    return made if letter_size(made) >= LEAST_LETTER else max(made, drawing(other), key=letter_size)


def outlined(model: Model) -> Outline:
    """The outline of a model as its class reads its tree."""
    return outline(agreeing(tree_as_read(model), model.values), is_answering=is_answering(model))


def _placed(context: DrawingContext, drawn: Outline, detail: Detail, layout: Layout, *, is_on_sheet: bool) -> tuple[Pen, float]:
    """Place all parts in a picture that is wide enough for their words, formulas and numbers, and return its width."""
    has_parts = detail is Detail.PARTS
    attempts: list[tuple[Pen, float]] = []
    for widening in WIDENINGS:
        pen = Pen(
            replace(context, widening=widening),
            has_panels=has_parts
            and (len(drawn.columns) == 1 or (layout is Layout.WIDE and bool(wishes(context, *drawn.columns)))),
            tells_parts=has_parts,
            layout=layout,
            is_stacks=detail is Detail.STACKS,
            is_on_sheet=is_on_sheet,
        )
        attempts.append((pen, place(pen, drawn)))
        if not any(lacking(pen.marks, context.numbers)):
            break
    return min(attempts, key=lambda attempt: lacking(attempt[0].marks, context.numbers))


def lacking(marks: Iterable[Mark], numbers: NumberStyle) -> tuple[int, int]:
    """How many words and formulas have no room, and how many numbers of which all digits were asked for."""
    drawn = list(marks)
    return cut(drawn), rounded(drawn) if numbers is NumberStyle.EXACT else 0


def framed(marks: list[Mark]) -> tuple[float, tuple[Mark, ...]]:
    """The height of a picture, and its marks from the lowest, moved so that the highest of them is at the top."""
    top, bottom = extent(marks)
    ordered = sorted((mark.moved(0, PICTURE_EDGE - top) for mark in _apart(marks)), key=layer)
    return bottom - top + 2 * PICTURE_EDGE, tuple(ordered)


def extent(marks: Iterable[Mark]) -> tuple[float, float]:
    """Return the highest point of marks and the lowest."""
    tops, bottoms = zip(*(mark.heights for mark in marks), strict=True)
    return min(tops), max(bottoms)


def _apart(marks: list[Mark]) -> Iterator[Mark]:
    """The marks; the strip and the edge of a stack apart from its frame where wedges leave it, which run between them."""
    has_wedges = any(isinstance(mark, Wedge) for mark in marks)
    for mark in marks:
        if isinstance(mark, Frame) and mark.tint is Tint.STACK and has_wedges:
            yield replace(mark, strip=0.0, lines=(), part="", title="")
            place, foot = mark.place, mark.place.y + mark.strip
            yield replace(mark, place=replace(place, height=mark.strip))
            edge = ((place.x, foot), (place.x, place.bottom), (place.right, place.bottom), (place.right, foot))
            yield Wire(edge, Stroke.AXIS, arrow=False)
        else:
            yield mark


def _check_counts(derivation: Derivation, labels: str, numbers: str) -> None:
    """Counts alone, or shortened, of what has no values would be formulas as ever."""
    if derivation.is_expression or derivation.model.values:
        return
    for name, value, of_counts in (("labels", labels, Labels.COUNT), ("numbers", numbers, NumberStyle.SHORT)):
        if value == of_counts:
            raise OptionError(
                f"{derivation.model.name} without values has no counts, so {name} '{value}' would show nothing: give values, or"
                f" leave out {name}."
            )


def _chosen(value: str, choices: type[StrEnum], name: str) -> str:
    """A choice as it is; OptionError where there is none of that name."""
    known = [choice.value for choice in choices]
    if value not in known:
        raise OptionError(f"Unknown {name} {quoted(value)}. {suggestion(str(value), known)}")
    return value

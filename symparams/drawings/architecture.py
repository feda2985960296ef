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
from symparams.drawings.layout.forks import dotted
from symparams.drawings.layout.pen import Layout, Pen
from symparams.drawings.layout.placing import place, sides_of
from symparams.drawings.legend import legend
from symparams.drawings.lettering.lettering import cut
from symparams.drawings.marks import Drawing, Frame, Mark, Tint, Wedge, layer
from symparams.drawings.outline.columns import Outline, outline
from symparams.drawings.outline.parts import agreeing
from symparams.errors import OptionError, quoted, suggestion
from symparams.models.classes import is_answering, tree_as_read
from symparams.models.model import Model

WIDENINGS = (1.0, 1.2, 1.4, 1.6)  # of the picture, until the keys of a config have room


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
    layout: str = "auto",
) -> Drawing:
    """The drawing of a model, or of a derivation: ``labels`` are "both", "formula", "count" or "none" beside each name,
    ``detail`` is "stacks", "blocks" or "parts"; ``with_title`` puts the name and the total above, ``with_legend`` what the
    colours mean below; ``numbers`` are "exact" or "short". A ``layout`` is "tall", as wide as a column of print, or "wide",
    with what is inside the blocks at both sides; "auto" is wide where several columns leave it no room in a tall one. The
    letters are those of a ``notation``, with ``symbols`` of your own.

    Raises OptionError for a bare formula, which has no tree, for choices that there are not, and for those that would show
    nothing.
    """
    derivation = as_printed(subject if isinstance(subject, Derivation) else derive(subject), symbols or ())
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
    drawn = outlined(context.model)
    shape = Layout(_chosen(layout, Layout, "layout"))
    if shape is Layout.AUTO:
        shape = Layout.WIDE if shown is Detail.PARTS and len(drawn.columns) > 1 else Layout.TALL
    pen, width = _placed(context, drawn, shown, shape)
    top, bottom = extent(pen.marks)
    below = legend(context, pen.marks, width, bottom, PICTURE_EDGE) if with_legend else []
    marks = [*dotted(pen.marks), *(header(context, width, top) if with_title else []), *below]
    texts = (title(context), description(context, drawn))
    return Drawing(context.called, *texts, context.language, width, *framed(marks), context.letters)


def outlined(model: Model) -> Outline:
    """The outline of a model as its class reads its tree."""
    return outline(agreeing(tree_as_read(model), model.values), is_answering=is_answering(model))


def _placed(context: DrawingContext, drawn: Outline, detail: Detail, layout: Layout) -> tuple[Pen, float]:
    """Place all parts in a picture that is wide enough for their words and formulas, and return its width."""
    has_parts = detail is Detail.PARTS
    attempts: list[tuple[Pen, float]] = []
    for widening in WIDENINGS:
        pen = Pen(
            replace(context, widening=widening),
            has_panels=has_parts and (len(drawn.columns) == 1 or (layout is Layout.WIDE and any(sides_of(context, drawn)))),
            tells_parts=has_parts,
            layout=layout,
            is_stacks=detail is Detail.STACKS,
        )
        attempts.append((pen, place(pen, drawn)))
        if not cut(pen.marks):
            break
    return min(attempts, key=lambda attempt: cut(attempt[0].marks))


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
    """The marks; the strip of a stack apart from its frame where wedges leave it, which run between the two."""
    has_wedges = any(isinstance(mark, Wedge) for mark in marks)
    for mark in marks:
        if isinstance(mark, Frame) and mark.tint is Tint.STACK and has_wedges:
            yield replace(mark, strip=0.0, lines=(), part="", title="")
            yield replace(mark, place=replace(mark.place, height=mark.strip))
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

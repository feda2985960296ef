"""The legend: what each colour and each kind of line of a drawing means, of those that occur in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias, Union

from symparams.components.kinds import Role
from symparams.components.walks import components
from symparams.drawings.context import DrawingContext
from symparams.drawings.distances import SWATCH
from symparams.drawings.lettering.faces import SIZES
from symparams.drawings.marks import (
    Anchor,
    Box,
    Emphasis,
    Face,
    Frame,
    Mark,
    Rectangle,
    Segment,
    Stroke,
    Text,
    TextPiece,
    Tint,
    Wire,
)
from symparams.models.model import Model

BELOW_DRAWING = 9.0  # below the lowest thing
LEGEND_PITCH = 10.0
SAMPLE = 13.0  # the length of a line's sample
SIGN_TO_WORD, SIGNS_APART = 3.0, 8.0  # between a sign and its word, and before the next sign
SHOWN = (Tint.EMBEDDING, Tint.NORM, Tint.ATTENTION, Tint.FEED_FORWARD, Tint.ROUTER, Tint.HEAD, Tint.ALIKE)
MIXING = (Role.ATTENTION, Role.MIXER, Role.SHORT_CONVOLUTION)
Sign: TypeAlias = Union[Tint, Stroke, Emphasis]
LINES = (Stroke.TIED, Stroke.ROUTE)


def legend(
    context: DrawingContext, marks: Sequence[Mark], width: float, bottom: float, edge: float, others: Sequence[Model] = ()
) -> list[Mark]:
    """The legend below a drawing, of ``others`` too: its signs from the left, in as many lines as it takes."""
    entries: list[Mark] = []
    x, y = edge, bottom + BELOW_DRAWING
    for sign, word in _entries(context, marks, others):
        length = SAMPLE if isinstance(sign, Stroke) else SWATCH
        pieces = (TextPiece(word, Face.NOTE),)
        wide = length + SIGN_TO_WORD + context.measure(pieces)
        if x > edge and x + wide > width - edge:
            x, y = edge, y + LEGEND_PITCH
        entries += [_sign(sign, x, y), Text(x + length + SIGN_TO_WORD, y + 0.36 * SIZES[Face.NOTE], pieces, Anchor.START)]
        x += wide + SIGNS_APART
    return entries


def _entries(context: DrawingContext, marks: Sequence[Mark], others: Sequence[Model]) -> Iterator[tuple[Sign, str]]:
    boxes = [mark for mark in marks if isinstance(mark, Box)]
    strokes = (mark.stroke for mark in marks if isinstance(mark, Wire))
    outlined = (mark.emphasis for mark in marks if isinstance(mark, (Box, Frame)))
    signs: set[Sign | None] = {*(box.tint for box in boxes), *outlined, *strokes}
    for sign in (*SHOWN, *LINES, *Emphasis):
        if sign in signs:
            yield sign, context.sentence(f"legend.{_word([context.model, *others], sign)}")


def _word(models: Sequence[Model], sign: Sign) -> str:
    """Attention and all else that mixes tokens are of one colour."""
    if sign is not Tint.ATTENTION:
        return sign.value
    roles = {component.role for model in models for _, component in components(model.tree)}
    words = [role.name.lower() for role in MIXING if role in roles]
    return "_and_".join(words) or (Role.LINEAR_ATTENTION.name.lower() if Role.LINEAR_ATTENTION in roles else sign.value)


def _sign(sign: Sign, x: float, y: float) -> Mark:
    """A colour, an outline, or a piece of a line, whose middle is at this height."""
    place = Rectangle(x, y - SWATCH / 2, SWATCH, SWATCH)
    if isinstance(sign, Emphasis):
        return Segment(place, Tint.PLAIN, emphasis=sign)
    if isinstance(sign, Tint):
        return Segment(place, sign)
    return Wire(((x, y), (x + SAMPLE, y)), sign, arrow=sign is Stroke.TIED)

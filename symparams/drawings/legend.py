"""The legend: what each colour and each kind of line of a drawing means, of those that occur in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symparams.components.kinds import Role
from symparams.components.walks import components
from symparams.drawings.context import DrawingContext
from symparams.drawings.distances import SWATCH
from symparams.drawings.lettering.faces import SIZES
from symparams.drawings.marks import Anchor, Box, Face, Mark, Rectangle, Segment, Stroke, Text, TextPiece, Tint, Wire

BELOW_DRAWING = 9.0  # below the lowest thing
LEGEND_PITCH = 10.0
SAMPLE = 13.0  # the length of a line's sample
SIGN_TO_WORD, SIGNS_APART = 3.0, 8.0  # between a sign and its word, and before the next sign
SHOWN = (Tint.EMBEDDING, Tint.NORM, Tint.ATTENTION, Tint.FEED_FORWARD, Tint.ROUTER, Tint.HEAD)
MIXING = (Role.ATTENTION, Role.MIXER, Role.SHORT_CONVOLUTION)
LINES = (Stroke.TIED, Stroke.ROUTE)


def legend(context: DrawingContext, marks: Sequence[Mark], width: float, bottom: float, edge: float) -> list[Mark]:
    """The legend below a drawing: its signs from the left, in as many lines as it takes."""
    entries: list[Mark] = []
    x, y = edge, bottom + BELOW_DRAWING
    for sign, word in _entries(context, marks):
        length = SWATCH if isinstance(sign, Tint) else SAMPLE
        pieces = (TextPiece(word, Face.NOTE),)
        wide = length + SIGN_TO_WORD + context.measure(pieces)
        if x > edge and x + wide > width - edge:
            x, y = edge, y + LEGEND_PITCH
        entries += [_sign(sign, x, y), Text(x + length + SIGN_TO_WORD, y + 0.36 * SIZES[Face.NOTE], pieces, Anchor.START)]
        x += wide + SIGNS_APART
    return entries


def _entries(context: DrawingContext, marks: Sequence[Mark]) -> Iterator[tuple[Tint | Stroke, str]]:
    tints = {mark.tint for mark in marks if isinstance(mark, Box)}
    strokes = {mark.stroke for mark in marks if isinstance(mark, Wire)}
    for sign in (*SHOWN, *LINES):
        if sign in tints or sign in strokes:
            yield sign, context.sentence(f"legend.{_word(context, sign)}")


def _word(context: DrawingContext, sign: Tint | Stroke) -> str:
    """Attention and all else that mixes tokens are of one colour."""
    if sign is not Tint.ATTENTION:
        return sign.value
    roles = {component.role for _, component in components(context.model.tree)}
    words = [role.name.lower() for role in MIXING if role in roles]
    return "_and_".join(words) or (Role.LINEAR_ATTENTION.name.lower() if Role.LINEAR_ATTENTION in roles else sign.value)


def _sign(sign: Tint | Stroke, x: float, y: float) -> Mark:
    """A colour, or a piece of a line, whose middle is at this height."""
    if isinstance(sign, Tint):
        return Segment(Rectangle(x, y - SWATCH / 2, SWATCH, SWATCH), sign)
    return Wire(((x, y), (x + SAMPLE, y)), sign, arrow=sign is Stroke.TIED)

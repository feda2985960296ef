"""Ties: dashed lines between what is one matrix, outside of all frames; wires from one column into another."""

from __future__ import annotations

from collections.abc import Sequence

from symparams.drawings.layout.feet import SEQUENCES
from symparams.drawings.layout.pen import Pen
from symparams.drawings.marks import Point, Rectangle, Stroke
from symparams.drawings.outline.columns import DrawingColumn
from symparams.drawings.outline.parts import Block, blocks
from symparams.drawings.ways import Way, past

WIRES_APART = 3.0  # wires side by side
KEYS, VALUES = 0.72, 0.28  # how high on the side of cross-attention keys and values come in
WHOLE_KEYS, WHOLE_VALUES, WHOLE_SCORES = 0.5, 0.2, 0.8  # the same, and what acts on scores, where a whole layer is one box
LABEL = 8.0  # above an encoder, to where its output turns


def put_ties(pen: Pen, ways: Sequence[Way], lane: float) -> None:
    """The dashed lines: straight between neighbours, else along the margin, x = ``lane``, up to what is tied.

    What is that of another layer says so, and has none.
    """
    for path, component in pen.drawn.items():
        owner = next((tensor.tied_to for tensor in component.tensors if tensor.tied_to), "")
        if owner and pen.context.model.leaf(owner).stack:
            continue
        user = pen.places[path]
        place = pen.copies.get(owner) or pen.places.get(owner)
        if place is not None:
            _tie(pen, place, user, ways, lane)
    for owner, copy in pen.copies.items():
        _tie(pen, pen.places[owner], copy, ways, lane)


def _tie(pen: Pen, owner: Rectangle, user: Rectangle, ways: Sequence[Way], lane: float) -> None:
    low, high = min(owner.bottom, user.bottom), max(owner.y, user.y)
    gap = (ways[0].right + ways[-1].left) / 2
    if low > high and len(ways) > 1:
        start, end = (owner.right, user.x) if owner.x < user.x else (owner.x, user.right)
        points: tuple[Point, ...] = ((start, (low + high) / 2), (end, (low + high) / 2))
    elif owner.y > user.bottom and owner.y > 0:  # a table below the columns, which both of them use
        is_left = user.middle < gap
        x = gap + (-WIRES_APART if is_left else WIRES_APART)
        leaving = (x, owner.y) if owner.x < x < owner.right else (owner.x, owner.level)
        points = past(leaving, x, (user.right if is_left else user.x, user.level))
    else:
        start, end = (owner.x, user.x) if lane < ways[0].x else (owner.right, user.right)
        points = past((start, owner.level), lane, (end, user.level))
    pen.wire(*points, stroke=Stroke.TIED)


def crosses(pen: Pen, column: DrawingColumn) -> list[Block]:
    """Return the cross-attention of a column, which reads the column beside it."""
    return [block for block in blocks(tuple(column.spine)) if block.path in pen.context.crossing]


def put_crossings(pen: Pen, end: Way, reader: DrawingColumn, gap: float) -> float:
    """Keys and values from the end of the encoder into each cross-attention: how high they reach."""
    x, y = end.wire[-1]
    turn = y - LABEL
    for block in crosses(pen, reader):
        place = pen.where(block.path)
        keys, values = (KEYS, VALUES) if block.path in pen.places or not reader.scores else (WHOLE_KEYS, WHOLE_VALUES)
        for share, lane in ((keys, gap - WIRES_APART / 2), (values, gap + WIRES_APART / 2)):
            height = place.y + place.height * share
            pen.wire(*end.wire, *past((x, turn), lane, (place.x, height)))
    return pen.word(pen.context.sentence("keys_values"), (x + gap) / 2, turn, gap - x)


def put_into_sequence(pen: Pen, end: Way, gap: float) -> float:
    """Draw the output of a tower into the sequence of the column beside it, and return how high that reaches."""
    place = pen.places[SEQUENCES]
    x, y = end.wire[-1]
    turn = y - LABEL
    pen.wire(*end.wire, *past((x, turn), gap, (place.x, place.level)))
    return turn


def put_beside(pen: Pen, end: Way, other: Way, turn: float) -> float:
    """Draw the output of one more tower to that of another, which turns at this height; return how high that reaches."""
    (x, y), (beside, _) = end.wire[-1], other.wire[-1]
    own = min(y - LABEL, turn)
    pen.wire(*end.wire, (x, own), (beside, own), (beside, turn), arrow=False)
    return own

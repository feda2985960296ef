"""Badges: the number of each step at the upper left corner of its boxes, or the right one, moved to where it covers nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, product

from symparams.drawings.distances import RADIUS
from symparams.drawings.lettering.faces import SIZES, TextMeasure
from symparams.drawings.marks import Box, Face, Mark, Operation, Pill, Rectangle, Text, TextPiece, Wire, texts

BADGE, BASE = 9.0, 6.5  # the circle of a number, and how far below its top the number stands
AIR = 0.5  # around it
TWO_DIGITS, SMALLER = 10, 0.85  # from where on a number has less room
HEIGHT = 0.72  # of a text's size, above its base line
# How far it may move, right and down, then up along the upper edge of its box; the nearest first.
FAR = (0.0, 1.0, 2.0, 3.0, 4.0, 5.0)
MOVES = [
    *sorted(product(FAR, repeat=2), key=lambda move: (sum(move), max(move), move)),
    *sorted(product(FAR, (-1.0, -2.0, -3.0)), key=lambda move: (move[0] - move[1], move)),
]


def badges(marks: Sequence[Mark], numbers: Mapping[Box, int], measure: TextMeasure) -> Iterator[Pill]:
    """Yield the number of each step at the upper left corner of its boxes."""
    others = [(mark, place) for mark in marks for place in _places(mark, measure, is_own=False)]
    for mark in marks:
        if isinstance(mark, Box) and mark in numbers:
            box = mark.place
            reach = Rectangle(box.x - BADGE, box.y - BADGE, box.width + 2 * BADGE, 2 * BADGE + max(FAR))
            near = (place for other, place in others if other is not mark and _meet(reach, place))
            covered = [*near, *_places(mark, measure, is_own=True)]
            corners = [(mark.place.x, 1), (mark.place.right, -1)]
            spots = [
                Rectangle(corner - BADGE / 2 + inwards * x, mark.place.y - BADGE / 2 + y, BADGE, BADGE)
                for corner, inwards in corners
                for x, y in MOVES
            ]
            place = min(spots, key=lambda spot: sum(_meet(spot, other) for other in covered))
            yield badge(numbers[mark], place.x, place.y)


def badge(number: int, x: float, y: float) -> Pill:
    """A number in a circle."""
    scale = 1.0 if number < TWO_DIGITS else SMALLER
    text = Text(x + BADGE / 2, y + BASE, (TextPiece(str(number), Face.PILL),), scale=scale)
    return Pill(Rectangle(x, y, BADGE, BADGE), (text,))


def _places(mark: Mark, measure: TextMeasure, *, is_own: bool) -> Iterator[Rectangle]:
    """Yield what no badge should cover of a mark: of its own box the lines alone."""
    if isinstance(mark, Wire):
        for (x, y), (to_x, to_y) in pairwise(mark.points):
            yield Rectangle(min(x, to_x), min(y, to_y), abs(to_x - x), abs(to_y - y))
    elif isinstance(mark, Operation):
        yield Rectangle(mark.x - RADIUS, mark.y - RADIUS, 2 * RADIUS, 2 * RADIUS)
    elif isinstance(mark, (Box, Pill)) and not is_own:
        yield mark.place
    for text in texts(mark) if is_own or isinstance(mark, Text) else ():
        width = measure(text.pieces) * text.scale
        height = HEIGHT * text.scale * max(SIZES[piece.face] for piece in text.pieces)
        yield Rectangle(text.start(width), text.y - height, width, height)


def _meet(badge: Rectangle, other: Rectangle) -> bool:
    return (
        badge.x - AIR < other.right
        and other.x < badge.right + AIR
        and badge.y - AIR < other.bottom
        and other.y < badge.bottom + AIR
    )

"""Turns: how round the corners of a wire are, and places on its way."""

from __future__ import annotations

from math import hypot

from symparams.drawings.marks import Wire
from symparams.drawings.theme import theme

Point = tuple[float, float]


def distance(start: Point, end: Point) -> float:
    """Return the distance of two points."""
    return hypot(end[0] - start[0], end[1] - start[1])


def towards(start: Point, end: Point, length: float) -> Point:
    """The place so far from the start on the way to the end."""
    whole = distance(start, end) or 1.0
    return start[0] + (end[0] - start[0]) * length / whole, start[1] + (end[1] - start[1]) * length / whole


def corner(wire: Wire) -> float:
    """The radius of a wire's corners, less where there is no room: two share what is between them, an arrow keeps its own."""
    lengths = [distance(*pair) for pair in zip(wire.points, wire.points[1:], strict=False)]
    if len(lengths) < 2:
        return 0.0
    first, *between, last = lengths
    last -= theme().arrows["length"] if wire.arrow else 0.0
    return max(0.0, min([theme().corners["wire"], first, last, *(length / 2 for length in between)]))

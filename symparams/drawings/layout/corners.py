"""Corners: the radii of wires and frames, and points on a wire."""

from __future__ import annotations

from itertools import pairwise
from math import dist

from symparams.drawings.marks import Frame, Point, Stroke, Tint, Wire
from symparams.drawings.theme import theme


def towards(start: Point, end: Point, length: float) -> Point:
    """The place so far from the start on the way to the end."""
    whole = dist(start, end) or 1.0
    return start[0] + (end[0] - start[0]) * length / whole, start[1] + (end[1] - start[1]) * length / whole


def corner(wire: Wire) -> float:
    """The radius of a wire's corners, less where there is no room: two share what is between them, an arrow keeps its own."""
    lengths = [dist(*pair) for pair in pairwise(wire.points)]
    if len(lengths) < 2:
        return 0.0
    first, *between, last = lengths
    last -= theme().arrows["length"] if wire.arrow else 0.0
    radius = theme().corners["stack" if wire.stroke is Stroke.AXIS else "wire"]  # the edge of a stack
    return max(0.0, min([radius, first, last, *(length / 2 for length in between)]))


def frame_radius(frame: Frame) -> float:
    """The radius of a frame's corners."""
    return theme().corners["stack" if frame.tint is Tint.STACK else "panel"]

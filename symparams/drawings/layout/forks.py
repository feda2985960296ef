"""Forks: where what one wire carries goes more than one way: a dot, wherever it is, and no round corner at it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from symparams.drawings.marks import Mark, Point, Stroke, Wire

NEAR = 1e-3


def dotted(marks: Iterable[Mark]) -> list[Mark]:
    """The marks with a dot at each fork; a wire that turns there is two, the second of which begins at the dot."""
    listed = list(marks)
    wires = [mark for mark in listed if isinstance(mark, Wire) and mark.stroke is Stroke.FLOW]  # others carry nothing
    segments = [pair for wire in wires for pair in pairwise(wire.points)]
    places = {_key(point): point for wire in wires for point in wire.points[:-1]}
    forks = {key for key, point in places.items() if _is_fork(point, segments)}
    left = set(forks)
    pieces: list[Mark] = []
    for mark in listed:
        if not isinstance(mark, Wire) or mark.stroke is not Stroke.FLOW:
            pieces.append(mark)
            continue
        for piece in _cut(mark, forks):
            here = _key(piece.points[0])
            pieces.append(replace(piece, dot=here in left))
            left.discard(here)
    return pieces


def _is_fork(point: Point, segments: Sequence[tuple[Point, Point]]) -> bool:
    """True if something arrives at a point and goes on in two directions or more."""
    out, has_arrived = set(), False
    for start, end in segments:
        if not _is_on(point, start, end):
            continue
        has_arrived = has_arrived or _key(start) != _key(point)
        if _key(end) != _key(point):
            out.add(_direction(start, end))
    return has_arrived and len(out) > 1


def _cut(wire: Wire, forks: set[Point]) -> Iterator[Wire]:
    """A wire in pieces that begin where it turns at a fork."""
    points = wire.points
    turns = [i for i in range(1, len(points) - 1) if _key(points[i]) in forks]
    for start, end in zip([0, *turns], [*turns, len(points) - 1], strict=True):
        yield replace(wire, points=points[start : end + 1], arrow=wire.arrow and end == len(points) - 1)


def _is_on(point: Point, start: Point, end: Point) -> bool:
    """True if a point lies on a segment, which runs upright or level."""
    (x, y), (x1, y1), (x2, y2) = point, start, end
    return min(x1, x2) - NEAR <= x <= max(x1, x2) + NEAR and min(y1, y2) - NEAR <= y <= max(y1, y2) + NEAR


def _direction(start: Point, end: Point) -> tuple[int, int]:
    across, down = (0 if abs(b - a) < NEAR else 1 if b > a else -1 for a, b in zip(start, end, strict=True))
    return across, down


def _key(point: Point) -> Point:
    return round(point[0], 2), round(point[1], 2)

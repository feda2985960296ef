"""What lies where in a drawing, measured: texts in their boxes, boxes apart, wires clear of both, all inside the picture."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from symparams.drawings.faces import SIZES, Measure
from symparams.drawings.marks import (
    Anchor,
    Box,
    Drawing,
    Frame,
    Operation,
    Pill,
    Rectangle,
    Swatch,
    Text,
    Tint,
    Wire,
)

SLACK = 0.01
CARD = 2.0


def extent(text: Text, measure: Measure) -> Rectangle:
    """Where a line of text stands, from its base line and its widest face."""
    width = measure(text.pieces) * text.scale
    size = max(SIZES[piece.face] for piece in text.pieces) * text.scale
    left = {Anchor.START: text.x, Anchor.MIDDLE: text.x - width / 2, Anchor.END: text.x - width}[text.anchor]
    return Rectangle(left, text.y - 0.74 * size, width, 0.92 * size)


def overlap(one: Rectangle, other: Rectangle) -> bool:
    """Whether two places share more than an edge."""
    across = min(one.right, other.right) - max(one.x, other.x)
    down = min(one.bottom, other.bottom) - max(one.y, other.y)
    return across > SLACK and down > SLACK


def inside(one: Rectangle, other: Rectangle) -> bool:
    """Whether a place lies in another."""
    return (
        one.x >= other.x - SLACK
        and one.right <= other.right + SLACK
        and one.y >= other.y - SLACK
        and one.bottom <= other.bottom + SLACK
    )


def faults(drawing: Drawing) -> Iterator[str]:
    """Every fault of a drawing's geometry, in words."""
    measure = Measure(drawing.letters)
    page = Rectangle(0, 0, drawing.width, drawing.height)
    held = [mark for mark in drawing.marks if isinstance(mark, (Box, Pill, Frame))]
    solid = [mark for mark in held if not isinstance(mark, Frame)]
    frames = [mark for mark in held if isinstance(mark, Frame)]
    free = [mark for mark in drawing.marks if isinstance(mark, Text)]
    texts = [(_said(line), extent(line, measure), mark) for mark in held for line in mark.lines]
    texts += [(_said(line), extent(line, measure), None) for line in free]
    for said, place, mark in texts:
        if mark is not None and not inside(place, _inner(mark)):
            yield f"{said} is not in its box {_inner(mark)}: {place}"
        if not inside(place, page):
            yield f"{said} is outside of the picture"
    for (said, place, _), (other, there, _) in combinations(texts, 2):
        if overlap(place, there):
            yield f"{said} lies over {other}"
    for one, other in combinations(solid, 2):
        if overlap(one.place, other.place):
            yield f"the box {_name(one)} lies over {_name(other)}"
    for said, place, mark in texts:
        for box in solid:
            if mark is not box and overlap(place, box.place):
                yield f"{said} lies over the box {_name(box)}"
    for frame in frames:
        for box in solid:
            if overlap(frame.place, box.place) and not inside(box.place, frame.place):
                yield f"the box {_name(box)} lies across the frame {_name(frame)}"
    for one, other in combinations(frames, 2):
        is_within = inside(one.place, other.place) or inside(other.place, one.place)
        if overlap(one.place, other.place) and not is_within:
            yield f"the frame {_name(one)} lies over {_name(other)}"
    for mark in held:
        if not inside(mark.place, page):
            yield f"{_name(mark)} is outside of the picture"
    yield from _wires(drawing, texts, solid, page)


def _wires(drawing: Drawing, texts: list, solid: list, page: Rectangle) -> Iterator[str]:
    for wire in (mark for mark in drawing.marks if isinstance(mark, Wire)):
        for (x0, y0), (x1, y1) in zip(wire.points, wire.points[1:], strict=False):
            line = Rectangle(min(x0, x1) - 0.1, min(y0, y1) - 0.1, abs(x1 - x0) + 0.2, abs(y1 - y0) + 0.2)
            if x0 != x1 and y0 != y1:
                yield f"a wire is neither level nor upright: {wire.points}"
            if not inside(line, page):
                yield f"a wire leaves the picture: {wire.points}"
            for said, place, mark in texts:
                if overlap(line, place) and not isinstance(mark, Frame):
                    yield f"a wire runs through {said}: {wire.points}"
            for box in solid:
                shrunk = Rectangle(box.place.x + 0.2, box.place.y + 0.2, box.place.width - 0.4, box.place.height - 0.4)
                if overlap(line, shrunk):
                    yield f"a wire runs through the box {_name(box)} {box.place}: {wire.points}"


def _inner(mark: Box | Pill | Frame) -> Rectangle:
    place = mark.place
    if isinstance(mark, Frame):
        return Rectangle(place.x, place.y, place.width, mark.strip)
    return place


def _name(mark: Box | Pill | Frame) -> str:
    return mark.part or mark.title or "?"


def _said(text: Text) -> str:
    return "".join(str(piece.value) for piece in text.pieces)


__all__ = ["Operation", "Swatch", "Tint", "faults"]

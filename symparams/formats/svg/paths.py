"""Paths: the ways of wires with their corners rounded, the heads of arrows, the upper corners of strips, grids of cells."""

from __future__ import annotations

from symparams.drawings.layout.corners import corner, frame_radius, towards
from symparams.drawings.marks import Cells, Frame, Operation, Point, Wire
from symparams.drawings.theme import theme


def number(value: float) -> str:
    """A length to a hundredth of a point, without zeros that say nothing."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def point(at: Point) -> str:
    """A place: its x and its y."""
    return f"{number(at[0])} {number(at[1])}"


def way(wire: Wire) -> str:
    """The line of a wire; where an arrow is at its end, it ends within the head."""
    *before, last = wire.points
    end = towards(last, before[-1], theme().arrows["inside"]) if wire.arrow else last
    points = (*before, end)
    radius, written = corner(wire), [f"M{point(points[0])}"]
    for previous, turn, following in zip(points, points[1:], points[2:], strict=False):
        entry, leave = towards(turn, previous, radius), towards(turn, following, radius)
        written.append(f"L{point(entry)}Q{point(turn)} {point(leave)}" if radius else f"L{point(turn)}")
    return "".join([*written, f"L{point(end)}"])


def head(wire: Wire) -> str:
    """The triangle at the end of a wire."""
    arrows = theme().arrows
    tip, before = wire.points[-1], wire.points[-2]
    foot = towards(tip, before, arrows["length"])
    half = arrows["width"] / arrows["length"] / 2
    dx, dy = (tip[1] - foot[1]) * half, (foot[0] - tip[0]) * half
    sides = (foot[0] + dx, foot[1] + dy), (foot[0] - dx, foot[1] - dy)
    return f"M{point(tip)}L{point(sides[0])}L{point(sides[1])}Z"


def strip(frame: Frame) -> str:
    """The strip at the top of a frame, its upper corners as round as the frame's."""
    place, round_by = frame.place, frame_radius(frame)
    left, top, right, foot = map(number, (place.x, place.y, place.right, place.y + frame.strip))
    inner_top, inner_left, inner_right = map(number, (place.y + round_by, place.x + round_by, place.right - round_by))
    return f"M{left} {foot}V{inner_top}Q{left} {top} {inner_left} {top}H{inner_right}Q{right} {top} {right} {inner_top}V{foot}Z"


def sign(operation: Operation) -> str:
    """The two strokes of + or ×."""
    x, y, reach = operation.x, operation.y, theme().arrows["sign"]
    if operation.sign == "+":
        return f"M{number(x - reach)} {number(y)}H{number(x + reach)}M{number(x)} {number(y + reach)}V{number(y - reach)}"
    reach *= 0.7636  # as long as those of +, slanted: the circle is as full
    corners = [(-reach, reach), (reach, -reach), (-reach, -reach), (reach, reach)]
    first, second, third, fourth = (point((x + dx, y + dy)) for dx, dy in corners)
    return f"M{first}L{second}M{third}L{fourth}"


def cells(grid: Cells, *, active: bool) -> str:
    """The squares of a grid that are active, or those that are not."""
    size = number(grid.size)
    return "".join(f"M{point(corner)}h{size}v{size}h-{size}z" for corner in grid.corners(active=active))

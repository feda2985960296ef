"""Commands: each mark of a drawing as the lines of TikZ that draw it. What is part of the model is a node with a name."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from symparams.drawings.layout.corners import corner, frame_radius
from symparams.drawings.marks import (
    GREY,
    Box,
    Cells,
    Frame,
    Operation,
    Pill,
    Rectangle,
    Segment,
    Text,
    Wedge,
    Wire,
)
from symparams.drawings.theme import theme
from symparams.formats.svg.paths import number
from symparams.formats.tikz.lines import TikzLines, comment, point

NO_NAME = re.compile(r"[^A-Za-z0-9_ ]+")


class Commands:
    """Writes the marks of a drawing; no two nodes have one name."""

    def __init__(self, lines: TikzLines) -> None:
        self.lines = lines
        self.named: dict[str, int] = {}

    def of(self, mark: Any) -> list[str]:
        """The lines that draw a mark."""
        return WRITTEN[type(mark)](self, mark)

    def name(self, part: str) -> str:
        """The name of a part's node: "layers-attention-query"; a second one of the same name has its number."""
        name = NO_NAME.sub("-", part).strip("-")
        if not name:
            return ""
        self.named[name] = self.named.get(name, 0) + 1
        return f" ({name}-{self.named[name]})" if self.named[name] > 1 else f" ({name})"

    def node(self, place: Rectangle, style: str, part: str = "", title: str = "") -> str:
        """A box as a node, with its name and what is said of it."""
        size = f"minimum width={number(place.width)}pt, minimum height={number(place.height)}pt"
        middle = point(place.middle, place.y + place.height / 2)
        return f"\\node[{style}, {size}]{self.name(part)} at {middle} {{}};" + (f" {comment(title)}" if title else "")

    def box(self, mark: Box) -> list[str]:
        behind = [
            f"\\path[{mark.tint} box, opacity={theme().lines['card']}] {shifted(mark.place, 2 * i)};"
            for i in range(mark.cards - 1, 0, -1)
        ]
        style = emphasised(f"{mark.tint} box", mark)
        return [*behind, self.node(mark.place, style, mark.part, mark.title), *map(self.lines.line, mark.lines)]

    def pill(self, mark: Pill) -> list[str]:
        most = theme().corners["pill"]
        round_by = min(mark.place.height / 2, most)
        style = "pill" if round_by == most else f"pill, rounded corners={number(round_by)}pt"
        return [self.node(mark.place, style, mark.part, mark.title), *map(self.lines.line, mark.lines)]

    def frame(self, mark: Frame) -> list[str]:
        style = str(mark.tint) if mark.tint in GREY else f"{mark.tint} panel"
        nodes = [self.node(mark.place, emphasised(style, mark), mark.part, mark.title)]
        if mark.strip:
            style = "strip" if mark.tint in GREY else f"{mark.tint} strip"
            nodes.append(f"\\path[{emphasised(style, mark)}] {strip(mark)};")
        return [*nodes, *map(self.lines.line, mark.lines)]

    def segment(self, mark: Segment) -> list[str]:
        remark = f" {comment(mark.title)}" if mark.title else ""
        style = emphasised(f"{mark.tint} box, sharp corners", mark)
        return [f"\\path[{style}] {shifted(mark.place)};{remark}", *map(self.lines.line, mark.lines)]

    def operation(self, mark: Operation) -> list[str]:
        return [f"\\node[operation, {'plus' if mark.sign == '+' else 'times'} sign] at {point(mark.x, mark.y)} {{}};"]

    def wire(self, mark: Wire) -> list[str]:
        dot = [f"\\fill[wire] {point(*mark.points[0])} circle[radius={theme().arrows['dot']}pt];"] if mark.dot else []
        round_by = corner(mark)
        tight = f", rounded corners={number(round_by)}pt" if 0 < round_by != theme().corners["wire"] else ""
        tip = ", tip" if mark.arrow else ""
        return [*dot, f"\\draw[{mark.stroke}{tip}{tight}] {' -- '.join(point(*at) for at in mark.points)};"]

    def wedge(self, mark: Wedge) -> list[str]:
        return [f"\\fill[{mark.tint} wedge] {' -- '.join(point(*at) for at in mark.points)} -- cycle;"]

    def cells(self, mark: Cells) -> list[str]:
        size, fills = number(mark.size), []
        for style in ("idle", "active"):
            squares = [f"{point(*corner)} rectangle +({size},{size})" for corner in mark.corners(active=style == "active")]
            fills += [f"\\fill[{style}] {' '.join(squares)};"] if squares else []
        return fills

    def text(self, mark: Text) -> list[str]:
        return [self.lines.line(mark)] if mark.pieces else []


def emphasised(style: str, mark: Box | Frame | Segment) -> str:
    """A style with the outline of what is marked in a comparison."""
    return f"{style}, {mark.emphasis}" if mark.emphasis else style


def shifted(place: Rectangle, shift: float = 0) -> str:
    """A rectangle from one corner to the other, so far up and to the right."""
    return f"{point(place.x + shift, place.y - shift)} rectangle {point(place.right + shift, place.bottom - shift)}"


def strip(frame: Frame) -> str:
    """The strip at the top of a frame, its upper corners as round as the frame's."""
    place, foot = frame.place, frame.place.y + frame.strip
    top, radius = f"-- {point(place.x, place.y)} -- {point(place.right, place.y)}", number(frame_radius(frame))
    return f"{point(place.x, foot)} {{[rounded corners={radius}pt] {top}}} -- {point(place.right, foot)} -- cycle"


WRITTEN: Mapping[type, Callable[[Commands, Any], list[str]]] = {
    Box: Commands.box,
    Cells: Commands.cells,
    Frame: Commands.frame,
    Operation: Commands.operation,
    Pill: Commands.pill,
    Segment: Commands.segment,
    Text: Commands.text,
    Wedge: Commands.wedge,
    Wire: Commands.wire,
}

"""Groups: marks that are moved together, within a width and a height of their own, from the upper left corner (0, 0) on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from symparams.drawings.marks import (
    Box,
    Cells,
    Frame,
    Mark,
    Operation,
    Pill,
    Rectangle,
    Segment,
    Text,
    Wedge,
    Wire,
)


@dataclass(frozen=True)
class Group:
    """Marks with the width and the height that they take."""

    width: float
    height: float
    marks: tuple[Mark, ...]

    def moved(self, dx: float, dy: float) -> Group:
        """The same so far to the right and so far down."""
        return replace(self, marks=tuple(moved(mark, dx, dy) for mark in self.marks))


def moved(mark: Mark, dx: float, dy: float) -> Mark:
    """A mark so far to the right and so far down, its texts with it."""
    shifted: Mark = MOVES[type(mark)](mark, dx, dy)
    return shifted


def _place(mark: Any, dx: float, dy: float) -> Any:
    place = Rectangle(mark.place.x + dx, mark.place.y + dy, mark.place.width, mark.place.height)
    lines = {"lines": tuple(_point(line, dx, dy) for line in mark.lines)} if hasattr(mark, "lines") else {}
    return replace(mark, place=place, **lines)


def _points(mark: Any, dx: float, dy: float) -> Any:
    return replace(mark, points=tuple((x + dx, y + dy) for x, y in mark.points))


def _point(mark: Any, dx: float, dy: float) -> Any:
    return replace(mark, x=mark.x + dx, y=mark.y + dy)


MOVES: Mapping[type, Callable[[Any, float, float], Any]] = {
    **dict.fromkeys((Box, Pill, Frame, Segment), _place),
    **dict.fromkeys((Wire, Wedge), _points),
    **dict.fromkeys((Text, Operation, Cells), _point),
}

"""Ways: from where to where something stands beside others, and the wires that go up to it."""

from __future__ import annotations

from dataclasses import replace

from symparams.drawings.distances import SIDE_BY_SIDE
from symparams.drawings.marks import Point, Tint
from symparams.records import frozen

GUTTER_SHARE = 0.55  # of a gutter, from a block to the wires that bridge a sum


@frozen
class Span:
    """From where to where something stands beside others."""

    x: float
    width: float

    @classmethod
    def around(cls, middle: float, width: float) -> Span:
        """The span of a width around a middle."""
        return cls(middle - width / 2, width)

    @property
    def right(self) -> float:
        """Its right end."""
        return self.x + self.width

    @property
    def middle(self) -> float:
        """Its middle."""
        return self.x + self.width / 2

    def columns(self, number: int) -> list[Span]:
        """It in equal parts, with a gap between them."""
        width = (self.width - SIDE_BY_SIDE * (number - 1)) / number
        return [Span(self.x + i * (width + SIDE_BY_SIDE), width) for i in range(number)]

    def staggered(self, number: int, left: float, right: float) -> list[Span]:
        """The rooms of boxes above one another: wires pass on the left to those above, on the right from those below."""
        return [self.inset(left * (number - 1 - i), right * i) for i in range(number)]

    def inset(self, left: float, right: float) -> Span:
        """Return the span between margins."""
        return Span(self.x + left, self.width - left - right)

    def at(self, *shares: float) -> list[float]:
        """Points of it, each by its share of the width."""
        return [self.x + share * self.width for share in shares]


@frozen
class Way:
    """The way of data upwards: where it runs, the height that it has reached, the wire that is still to arrive somewhere.

    A block or a pill on it takes its ``room``, a frame reaches from ``left`` to ``right``. Sums are bridged on the ``side``, -1
    left, 1 right. ``aside`` is the room for boxes beside it: on the lowest row, or where it ``is_narrow`` each beside its ⊕.
    """

    x: float
    y: float = 0.0
    room: Span = Span(0.0, 0.0)
    carries: str = ""  # what goes up in a panel
    trail: tuple[Point, ...] = ()  # of the wire, where it does not begin at (x, y)
    left: float = 0.0
    right: float = 0.0
    side: int = -1
    aside: Span = Span(0.0, 0.0)
    is_narrow: bool = False
    is_bridged: bool = False  # whether a residual wire runs beside it
    tint: Tint = Tint.FEED_FORWARD  # of a matrix by itself, whose role does not say what it is for

    @property
    def wire(self) -> tuple[Point, ...]:
        """The points of the wire so far."""
        return self.trail or ((self.x, self.y),)

    @property
    def width(self) -> float:
        """The width of a block."""
        return self.room.width

    @property
    def bridge(self) -> float:
        """The place of the wires that bridge a sum: in the middle of the gutter and a little further out."""
        edge = self.x + self.side * self.width / 2
        return edge + GUTTER_SHARE * ((self.left if self.side < 0 else self.right) - edge)

    def at(self, y: float) -> Way:
        """The same from a height on, where a wire begins."""
        return replace(self, y=y, trail=())

    def up(self, by: float) -> Way:
        """The same, so much higher."""
        return self.through(*self.wire, y=self.y - by)

    def through(self, *points: Point, y: float) -> Way:
        """The same with a wire that comes through points, up to a height."""
        return replace(self, trail=points, y=y)

    def of(self, x: float, width: float) -> Way:
        """The same for blocks of a width around x."""
        return replace(self, x=x, room=Span.around(x, width))

    def within(self, edge: float) -> Way:
        """The same through a frame in which others stand, so far from its edge."""
        narrower = self.of(self.x, self.width - 2 * edge)
        return replace(narrower, left=self.left + edge, right=self.right - edge)


def past(start: Point, lane: float, end: Point) -> tuple[Point, ...]:
    """The wire from a point level to a lane at x, along it, and level from there to another."""
    return start, (lane, start[1]), (lane, end[1]), end

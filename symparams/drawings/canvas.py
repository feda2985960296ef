"""The canvas: what is put down from below, y = 0 upwards: boxes, pills, sums, wires, words, rows, frames.

The spine of a drawing is one, and so is each panel beside it. What is put on a foot within a span says where it came to stand.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Generic, TypeVar

from symparams.components.facts import Projection
from symparams.components.kinds import Role
from symparams.components.tree import Component
from symparams.drawings.context import DrawingContext
from symparams.drawings.distances import BESIDE_WIRE, CARD, LEAST_PILL, PILL_EDGE, RADIUS, RISE, SHORT_RISE, SIDE_BY_SIDE
from symparams.drawings.lettering.lettering import Lettered, words
from symparams.drawings.lettering.phrases import Wording, in_lines
from symparams.drawings.marks import (
    Anchor,
    Face,
    Frame,
    Mark,
    Operation,
    Pill,
    Point,
    Rectangle,
    Stroke,
    TextLine,
    TextPiece,
    Tint,
    Wire,
)
from symparams.drawings.outline.parts import Block
from symparams.drawings.ways import Span, Way

NEAR = 1e-6  # what rounding alone sets apart
MOST_PILL_LINES = 6  # lines of a pill

TINTS = {
    Role.TABLE: Tint.EMBEDDING,
    Role.NORM: Tint.NORM,
    Role.SCALE: Tint.NORM,
    Role.ATTENTION: Tint.ATTENTION,
    Role.LINEAR_ATTENTION: Tint.ATTENTION,
    Role.MIXER: Tint.ATTENTION,
    Role.SHORT_CONVOLUTION: Tint.ATTENTION,
    Role.FEED_FORWARD: Tint.FEED_FORWARD,
    Role.PARALLEL: Tint.FEED_FORWARD,
}


P = TypeVar("P", bound=Block)


@dataclass
class Canvas(ABC, Generic[P]):
    """Marks put down one after another, and the place of each part by its path. A pill keeps between ``left`` and ``right``."""

    context: DrawingContext
    tint: Tint = Tint.FEED_FORWARD
    left: float = -inf
    right: float = inf
    marks: list[Mark] = field(default_factory=list)
    places: dict[str, Rectangle] = field(default_factory=dict)
    drawn: dict[str, Component] = field(default_factory=dict)
    top: float = 0.0  # how high boxes, pills and sums reach
    reads_pills: bool = False  # whether what a pill says is also read aloud of it
    pill_lines: int = MOST_PILL_LINES  # fewer on a spine, which is made wider instead

    @abstractmethod
    def called(self, part: P) -> str:
        """The name of a part here; "" for that of the catalogue."""

    @abstractmethod
    def letter(self, part: P, width: float) -> Lettered:
        """The lines of a part's box of this width."""

    def lettered(self, part: P, span: Span) -> Lettered:
        """The lines of a part's box within a span, before its cards."""
        return self.letter(part, span.width - CARD * (part.cards - 1))

    def box(
        self, part: P, span: Span, foot: float, height: float = 0.0, lettered: Lettered | None = None, tint: Tint | None = None
    ) -> Rectangle:
        """A part's box within a span, on a foot, as high as its lines or higher; the span holds its cards, too.

        Norms and routers have a tint of their own. A part without tensors is a pill.
        """
        component, name = part.component, self.called(part)
        if not component.tensors and not component.body:
            return self.pill(name or self.context.name(component.kind.name), span.middle, foot, span, part.path)
        is_norm, is_router = component.role is Role.NORM, Projection.ROUTER in component.makes
        tint = Tint.NORM if is_norm else Tint.ROUTER if is_router else tint or self.tint
        told, behind = lettered or self.lettered(part, span), CARD * (part.cards - 1)
        tall = max(told.height, height)
        place = Rectangle(span.x, foot - tall, span.width - behind, tall)
        box = self.context.box(part.path, component, tint, place, told, name=name, cards=part.cards, also=part.also)
        self._put(box, place.y - behind)
        self.places[part.path], self.drawn[part.path] = place, component
        return place

    def box_above(
        self, at: Way | Point, part: P, span: Span, rise: float = RISE, height: float = 0.0, tint: Tint | None = None
    ) -> Rectangle:
        """A part's box, and the wire that arrives at it."""
        return self.box(part, span, self._arrive(at, rise), height, tint=tint)

    def row(self, parts: Sequence[tuple[P, Span]], foot: float, tint: Tint | None = None) -> list[Rectangle]:
        """Boxes side by side, all as high as the highest."""
        height = self.height(parts)
        return [self.box(part, span, foot, height, tint=tint) for part, span in parts]

    def column(self, parts: Iterable[tuple[P, Span]], foot: float, gap: float = SIDE_BY_SIDE) -> list[Rectangle]:
        """Boxes above one another."""
        places: list[Rectangle] = []
        for part, span in parts:
            places.append(self.box(part, span, foot))
            foot = places[-1].y - CARD * (part.cards - 1) - gap
        return places

    def height(self, parts: Iterable[tuple[P, Span]]) -> float:
        """The height of a row of boxes."""
        return max((self.lettered(part, span).height for part, span in parts), default=0.0)

    def pill(
        self,
        text: Wording,
        middle: float,
        foot: float,
        span: Span | None = None,
        part: str = "",
        most: float = 0.0,
        *,
        is_around: bool = False,
    ) -> Rectangle:
        """Draw a part without parameters on a foot, or around that height: as wide as its words, at ``most`` so wide, or as a
        span."""
        if span is None:
            width = min(self.pill_width(text), most or self.right - self.left)
            span = Span(min(max(middle - width / 2, self.left), self.right - width), width)
        told = words(text, Face.PILL, span.width, self.context.measure, most=self.pill_lines)
        top = foot - told.height / (2 if is_around else 1)
        place = Rectangle(span.x, top, span.width, told.height)
        title = text if self.reads_pills and isinstance(text, str) else ""
        self._put(Pill(place, told.at(place.middle, place.y), part, title), place.y)
        return place

    def pill_above(
        self, at: Way | Point, text: Wording, span: Span | None = None, rise: float = SHORT_RISE, most: float = 0.0
    ) -> Rectangle:
        """A pill, and the wire that arrives at it."""
        foot = self._arrive(at, rise)
        return self.pill(text, _way(at).x, foot, span, most=most)

    def _arrive(self, at: Way | Point, rise: float) -> float:
        """A wire so far up, and the height at which it arrives."""
        way = _way(at)
        self.wire(*way.wire, (way.x, way.y - rise))
        return way.y - rise

    def pill_width(self, text: Wording) -> float:
        """The width of a pill whose words stand on one line."""
        if isinstance(text, str):
            line: TextLine = (TextPiece(text, Face.PILL),)
        else:
            [line, *_] = in_lines(text, Face.PILL, inf, self.context.measure)
        return max(self.context.measure(line) + LEAST_PILL, 2 * LEAST_PILL)

    def operation(self, sign: str, x: float, y: float, *ways: Sequence[Point]) -> None:
        """A circle with a sign around a point, and the ways into it: each from below, or level from a side."""
        self._put(Operation(x, y, sign), y - RADIUS)
        for way in ways:
            side = (way[-1][0] > x) - (way[-1][0] < x)
            self.wire(*way, (x + side * RADIUS, y if side else y + RADIUS))

    def wire(self, *points: Point, arrow: bool = True, stroke: Stroke = Stroke.FLOW) -> None:
        """A wire through points, without those that say nothing; one that comes to nothing is left out."""
        kept = _bends(points)
        if len(kept) > 1:
            self.marks.append(Wire(kept, stroke, arrow))

    def note(self, text: Wording, x: float, y: float, least: float = PILL_EDGE, most: float = 0.0) -> None:
        """Words to the right of a wire at x, up to ``most`` or the edge of the panel; where there is no room, to its left, down
        to ``least``; nothing where they have room on neither side."""
        line, *rest = words(text, Face.NOTE, self.right + PILL_EDGE, self.context.measure, most=1).lines
        if rest:
            return
        width = self.context.measure(line.pieces)
        if width <= (most or self.right + PILL_EDGE) - PILL_EDGE - x - BESIDE_WIRE:
            self.marks.append(replace(line, x=x + BESIDE_WIRE, y=y, anchor=Anchor.START))
        elif width <= x - BESIDE_WIRE - least:
            self.marks.append(replace(line, x=x - BESIDE_WIRE, y=y, anchor=Anchor.END))

    def word(self, text: str, x: float, y: float, width: float, *, is_below: bool = False) -> float:
        """Put words around x above a height, or below it, and return how high they reach."""
        lettered = words(text, Face.NOTE, width, self.context.measure, air=1.0)
        top = y if is_below else y - lettered.height
        self.marks += lettered.at(x, top)
        return top

    def frame(
        self, span: Span, foot: float, under: float, strip: Lettered, part: str, title: str, tint: Tint, order: int = 0
    ) -> Rectangle:
        """A frame from a foot up to its strip, which stands on the height ``under``; a box without a strip if that is the foot.

        ``order`` is how many of the marks lie under it.
        """
        place = Rectangle(span.x, under - strip.height, span.width, foot - under + strip.height)
        lines, height = strip.at(place.middle, place.y), strip.height if foot > under else 0.0
        self.marks.insert(order, Frame(place, tint, height, lines, part, title))
        self.places[part] = place
        return place

    def _put(self, mark: Mark, top: float) -> None:
        self.marks.append(mark)
        self.top = min(self.top, top)


def _way(at: Way | Point) -> Way:
    return at if isinstance(at, Way) else Way(*at)


def _bends(points: Iterable[Point]) -> tuple[Point, ...]:
    """The points at which a wire begins, turns and ends, upright and level to the last digit."""
    kept: list[Point] = []
    for x, y in points:
        before = kept[-1] if kept else (x, y)
        point = before[0] if abs(x - before[0]) < NEAR else x, before[1] if abs(y - before[1]) < NEAR else y
        if kept and point == before:
            continue
        if len(kept) > 1 and any(kept[-2][axis] == before[axis] == point[axis] for axis in (0, 1)):
            kept.pop()
        kept.append(point)
    return tuple(kept)

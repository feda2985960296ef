"""Sketches: a panel as it is drawn, from its foot at y = 0 upwards: boxes, pills, sums, lanes of data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from symparams.components.facts import Projection
from symparams.components.kinds import Role
from symparams.components.purposes import by_purpose
from symparams.components.tree import Component
from symparams.drawings.context import DrawingContext
from symparams.drawings.distances import BESIDE_WIRE, FORK_RISE, RADIUS, SHORT_RISE, SIDE_BY_SIDE
from symparams.drawings.group import Group
from symparams.drawings.lettering.lettering import AIR, Lettered, words
from symparams.drawings.lettering.phrases import Wording
from symparams.drawings.marks import (
    Anchor,
    Box,
    Face,
    Frame,
    Mark,
    Operation,
    Pill,
    Point,
    Rectangle,
    Stroke,
    TextPiece,
    Tint,
    Wire,
)
from symparams.expressions.nodes import Number

PANEL_EDGE = 5.0  # beside what stands in a panel
CARD, MOST_CARDS = 2.0, 3
PILL_EDGE = 1.5  # of a pill beside the edge of the panel
KINK = 8.0  # two turns of a wire that are closer are a kink
ADAPTER = frozenset({Projection.ADAPTER_DOWN, Projection.ADAPTER_UP})
LAST_RISE = 7.0  # of the wire below the strip
LEAST_PILL = 8.0  # a pill without words
MOST_PILL_LINES = 6  # lines of a pill


def pill_width(context: DrawingContext, text: str) -> float:
    """Return the width of a pill whose words stand on one line."""
    return max(context.measure((TextPiece(text, Face.PILL),)) + LEAST_PILL, 2 * LEAST_PILL)


@dataclass(frozen=True)
class Span:
    """From where to where something stands beside others."""

    x: float
    width: float

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

    def inset(self, left: float, right: float) -> Span:
        """Return the span between margins."""
        return Span(self.x + left, self.width - left - right)

    def at(self, *shares: float) -> list[float]:
        """Points of it, each by its share of the width."""
        return [self.x + share * self.width for share in shares]


@dataclass(frozen=True)
class BoxSubject:
    """The subject of a box: a part of the tree, at its path, by its own name here if it has one."""

    path: str
    component: Component
    name: str = ""
    adapted: str = ""  # the name in the tree of the matrix that stands in it with its adapter

    def with_adapter(self, name: str, adapter: Component) -> BoxSubject:
        """The same with one more matrix of an adapter."""
        parts = self.component.body if self.adapted else ((self.key, self.component),)
        both = Component(self.component.kind, body=(*parts, (name, adapter)), makes=self.component.makes)
        around = self.path if self.adapted else self.path.rpartition(".")[0]
        return BoxSubject(around, both, adapted=self.adapted or self.key)

    @property
    def key(self) -> str:
        """Its name in the tree."""
        return self.path.rpartition(".")[2]

    @property
    def cards(self) -> int:
        """The number of cards that show that the part stands several times."""
        times = self.component.times
        return min(times.value, MOST_CARDS) if isinstance(times, Number) else MOST_CARDS


def parts_by_purpose(path: str, component: Component) -> dict[str, BoxSubject]:
    """The parts of a sublayer at this path, by what they are for; a matrix with the adapter that stands behind it is one."""
    parts: dict[str, BoxSubject] = {}
    for word, (name, child) in by_purpose(component).items():
        if parts and not ADAPTER.isdisjoint(child.makes):
            last = next(reversed(parts))
            parts[last] = parts[last].with_adapter(name, child)
        else:
            parts[word] = BoxSubject(f"{path}.{name}", child)
    return parts


@dataclass(frozen=True)
class Lane:
    """A wire upwards: where it stands, what it carries, and the room on either side in which a box or a pill may take it in.

    ``since`` are the points through which it comes from what it branches off.
    """

    x: float
    y: float
    carries: str
    room: Span
    since: tuple[tuple[float, float], ...] = ()


class Sketch:
    """A panel that is drawn: of a block, at its path, of a width, in the tint of the block."""

    def __init__(self, context: DrawingContext, path: str, width: float, tint: Tint) -> None:
        self.context, self.path, self.width, self.tint = context, path, width, tint
        self.span = Span(PANEL_EDGE, width - 2 * PANEL_EDGE)
        self.marks: list[Mark] = []
        self.top = 0.0
        self.end: float | None = self.span.middle  # where what comes out leaves the panel

    def box(
        self, part: BoxSubject, span: Span, foot: float, height: float = 0.0, lettered: Lettered | None = None
    ) -> Rectangle:
        """A part's box within a span, on a foot, as high as its lines or higher; the span holds its cards, too.

        A part without tensors is a pill.
        """
        if not part.component.tensors and not part.component.body:
            return self.pill(part.name or self.context.name(part.component.kind.name), span.middle, foot, span, part.path)
        front = span.inset(0.0, CARD * (part.cards - 1))
        told = lettered or self.lettered(part, span)
        tall = max(told.height, height)
        place = Rectangle(front.x, foot - tall, front.width, tall)
        is_norm, is_router = part.component.role is Role.NORM, Projection.ROUTER in part.component.makes
        tint = Tint.NORM if is_norm else Tint.ROUTER if is_router else self.tint
        name = self._name(part)
        box = self.context.box(part.path, part.component, tint, place, told, name=name, cards=part.cards)
        self._put(box, place.y - CARD * (part.cards - 1))
        return place

    def lettered(self, part: BoxSubject, span: Span) -> Lettered:
        """The lines of a part's box within a span."""
        return self.context.lettered(part.path, part.component, span.width - CARD * (part.cards - 1), self._name(part))

    def _name(self, part: BoxSubject) -> str:
        """Its own name here; of a matrix with an adapter that says so."""
        if not part.adapted:
            return part.name
        return self.context.sentence("adapted", name=self.context.name(part.adapted))

    def row(self, parts: Sequence[tuple[BoxSubject, Span]], foot: float) -> list[Rectangle]:
        """Boxes side by side, all as high as the highest."""
        height = max((self.lettered(*placed).height for placed in parts), default=0.0)
        return [self.box(part, span, foot, height) for part, span in parts]

    def pill(
        self, text: Wording, middle: float, foot: float, span: Span | None = None, part: str = "", most: float = 0.0
    ) -> Rectangle:
        """Draw a part without parameters, as wide as its words, at ``most`` so wide, or as a span."""
        if span is None:
            assert isinstance(text, str)
            width = min(pill_width(self.context, text), most or self.width - 2 * PILL_EDGE)
            span = Span(min(max(middle - width / 2, PILL_EDGE), self.width - PILL_EDGE - width), width)
        told = words(text, Face.PILL, span.width, self.context.measure, most=MOST_PILL_LINES)
        place = Rectangle(span.x, foot - told.height, span.width, told.height)
        self._put(Pill(place, told.at(place.middle, place.y), part), place.y)
        return place

    def operation(self, sign: str, x: float, y: float, *ways: Sequence[Point]) -> None:
        """A circle with a sign around a point, and the ways into it: each from below, or level from a side."""
        self._put(Operation(x, y, sign), y - RADIUS)
        for way in ways:
            side = (way[-1][0] > x) - (way[-1][0] < x)
            self.wire(*way, (x + side * RADIUS, y if side else y + RADIUS))

    def wire(self, *points: tuple[float, float], arrow: bool = True, stroke: Stroke = Stroke.FLOW) -> None:
        """A way through points; one that comes to nothing is left out."""
        kept = [point for i, point in enumerate(points) if i == 0 or point != points[i - 1]]
        if len(kept) > 1:
            self.marks.append(Wire(tuple(kept), stroke, arrow))

    def note(self, text: Wording, x: float, y: float, least: float = PILL_EDGE, most: float = 0.0) -> None:
        """Words to the right of a wire at x, up to ``most`` or the edge of the panel; where there is no room, to its left, down
        to ``least``; nothing where they have room on neither side."""
        [line] = words(text, Face.NOTE, self.width, self.context.measure, most=1).lines
        width = self.context.measure(line.pieces)
        if width <= (most or self.width) - PILL_EDGE - x - BESIDE_WIRE:
            self.marks.append(replace(line, x=x + BESIDE_WIRE, y=y, anchor=Anchor.START))
        elif width <= x - BESIDE_WIRE - least:
            self.marks.append(replace(line, x=x - BESIDE_WIRE, y=y, anchor=Anchor.END))

    def rise(self, lane: Lane, y: float, text: str = "", most: float = 0.0) -> None:
        """A lane up to a height, with an arrow, and the name of what it carries beside its end, up to ``most`` or the edge."""
        self.wire(*(lane.since or ((lane.x, lane.y),)), (lane.x, y))
        if text:
            self.note(text, lane.x, y + 7.6, most=most)

    def feed(self, targets: Sequence[tuple[float, float]], x: float, depth: float = FORK_RISE) -> None:
        """Wires from the foot at x, or straight below a box that is so near, to the feet of boxes, from a fork to several."""
        x = next((to for to, _ in targets if abs(to - x) < KINK), x)
        for to, y in targets:
            if abs(to - x) < 0.01:
                self.wire((x, 0.0), (to, y))
            else:
                self.wire((x, 0.0), (x, -depth / 2), (to, -depth / 2), (to, y))

    def weighed(self, whole: Rectangle, x: float, top: float, text: str) -> float:
        """What leaves a box, times what comes up at x from a height through a pill: where the product goes on."""
        foot = whole.y - SHORT_RISE
        self.wire((x, top), (x, foot))
        pill = self.pill(text, x, foot)
        y = pill.y - SHORT_RISE - 1.0
        self.operation("×", whole.middle, y, [(whole.middle, whole.y)], [(x, pill.y), (x, y)])
        return y - RADIUS

    def group(self, title: str) -> Group:
        """The panel with its strip, and a wire into it from what is at its top."""
        foot = self.top - LAST_RISE
        if self.end is not None:
            self.wire((self.end, self.top), (self.end, foot))
        strip = words(title, Face.PANEL, self.width, self.context.measure, air=AIR)
        place = Rectangle(0.0, foot - strip.height, self.width, strip.height - foot)
        frame = Frame(place, self.tint, strip.height, strip.at(place.middle, place.y), self.path, title)
        return Group(self.width, place.height, (frame, *self.marks)).moved(0.0, place.height)

    def _put(self, mark: Box | Pill | Operation, top: float) -> None:
        self.marks.append(mark)
        self.top = min(self.top, top)

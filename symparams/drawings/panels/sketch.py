"""Sketches: the canvas of a panel, from its foot at y = 0 upwards, with ways of data."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from symparams.components.facts import Projection
from symparams.components.purposes import by_purpose
from symparams.components.tree import Component
from symparams.drawings.canvas import TINTS, Canvas
from symparams.drawings.context import DrawingContext
from symparams.drawings.distances import FORK_RISE, INSIDE, NAME_BELOW, PILL_EDGE, RADIUS, SHORT_RISE, TO_SIGN
from symparams.drawings.lettering.lettering import AIR, Lettered, words
from symparams.drawings.marks import Face, Group, Point, Rectangle, Tint
from symparams.drawings.outline.parts import Block
from symparams.drawings.panels import facts
from symparams.drawings.ways import Span, Way
from symparams.expressions.nodes import Number
from symparams.records import frozen

KINK = 8.0  # two turns of a wire that are closer are a kink
ADAPTER = frozenset({Projection.ADAPTER_DOWN, Projection.ADAPTER_UP})
MOST_CARDS = 3
LAST_RISE = 7.0  # of the wire below the strip


@frozen
class BoxSubject(Block):
    """A part of a block that has a box in its panel, by its own name here if it has one."""

    name: str = ""
    adapted: str = ""  # the name in the tree of the matrix that stands in it with its adapter

    @property
    def cards(self) -> int:
        """The number of cards that show that the part stands several times."""
        times = self.component.times
        return min(times.value, MOST_CARDS) if isinstance(times, Number) else MOST_CARDS

    def with_adapter(self, name: str, adapter: Component) -> BoxSubject:
        """The same with one more matrix of an adapter."""
        parts = self.component.body if self.adapted else ((self.key, self.component),)
        both = Component(self.component.kind, body=(*parts, (name, adapter)), makes=self.component.makes)
        around = self.path if self.adapted else self.path.rpartition(".")[0]
        return BoxSubject(around, both, adapted=self.adapted or self.key)


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


class Sketch(Canvas[BoxSubject]):
    """A panel that is drawn: of a block, at its path, of a width, in the tint of the block."""

    def __init__(self, context: DrawingContext, path: str, component: Component, width: float) -> None:
        super().__init__(context, TINTS.get(component.role, Tint.FEED_FORWARD), PILL_EDGE, width - PILL_EDGE)
        self.path, self.component, self.width = path, component, width
        self.span = Span(INSIDE, width - 2 * INSIDE)
        self.end: float | None = self.span.middle  # where what comes out leaves the panel

    @cached_property
    def parts(self) -> dict[str, BoxSubject]:
        """The parts of the block, by what they are for."""
        return parts_by_purpose(self.path, self.component)

    @property
    def activation(self) -> str:
        """The activation of the block, by its name."""
        return facts.activation(self.context, self.path, self.component)

    def say(self, key: str) -> str:
        """A label of the catalogue."""
        return self.context.sentence(key)

    def called(self, part: BoxSubject) -> str:
        """Its own name here; of a matrix with an adapter that says so."""
        return self.context.sentence("adapted", name=self.context.name(part.adapted)) if part.adapted else part.name

    def letter(self, part: BoxSubject, width: float) -> Lettered:
        """The lines of a part's box."""
        return self.context.lettered(part.path, part.component, width, self.called(part))

    def rise(self, lane: Way, y: float, text: str = "", most: float = 0.0) -> None:
        """A wire up to a height, with an arrow, and the name of what it carries beside its end, up to ``most`` or the edge."""
        self.wire(*lane.wire, (lane.x, y))
        if text:
            self.note(text, lane.x, y + NAME_BELOW, most=most)

    def feed(self, targets: Sequence[Point], x: float, depth: float = FORK_RISE) -> None:
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
        y = pill.y - TO_SIGN
        self.operation("×", whole.middle, y, [whole.head], [(x, pill.y), (x, y)])
        return y - RADIUS

    def product(self, first: Point, second: Point) -> Point:
        """The ⊗ between two ways upwards, above the first: where the product goes on."""
        middle, y = (first[0] + second[0]) / 2, first[1] - TO_SIGN
        self.operation("×", middle, y, [first, (first[0], y)], [second, (second[0], y)])
        return middle, y - RADIUS

    def group(self, title: str = "") -> Group:
        """The panel with its strip, which says what the block is called, and a wire into it from what is at its top."""
        title = title or facts.called(self.context, self.path, self.component)
        foot = self.top - LAST_RISE
        if self.end is not None:
            self.wire((self.end, self.top), (self.end, foot))
        strip = words(title, Face.PANEL, self.width, self.context.measure, air=AIR)
        place = self.frame(Span(0.0, self.width), 0.0, foot, strip, self.path, title, self.tint)
        return Group(self.width, place.height, tuple(self.marks)).moved(0.0, place.height)

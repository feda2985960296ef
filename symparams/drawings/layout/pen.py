"""The pen: marks put down one after another while a drawing grows upwards, and where each part came to stand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from symparams.components.kinds import Role
from symparams.components.tree import Component
from symparams.drawings.context import DrawingContext, Labels
from symparams.drawings.lettering.lettering import AIR, Lettered, words
from symparams.drawings.marks import Face, Mark, Operation, Pill, Point, Rectangle, Stroke, Tint, Wire
from symparams.drawings.names import called
from symparams.drawings.outline.parts import Block
from symparams.drawings.panels.facts import attention_facts
from symparams.drawings.panels.sketch import MOST_PILL_LINES

MOST_OF_BLOCKS = 4  # lines of a block: its name, its formula in two, its count
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


@dataclass(frozen=True)
class ColumnGeometry:
    """The way of data through a column: its middle, how wide a block is, on which side sums are bridged, how far it reaches."""

    x: float
    width: float
    side: int  # of the residual wires: -1 left, 1 right
    left: float
    right: float
    is_bridged: bool = False  # whether a residual wire runs beside it
    tint: Tint = Tint.FEED_FORWARD  # of a matrix by itself, whose role does not say what it is for

    @property
    def bridge(self) -> float:
        """The place of the wires that bridge a sum: in the middle of the gutter and a little further out."""
        edge = self.x + self.side * self.width / 2
        return edge + 0.55 * ((self.left if self.side < 0 else self.right) - edge)


@dataclass(frozen=True)
class Cursor:
    """The end of a column so far: the points of the wire that is still to arrive somewhere, and the height reached."""

    trail: tuple[Point, ...]
    y: float

    @classmethod
    def at(cls, x: float, y: float) -> Cursor:
        """The end of a wire at a point."""
        return cls(((x, y),), y)

    def up(self, by: float) -> Cursor:
        """The same, so much higher."""
        return Cursor(self.trail, self.y - by)


class Layout(StrEnum):
    """The shape of a drawing: as wide as a column of print, or with panels at both sides."""

    TALL = "tall"
    WIDE = "wide"


@dataclass
class Pen:
    """The drawing so far: the marks, and the place of each part by its path; with panels beside it, or without."""

    context: DrawingContext
    has_panels: bool = True
    tells_parts: bool = True  # whether what is in the blocks was asked for
    layout: Layout = Layout.TALL
    is_stacks: bool = False  # whether a stack is one box
    has_encoder: bool = False  # whether what cross-attention reads is in the drawing, so that a wire says it
    marks: list[Mark] = field(default_factory=list)
    places: dict[str, Rectangle] = field(default_factory=dict)
    drawn: dict[str, Component] = field(default_factory=dict)
    copies: dict[str, Rectangle] = field(default_factory=dict)  # of tables that two columns read

    def letter(self, part: Block, width: float) -> Lettered:
        """The lines of a box, and how it attends, where no panel says it and the parts of a block are asked for."""
        lettered = self._letter(part, width)
        facts = attention_facts(self.context, part.component) if self.tells_parts and not self.has_panels else ""
        if not facts:
            return lettered
        sentence = self.context.sentence("attention.besides", facts=facts)
        return lettered.above(words(sentence, Face.COUNT, width, self.context.measure, most=MOST_PILL_LINES, air=AIR))

    def _letter(self, part: Block, width: float) -> Lettered:
        """A name, a formula, a count; a long formula of a block is left to its panel, or out, where there is a count for it."""
        is_left = bool(part.component.body) and self.context.labels is Labels.BOTH
        is_left = is_left and self.context.step(part.path, part.component).value is not None
        name = called(self.context, part.component, part.path)
        lettered = self.context.lettered(part.path, part.component, width, name)
        if is_left and (self.has_panels or len(lettered.lines) > MOST_OF_BLOCKS):
            return self.context.lettered(part.path, part.component, width, name, 1)
        return lettered

    def wire(self, points: Iterable[Point], stroke: Stroke = Stroke.FLOW, *, arrow: bool = True) -> None:
        """A wire through these points, without those that say nothing."""
        kept = _bends(list(points))
        if len(kept) > 1:
            self.marks.append(Wire(tuple(kept), stroke, arrow))

    def sum(self, x: float, y: float) -> None:
        """The circle in which branches are added."""
        self.marks.append(Operation(x, y, "+"))

    def box(self, part: Block, place: Rectangle, lettered: Lettered, tint: Tint) -> None:
        """The box of a part."""
        name = called(self.context, part.component, part.path)
        mark = self.context.box(part.path, part.component, tint, place, lettered, name=name)
        self.marks.append(mark)
        self.places[part.path], self.drawn[part.path] = place, part.component

    def pill(self, x: float, y: float, text: str, width: float, path: str = "", *, is_around: bool = False) -> Rectangle:
        """A white pill above a height, or around it."""
        lettered = words(text, Face.PILL, width, self.context.measure)
        top = y - lettered.height / (2 if is_around else 1)
        place = Rectangle(x - width / 2, top, width, lettered.height)
        self.marks.append(Pill(place, lettered.at(x, top), path, text))
        return place

    def pill_above(self, at: Cursor, rise: float, x: float, text: str, width: float) -> Cursor:
        """A pill on the spine, and the wire that arrives at it."""
        place = self.pill(x, at.y - rise, text, width)
        self.wire((*at.trail, (x, at.y - rise)))
        return Cursor.at(x, place.y)

    def note(self, text: str, x: float, y: float, width: float, *, is_below: bool = False) -> float:
        """Put words around x above a height, or below it, and return how high they reach."""
        lettered = words(text, Face.NOTE, width, self.context.measure, air=1.0)
        top = y if is_below else y - lettered.height
        self.marks += lettered.at(x, top)
        return top

    def where(self, path: str) -> Rectangle:
        """Return the place of a part, or of the box that holds it."""
        return self.places.get(path) or self.where(path.rpartition(".")[0])


def _bends(points: list[Point]) -> list[Point]:
    """The points at which a wire begins, turns and ends."""
    kept: list[Point] = []
    for point in points:
        if kept and point == kept[-1]:
            continue
        if len(kept) > 1 and (kept[-2][0] == kept[-1][0] == point[0] or kept[-2][1] == kept[-1][1] == point[1]):
            kept.pop()
        kept.append(point)
    return kept

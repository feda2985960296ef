"""Marks: what a drawing is made of, each at its place. One unit is a point of print; x grows to the right, y downwards.

A format writes the marks in their order, so that what comes later lies above. It changes no place and no size, and has
nothing to work out: every number that is told is a value of a step of the derivation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from enum import StrEnum
from typing import Any, ClassVar, Self, TypeAlias, Union

from symparams.drawings.lengths import Length
from symparams.expressions.nodes import Dimension, Expression
from symparams.expressions.notation import Letter
from symparams.records import frozen


class Tint(StrEnum):
    """The purpose of a box, and so its colours: those of ``templates/drawings/theme.toml``."""

    EMBEDDING = "embedding"
    ATTENTION = "attention"
    FEED_FORWARD = "feed_forward"
    NORM = "norm"
    ROUTER = "router"
    HEAD = "head"
    STACK = "stack"  # a layer that is repeated: grey
    PLAIN = "plain"  # what has no parameters: white
    ALIKE = "alike"  # what models have alike, where they are compared: a darker grey


GREY = (Tint.STACK, Tint.PLAIN, Tint.ALIKE)  # which have no colour of a kind


class Emphasis(StrEnum):
    """The outline of a part that is marked in a comparison, wider than others: solid, or dashed without a partner."""

    DIFFERS = "differs"
    ALONE = "alone"


class Face(StrEnum):
    """The face of a piece of text: its size and weight are the theme's."""

    NAME = "name"
    FORMULA = "formula"
    COUNT = "count"
    PILL = "pill"
    NOTE = "note"  # softer: inputs, outputs, what a wire carries
    TITLE = "title"
    TOTAL = "total"  # bold
    STRIP = "strip"  # bold: what a layer is called
    PANEL = "panel"  # bold: what a panel is called


class Stroke(StrEnum):
    """The meaning of a wire."""

    FLOW = "flow"
    TIED = "tied"  # dashed: the same matrix
    ROUTE = "route"  # dotted: a choice, or weights
    AXIS = "axis"
    DIFFERENCE = "difference"  # from a part to what is told of it and its partner
    SAME = "same"  # dotted and grey: there is nothing to tell


COMPARING = (Stroke.DIFFERENCE, Stroke.SAME)


class Anchor(StrEnum):
    """The point of a text that is at its place."""

    START = "start"
    MIDDLE = "middle"
    END = "end"


class Slot(str):
    """A number as text, with what is joined to it: text that knows the formula ``of`` its number.

    A page tells another number there when a size changes. ``is_count`` is true of parameters, not of a size.
    """

    of: Expression
    is_count: bool
    before: str
    after: str

    def __new__(cls, number: str, of: Expression, before: str = "", after: str = "", *, is_count: bool = False) -> Slot:
        """A number, or what is said in its place, between two texts."""
        slot = super().__new__(cls, f"{before}{number}{after}")
        slot.of, slot.is_count, slot.before, slot.after = of, is_count, before, after
        return slot

    @property
    def number(self) -> str:
        """The number alone."""
        return self[len(self.before) : len(self) - len(self.after)]

    def __add__(self, text: str) -> Slot:
        return Slot(self.number, self.of, self.before, self.after + text, is_count=self.is_count)

    def __radd__(self, text: str) -> Slot:
        return Slot(self.number, self.of, text + self.before, self.after, is_count=self.is_count)

    def removeprefix(self, prefix: str, /) -> Slot:
        """The same without a beginning of what stands before its number."""
        return Slot(self.number, self.of, self.before.removeprefix(prefix), self.after, is_count=self.is_count)


@frozen
class TextPiece:
    """Words, or a formula that a format prints with its printer."""

    value: Union[str, Expression]
    face: Face

    @property
    def is_word(self) -> bool:
        """True if the piece is a word of a config's key within a formula, not a formula or one of its signs."""
        return self.face is Face.FORMULA and isinstance(self.value, str) and any(map(str.isalpha, self.value))


TextLine: TypeAlias = tuple[TextPiece, ...]


def unslotted(line: TextLine) -> TextLine:
    """A line with neighbouring words of one face as one piece."""
    joined: list[TextPiece] = []
    for piece in line:
        last = joined[-1] if joined else None
        if last and last.face is piece.face and isinstance(last.value, str) and isinstance(piece.value, str):
            joined[-1] = TextPiece(f"{last.value}{piece.value}", piece.face)
        else:
            joined.append(piece)
    return tuple(joined)


Point: TypeAlias = tuple[float, float]


@frozen
class Rectangle:
    """A place on the page: its upper left corner and its size."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Its right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """Its lower edge."""
        return self.y + self.height

    @property
    def middle(self) -> float:
        """The x of its middle."""
        return self.x + self.width / 2

    @property
    def head(self) -> Point:
        """The middle of its upper edge."""
        return self.middle, self.y

    @property
    def foot(self) -> Point:
        """The middle of its lower edge."""
        return self.middle, self.bottom

    @property
    def level(self) -> float:
        """The y of its middle."""
        return self.y + self.height / 2


@frozen
class _AtPoint:
    """A mark at a point."""

    x: float
    y: float
    above: ClassVar[float] = 4.0
    below: ClassVar[float] = 4.0

    def moved(self, dx: float, dy: float) -> Self:
        """The same so far to the right and so far down."""
        return replace(self, x=self.x + dx, y=self.y + dy)

    @property
    def heights(self) -> tuple[float, float]:
        """How high it reaches, and how far down."""
        return self.y - self.above, self.y + self.below


@frozen
class _AtPlace:
    """A mark that fills a place, with its texts."""

    place: Rectangle

    def moved(self, dx: float, dy: float) -> Self:
        """The same so far to the right and so far down, its texts with it."""
        place = replace(self.place, x=self.place.x + dx, y=self.place.y + dy)
        changed: dict[str, Any] = {"place": place, "lines": tuple(line.moved(dx, dy) for line in getattr(self, "lines", ()))}
        return replace(self, **changed)

    @property
    def heights(self) -> tuple[float, float]:
        """How high it reaches, and how far down."""
        return self.place.y, self.place.bottom


@frozen
class _Along:
    """A mark along points."""

    points: tuple[Point, ...]

    def moved(self, dx: float, dy: float) -> Self:
        """The same so far to the right and so far down."""
        return replace(self, points=tuple((x + dx, y + dy) for x, y in self.points))

    @property
    def heights(self) -> tuple[float, float]:
        """How high it reaches, and how far down."""
        heights = [y for _, y in self.points]
        return min(heights), max(heights)


@frozen
class Text(_AtPoint):
    """A line of text; ``y`` is its base line."""

    pieces: TextLine
    anchor: Anchor = Anchor.MIDDLE
    scale: float = 1.0  # of the faces' sizes, where a long word has to be shrunk; never below 6.5 points
    is_marked: bool = False  # in the colour of what differs
    above, below = 7.0, 2.2

    def start(self, width: float) -> float:
        """The x of its left end, where it is so wide."""
        return self.x - {Anchor.START: 0.0, Anchor.MIDDLE: 0.5, Anchor.END: 1.0}[self.anchor] * width


@frozen
class Box(_AtPlace):
    """A filled box, for parameters: its lines, its path in the tree as ``part``, the text read aloud as ``title``.

    ``leaves`` are the paths of the layers that it counts: of a mixture, the experts without their router, or all of them.
    ``count`` is the formula of its number, ``formula`` the one that it shows, which may hold by a relation alone.
    """

    tint: Tint
    lines: tuple[Text, ...]
    part: str
    title: str
    cards: int = 1  # of a matrix that stands several times, at most 3, each 2 up and 2 to the right
    leaves: tuple[str, ...] = ()
    emphasis: Emphasis | None = None
    count: Expression | None = None
    formula: Expression | None = None


@frozen
class Pill(_AtPlace):
    """A white box with round ends, for a part without parameters."""

    lines: tuple[Text, ...]
    part: str = ""
    title: str = ""


@frozen
class Operation(_AtPoint):
    """A circle with a sign, "+" or "×", of radius 4 around its middle."""

    sign: str


@frozen
class Wire(_Along):
    """A way through these points, each turn rounded by a radius of 3; an arrow at its end, a dot at its beginning."""

    stroke: Stroke = Stroke.FLOW
    arrow: bool = True
    dot: bool = False


@frozen
class Frame(_AtPlace):
    """A layer that is repeated, or a panel with what is in a block; ``strip`` is the height of the strip at its top."""

    tint: Tint
    strip: float
    lines: tuple[Text, ...]
    part: str = ""
    title: str = ""
    emphasis: Emphasis | None = None


@frozen
class Wedge(_Along):
    """From a block to its panel."""

    tint: Tint


@frozen
class Cells(_AtPoint):
    """A grid of squares of a ``size``, a row after another, so many in each; those that are ``active`` are dark."""

    size: float
    gap: float
    in_a_row: int
    number: int
    active: frozenset[int]

    def corners(self, *, active: bool) -> list[Point]:
        """The upper left corners of the squares that are active, or of the others."""
        pitch = self.size + self.gap
        return [
            (self.x + pitch * (i % self.in_a_row), self.y + pitch * (i // self.in_a_row))
            for i in range(self.number)
            if (i in self.active) is active
        ]


@frozen
class Segment(_AtPlace):
    """A part of a bar, or a sample of a colour in a legend: a box without round corners."""

    tint: Tint
    lines: tuple[Text, ...] = ()
    title: str = ""
    emphasis: Emphasis | None = None


Facts: TypeAlias = dict[tuple[Expression, Expression], bool]  # pairs of sizes, and whether they are equal
Mark = Union[Frame, Wedge, Box, Pill, Operation, Wire, Cells, Segment, Text]
# What lies above what, from the lowest; the frame of a stack lies under the wedges that leave it, its strip above them.
LAYERS: tuple[tuple[type, ...], ...] = ((Wedge,), (Frame,), (Wire,), (Box, Pill, Operation, Segment), (Cells,), (Text,))


def layer(mark: Mark) -> int:
    """The layer of a mark, the lowest first."""
    if isinstance(mark, Frame) and mark.tint is Tint.STACK and mark.strip < mark.place.height:
        return -1
    return next(i for i, kinds in enumerate(LAYERS) if isinstance(mark, kinds))


@frozen
class Drawing:
    """A picture: its size, what it is called, what is read aloud of it, its marks from the lowest, and its letters.

    ``name`` tells it from another in one page. ``letters`` are how a format prints the dimensions of its formulas. It comes
    out as wide as ``printed`` says, or each format has its own size for it. It is true of other values, put into its slots,
    while the ``facts`` hold.
    """

    name: str
    title: str
    description: str
    language: str
    width: float
    height: float
    marks: tuple[Mark, ...]
    letters: Mapping[Dimension, Letter] = field(default_factory=dict)
    printed: Length | None = None
    facts: Facts = field(default_factory=dict)

    @property
    def tints(self) -> list[Tint]:
        """The colours of kinds that occur in it."""
        used = {mark.tint for mark in self.marks if hasattr(mark, "tint")}
        return [tint for tint in Tint if tint in used and tint not in GREY]

    @property
    def is_compared(self) -> bool:
        """True if it tells what of models is alike and what differs."""
        return any(isinstance(mark, Box) and (mark.emphasis or mark.tint is Tint.ALIKE) for mark in self.marks)


@frozen
class Group:
    """Marks that are moved together, within a width and a height of their own, from the upper left corner (0, 0) on."""

    width: float
    height: float
    marks: tuple[Mark, ...]

    def moved(self, dx: float, dy: float) -> Group:
        """The same so far to the right and so far down."""
        return replace(self, marks=tuple(mark.moved(dx, dy) for mark in self.marks))


def texts(mark: Mark) -> tuple[Text, ...]:
    """The lines of a mark."""
    return (mark,) if isinstance(mark, Text) else getattr(mark, "lines", ())

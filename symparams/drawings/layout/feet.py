"""Feet: what stands below the layers: tables on a row, sums into which they come, what goes into each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

from symparams.components.facts import Projection, Rows, Stream
from symparams.components.kinds import Role
from symparams.drawings.canvas import Cursor, Span
from symparams.drawings.context import Labels
from symparams.drawings.distances import RADIUS, RISE, SIDE_BY_SIDE
from symparams.drawings.layout.pen import ColumnGeometry, Pen
from symparams.drawings.layout.spine import SEQUENCE, put_activation, run
from symparams.drawings.lettering.formulas import DOT
from symparams.drawings.lettering.lettering import Lettered, label
from symparams.drawings.marks import Box, Rectangle, Tint
from symparams.drawings.names import called
from symparams.drawings.outline.chains import MOST, Foot, Joining, Joint, foot_of
from symparams.drawings.outline.columns import DrawingColumn
from symparams.drawings.outline.parts import Block, Computation, blocks
from symparams.expressions.nodes import Expression

SEQUENCES = "sequence"  # where what another column gives comes in
SHAFT = 6.5  # of the arrow from a box beside the stream to its ⊕
ROW_APART = 4.0  # a row of its own from what stands above and below it
INPUT_RISE = 7.5  # the arrow from an input to its box
INPUT_WORD = 8.5  # from there to the word's base line
# What a table is read by, by what its rows stand for; an image is read where patches are made, frames of a spectrum elsewhere.
INPUTS: Mapping[Rows, str] = {Rows.TOKENS: "tokens", Rows.SEGMENTS: "segments", Rows.POSITIONS: "positions"}
FIRSTS = (0.5, 0.475, 0.525, 0.45, 0.55, 0.425, 0.575, 0.4, 0.6)  # of the room for the first of two, the most even first
IMAGE, FRAMES = "image", "mel frames"


@dataclass(frozen=True)
class FreeSpan:
    """The room for boxes beside a spine, from x to x: on the lowest row, or each beside its ⊕ in a narrow column."""

    left: float
    right: float
    is_on_row: bool = True

    def beside(self, x: float, by: float) -> FreeSpan:
        """The room that is left where something reaches so far to both sides of x."""
        left, right = (self.left, min(self.right, x - by)) if self.right < x else (max(self.left, x + by), self.right)
        return FreeSpan(left, right, self.is_on_row)

    def shared(self, pen: Pen, parts: Sequence[Block]) -> list[tuple[Block, Span]]:
        """Each part with its share of it."""
        widths = shared(self.right - self.left, SIDE_BY_SIDE, len(parts), lambda i, width: pen.letter(parts[i], width))
        starts = accumulate((width + SIDE_BY_SIDE for width in widths), initial=self.left)
        return list(zip(parts, map(Span, starts, widths), strict=True))


def put_feet(pen: Pen, column: DrawingColumn, geometry: ColumnGeometry, room: FreeSpan) -> Cursor:
    """The lowest row with what goes in, and the stream up to the layers; ``room`` is where boxes may stand beside."""
    below = replace(geometry, tint=Tint.EMBEDDING)
    if column.shared is not None:
        return again(pen, column.shared, column.shared_by, below)
    foot = foot_of(column.feet, MOST if room.is_on_row else 1)
    chain, at = foot.chain, Cursor.at(geometry.x, 0.0)
    on_row: dict[str, Rectangle] = {}
    if foot.first is not None:
        beside = _beside(foot) if room.is_on_row else []
        on_row = _row(pen, [foot.first, *beside], below, room, column.reads)
        first = on_row[foot.first.path]
        at, chain = put_activation(pen, foot.first, below, Cursor.at(geometry.x, first.y)), chain[1:]
    elif column.reads:
        pen.word(pen.context.input(column.reads), geometry.x, at.y, geometry.width, is_below=True)
    if column.is_joined:
        at = _joined(pen, Joint((), Joining.INSERT), below, at, at.y - RISE - RADIUS, at.y)
        pen.places[SEQUENCES] = Rectangle(geometry.x - SEQUENCE / 2, at.y, SEQUENCE, 2 * RADIUS)
    for part in chain:
        at = _join(pen, part, on_row, below, room, at) if isinstance(part, Joint) else run(pen, (part,), below, at)
    return at


def again(pen: Pen, table: Block, owner: str, geometry: ColumnGeometry) -> Cursor:
    """A table of another column, that of the layers ``owner``, that this one reads too, which is counted there."""
    name = called(pen.context, table.component, table.path)
    told = pen.context.sentence("again", owner=pen.context.owner(owner))
    counted = "" if pen.context.labels is Labels.NONE else told
    lettered = label(name, None, counted, geometry.width, pen.context.measure)
    place = Rectangle(geometry.span.x, -lettered.height, geometry.width, lettered.height)
    title = pen.context.sentence("aloud", part=name, told=told)
    pen.marks.append(Box(place, Tint.EMBEDDING, lettered.at(place.middle, place.y), table.path, title))
    pen.copies[table.path] = place
    source(pen, table, place, Stream.TARGET_TOKENS)
    return Cursor.at(geometry.x, place.y)


def _beside(foot: Foot) -> list[Block]:
    """The boxes that stand on the lowest row beside the first: those of the first joint, and of others while there is room."""
    row: list[Block] = []
    for part in foot.chain[1:]:
        boxes = [box for side in part.sides for box in blocks(side)] if isinstance(part, Joint) else []
        if row and len(row) + len(boxes) > MOST:
            break
        row += boxes
    return row


def _row(pen: Pen, parts: Sequence[Block], geometry: ColumnGeometry, room: FreeSpan, reads: str) -> dict[str, Rectangle]:
    """The boxes of the lowest row, the first on the spine, all of one height."""
    placed = [(parts[0], geometry.span), *room.shared(pen, parts[1:])]
    pen.row(placed, 0.0, Tint.EMBEDDING)
    for part in parts:
        source(pen, part, pen.places[part.path], reads if part is parts[0] else "")
    return {part.path: pen.places[part.path] for part in parts}


def source(pen: Pen, part: Block, place: Rectangle, reads: str = "") -> None:
    """Draw the input of a box from outside of the model: an arrow, and its word if that is known."""
    word = reads or input_of(part)
    if word:
        pen.wire((place.middle, place.bottom + INPUT_RISE), (place.middle, place.bottom))
        pen.word(pen.context.input(word), place.middle, place.bottom + INPUT_RISE, place.width + SIDE_BY_SIDE, is_below=True)


def input_of(part: Block) -> str:
    """Return what a box reads from outside: its own input, or that of the part which reads such a side."""
    if part.component.reads:
        return part.component.reads
    component = part.component
    if Projection.PATCHES in component.makes:
        return IMAGE
    if component.rows is not None and component.rows in INPUTS:
        return INPUTS[component.rows]
    return FRAMES if component.reads_data and component.role is Role.MATRIX else ""


def _join(
    pen: Pen, joint: Joint, on_row: Mapping[str, Rectangle], geometry: ColumnGeometry, room: FreeSpan, at: Cursor
) -> Cursor:
    """A ⊕, or the pill of one sequence, into which come the boxes of the lowest row, a computed pill, or a row of its own."""
    pill = next((part for side in joint.sides for part in side if isinstance(part, Computation)), None)
    if pill is not None:
        return run(pen, (pill,), geometry, at)
    sides = [list(blocks(side)) for side in joint.sides if any(blocks(side))]
    boxes = [box for side in sides for box in side]
    if all(box.path in on_row for box in boxes):
        return _joined(pen, joint, geometry, at, _from_below(pen, joint, sides, on_row, geometry, at.y - RISE - RADIUS))
    spots, top = _own_row(pen, joint, boxes, geometry, room, at)
    if len(boxes) > 1:
        return _joined(pen, joint, geometry, at, _from_below(pen, joint, sides, spots, geometry, top - RISE))
    [place] = spots.values()
    towards, middle = (place.x if place.x > geometry.x else place.right), place.level
    pen.wire((towards, middle), (_edge(joint, geometry, towards), middle))
    return _joined(pen, joint, geometry, at, middle, top)


def _from_below(
    pen: Pen,
    joint: Joint,
    sides: Sequence[Sequence[Block]],
    spots: Mapping[str, Rectangle],
    geometry: ColumnGeometry,
    middle: float,
) -> float:
    """Wires from boxes that stand lower, each side's from the last of its chain: the height at which they arrive."""
    for side in sides:
        for part, following in pairwise(side):
            here, there = spots[part.path], spots[following.path]
            level = max(here.y, there.y) + min(here.height, there.height) / 2
            ends = (here.right, there.x) if here.x < there.x else (here.x, there.right)
            pen.wire(*((end, level) for end in ends))
        place = spots[side[-1].path]
        pen.wire((place.middle, place.y), (place.middle, middle), (_edge(joint, geometry, place.middle), middle))
    return middle


def _own_row(
    pen: Pen, joint: Joint, boxes: Sequence[Block], geometry: ColumnGeometry, room: FreeSpan, at: Cursor
) -> tuple[dict[str, Rectangle], float]:
    """Boxes on a row of their own beside the stream: where they stand, and how high they reach."""
    nearer = SEQUENCE / 2 if joint.is_pill else RADIUS
    has_input = any(input_of(box) for box in boxes) and room.is_on_row
    highest = at.y - ROW_APART - (INPUT_RISE + INPUT_WORD if has_input else 0.0)
    placed = room.beside(geometry.x, nearer + SHAFT).shared(pen, boxes)
    foot = min(highest, at.y - RISE - RADIUS + pen.height(placed) / 2)
    places = dict(zip((box.path for box in boxes), pen.row(placed, foot, Tint.EMBEDDING), strict=True))
    for box in boxes if room.is_on_row else ():
        source(pen, box, places[box.path])
    return places, min(place.y for place in places.values())


def _edge(joint: Joint, geometry: ColumnGeometry, x: float) -> float:
    """Return the point at which a wire from the side of x arrives: at the circle, or at the pill's end."""
    return geometry.x + (1 if x > geometry.x else -1) * (SEQUENCE / 2 if joint.is_pill else RADIUS)


def _joined(pen: Pen, joint: Joint, geometry: ColumnGeometry, at: Cursor, middle: float, top: float = 0.0) -> Cursor:
    """The stream through a joint; the layers begin above what stands beside it."""
    half = RADIUS
    if joint.is_pill:
        span = Span.around(geometry.x, SEQUENCE)
        half = pen.pill(pen.context.sentence(joint.joining), geometry.x, middle, span, is_around=True).height / 2
    else:
        pen.operation("+", geometry.x, middle)
    pen.wire(*at.trail, (geometry.x, middle + half))
    return Cursor(((geometry.x, middle - half),), min(middle - half, top + ROW_APART / 2))


def shared(room: float, gap: float, number: int, letter: Callable[[int, float], Lettered]) -> list[float]:
    """The widths of so many boxes with a gap between; ``letter`` is what stands in one of a width.

    Two boxes share the room so that both show their formulas, then with the fewest bad line breaks, then with the least height.
    Three or more are of one width.
    """
    free = room - gap * (number - 1)
    if number != 2:
        return [free / max(number, 1)] * number

    def cost(widths: Sequence[float]) -> tuple[int, int, float]:
        boxes = [letter(i, width) for i, width in enumerate(widths)]
        return -sum(map(_has_formula, boxes)), sum(map(_bad_breaks, boxes)), round(max(box.height for box in boxes), 3)

    return min(([first * free, (1 - first) * free] for first in FIRSTS), key=cost)


def _has_formula(lettered: Lettered) -> bool:
    return any(isinstance(piece.value, Expression) for line in lettered.lines for piece in line.pieces)


def _bad_breaks(lettered: Lettered) -> int:
    """Return the number of lines that end within a tight product or within parentheses."""
    texts = ["".join(piece.value for piece in line.pieces if isinstance(piece.value, str)) for line in lettered.lines]
    return sum(line.endswith(DOT) or line.count("(") != line.count(")") for line in texts)

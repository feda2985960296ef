"""Feet: what stands below the layers: tables on a row, sums into which they come, what goes into each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise

from symparams.components.facts import Projection, Rows, Stream
from symparams.components.kinds import Role
from symparams.drawings.context import Labels
from symparams.drawings.distances import RADIUS, RISE, SIDE_BY_SIDE
from symparams.drawings.layout.pen import Pen
from symparams.drawings.layout.spine import SEQUENCE, put_activation, run
from symparams.drawings.lettering.formulas import DOT
from symparams.drawings.lettering.lettering import Lettered, label
from symparams.drawings.marks import Box, Rectangle, Tint
from symparams.drawings.outline.chains import MOST, Foot, Joining, Joint, foot_of
from symparams.drawings.outline.columns import DrawingColumn
from symparams.drawings.outline.parts import Block, Computation, blocks
from symparams.drawings.panels.facts import named_on_spine
from symparams.drawings.ways import Span, Way
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


def put_feet(pen: Pen, column: DrawingColumn, way: Way) -> Way:
    """The lowest row with what goes in, and the stream up to the layers."""
    way = replace(way, tint=Tint.EMBEDDING)
    if column.shared is not None:
        return again(pen, column.shared, column.shared_by, way)
    foot = foot_of(column.feet, 1 if way.is_narrow else MOST)
    chain, way = foot.chain, way.at(0.0)
    on_row: dict[str, Rectangle] = {}
    if foot.first is not None:
        on_row = _row(pen, [foot.first, *([] if way.is_narrow else _beside(foot))], way, column.reads)
        way, chain = put_activation(pen, foot.first, way.at(on_row[foot.first.path].y)), chain[1:]
    elif column.reads:
        pen.word(pen.context.input(column.reads), way.x, way.y, way.width, is_below=True)
    if column.is_joined:
        way = _joined(pen, Joint((), Joining.INSERT), way, way.y - RISE - RADIUS, way.y)
        pen.places[SEQUENCES] = Rectangle(way.x - SEQUENCE / 2, way.y, SEQUENCE, 2 * RADIUS)
    for part in chain:
        way = _join(pen, part, on_row, way) if isinstance(part, Joint) else run(pen, (part,), way)
    return way


def again(pen: Pen, table: Block, owner: str, way: Way) -> Way:
    """A table of another column, that of the layers ``owner``, that this one reads too, which is counted there."""
    name = named_on_spine(pen.context, table.component, table.path)
    told = pen.context.sentence("again", owner=pen.context.owner(owner))
    counted = "" if pen.context.labels is Labels.NONE else told
    lettered = label(name, None, counted, way.width, pen.context.measure)
    place = Rectangle(way.room.x, -lettered.height, way.width, lettered.height)
    title = pen.context.sentence("aloud", part=name, told=told)
    pen.marks.append(Box(place, Tint.EMBEDDING, lettered.at(place.middle, place.y), table.path, title))
    pen.copies[table.path] = place
    source(pen, table, place, Stream.TARGET_TOKENS)
    return way.at(place.y)


def _beside(foot: Foot) -> list[Block]:
    """The boxes that stand on the lowest row beside the first: those of the first joint, and of others while there is room."""
    row: list[Block] = []
    for part in foot.chain[1:]:
        boxes = [box for side in part.sides for box in blocks(side)] if isinstance(part, Joint) else []
        if row and len(row) + len(boxes) > MOST:
            break
        row += boxes
    return row


def _row(pen: Pen, parts: Sequence[Block], way: Way, reads: str) -> dict[str, Rectangle]:
    """The boxes of the lowest row, the first on the spine, all of one height."""
    pen.row([(parts[0], way.room), *_shares(pen, way.aside, parts[1:])], 0.0, Tint.EMBEDDING)
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


def _join(pen: Pen, joint: Joint, on_row: Mapping[str, Rectangle], way: Way) -> Way:
    """A ⊕, or the pill of one sequence, into which come the boxes of the lowest row, a computed pill, or a row of its own."""
    pill = next((part for side in joint.sides for part in side if isinstance(part, Computation)), None)
    if pill is not None:
        return run(pen, (pill,), way)
    sides = [list(blocks(side)) for side in joint.sides if any(blocks(side))]
    boxes = [box for side in sides for box in side]
    if all(box.path in on_row for box in boxes):
        return _joined(pen, joint, way, _from_below(pen, joint, sides, on_row, way, way.y - RISE - RADIUS))
    spots, top = _own_row(pen, joint, boxes, way)
    if len(boxes) > 1:
        return _joined(pen, joint, way, _from_below(pen, joint, sides, spots, way, top - RISE))
    [place] = spots.values()
    towards, middle = (place.x if place.x > way.x else place.right), place.level
    pen.wire((towards, middle), (_edge(joint, way, towards), middle))
    return _joined(pen, joint, way, middle, top)


def _from_below(
    pen: Pen,
    joint: Joint,
    sides: Sequence[Sequence[Block]],
    spots: Mapping[str, Rectangle],
    way: Way,
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
        pen.wire((place.middle, place.y), (place.middle, middle), (_edge(joint, way, place.middle), middle))
    return middle


def _own_row(pen: Pen, joint: Joint, boxes: Sequence[Block], way: Way) -> tuple[dict[str, Rectangle], float]:
    """Boxes on a row of their own beside the stream: where they stand, and how high they reach."""
    nearer = SEQUENCE / 2 if joint.is_pill else RADIUS
    has_input = any(input_of(box) for box in boxes) and not way.is_narrow
    highest = way.y - ROW_APART - (INPUT_RISE + INPUT_WORD if has_input else 0.0)
    left, right = way.aside.x, way.aside.right  # as far as neither the stream nor the shaft of an arrow stands
    left, right = (left, min(right, way.x - nearer - SHAFT)) if right < way.x else (max(left, way.x + nearer + SHAFT), right)
    placed = _shares(pen, Span(left, right - left), boxes)
    foot = min(highest, way.y - RISE - RADIUS + pen.height(placed) / 2)
    places = dict(zip((box.path for box in boxes), pen.row(placed, foot, Tint.EMBEDDING), strict=True))
    for box in () if way.is_narrow else boxes:
        source(pen, box, places[box.path])
    return places, min(place.y for place in places.values())


def _edge(joint: Joint, way: Way, x: float) -> float:
    """Return the point at which a wire from the side of x arrives: at the circle, or at the pill's end."""
    return way.x + (1 if x > way.x else -1) * (SEQUENCE / 2 if joint.is_pill else RADIUS)


def _joined(pen: Pen, joint: Joint, way: Way, middle: float, top: float = 0.0) -> Way:
    """The stream through a joint; the layers begin above what stands beside it."""
    half = RADIUS
    if joint.is_pill:
        span = Span.around(way.x, SEQUENCE)
        half = pen.pill(pen.context.sentence(joint.joining), way.x, middle, span, is_around=True).height / 2
    else:
        pen.operation("+", way.x, middle)
    pen.wire(*way.wire, (way.x, middle + half))
    return way.through((way.x, middle - half), y=min(middle - half, top + ROW_APART / 2))


def _shares(pen: Pen, room: Span, parts: Sequence[Block]) -> list[tuple[Block, Span]]:
    """Each part with its share of a room."""
    widths = shared(room.width, SIDE_BY_SIDE, len(parts), lambda i, width: pen.letter(parts[i], width))
    starts = accumulate((width + SIDE_BY_SIDE for width in widths), initial=room.x)
    return list(zip(parts, map(Span, starts, widths), strict=True))


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

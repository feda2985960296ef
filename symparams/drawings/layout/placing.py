"""Placing: where the columns of a drawing stand, and in which order all of it is put down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from symparams.components.walks import components
from symparams.drawings.distances import PICTURE_EDGE, PICTURE_WIDTH, RISE, TURN
from symparams.drawings.layout.beside import (
    Shelf,
    at_sides,
    balanced,
    inner,
    layers_foot,
    on_the_left,
    put_badges,
    put_panels,
    wanted,
    wishes,
)
from symparams.drawings.layout.feet import INPUT_RISE, INPUT_WORD, put_feet, source
from symparams.drawings.layout.heads import heads_of, is_wide, out, put_heads
from symparams.drawings.layout.pen import Layout, Pen
from symparams.drawings.layout.spine import DOT, FIRST, run
from symparams.drawings.layout.ties import WHOLE_SCORES, crosses, put_beside, put_crossings, put_into_sequence, put_ties
from symparams.drawings.marks import Group, Point, Tint
from symparams.drawings.outline.chains import foot_of
from symparams.drawings.outline.columns import DrawingColumn, Outline
from symparams.drawings.outline.ends import end_of, unread
from symparams.drawings.outline.parts import AlternatingLayers, Block, LayerStack, Part, blocks
from symparams.drawings.panels import WIDTHS
from symparams.drawings.ways import Span, Way, past
from symparams.records import frozen

GUTTER, PAD = 13.0, 5.0
TIED = 9.0  # the room of a dashed line
BLOCK, WIDE, NARROW = 96.0, 112.0, 90.0  # how wide a block is: beside others, with branches side by side, of two columns
ALONE = 132.0  # and where nothing stands beside it
SPINE, TOWER = 148.0, 104.0  # of a wide drawing: the only column, and one of several
ABREAST, OF_TWO = 104.0, 130.0  # of a wide drawing: each of layers that take turns, and each of two
HEAD = 40.0  # about what stands above the layers
DOUBLE, DOUBLE_WIDE = 128.0, 160.0  # where layers that take turns stand side by side, with branches or without
PANEL_APART = 9.0  # a panel from its container
WIDE_PANEL_APART = 5.0  # where panels are wide
SUM_APART = 10.0  # what comes in beside the column, from its middle
LOWER = 6.0  # from what goes in to a row below it
BESIDE_FRAME, INTO_FRAME = 3.0, 4.5  # from a frame to a wire up beside it, and to one that enters the frame


@frozen
class Plan:
    """The ways of the columns, where dashed lines run, between what heads may stand.

    ``before`` is the width of the panels left of the columns, ``on_left`` the paths of their blocks, ``beside`` where those at
    the right begin.
    """

    ways: tuple[Way, ...]
    lane: float
    left: float
    right: float
    width: float  # of the picture
    before: float = 0.0
    on_left: frozenset[str] = frozenset()
    beside: float = 0.0

    def gap(self, column: int) -> float:
        """The middle between a column and the one before it."""
        return (self.ways[column - 1].right + self.ways[column].left) / 2


def plan(pen: Pen, drawn: Outline) -> Plan:
    """Return the places of the columns: one at the left, or in the middle without panels; several fill the width.

    Layers side by side are as wide as they need, and so is the picture.
    """
    wider = pen.context.widening
    if pen.layout is Layout.WIDE and pen.has_panels and wishes(pen.context, *drawn.columns):
        return _wide(pen, drawn) if len(drawn.columns) > 1 else _wide_of_one(pen, drawn.columns[0])
    if len(drawn.columns) > 1:
        return _columns([_width_of_several(column) * wider for column in drawn.columns])
    column = drawn.columns[0]
    edge = PICTURE_EDGE + (TIED if _is_tied(column) else 0.0)
    picture = PICTURE_WIDTH * wider
    left, gutter, width, apart = edge, GUTTER, wider * (WIDE if column.forks else BLOCK), PANEL_APART
    asked = wishes(pen.context, column) if pen.has_panels else {}
    panels = wanted(column, asked.values(), wider)
    before, on_left = 0.0, frozenset[str]()
    if column.alternates:
        gutter = GUTTER if any(isinstance(part, LayerStack) for part in column.spine) else PAD
        groups = [group for part in column.spine if isinstance(part, AlternatingLayers) for group in part.groups]
        of_two = DOUBLE_WIDE if column.forks else DOUBLE
        width, apart = of_two * max(2, *map(len, groups)) / 2 * wider, WIDE_PANEL_APART
        on_left = on_the_left(column, asked)
        before = panels if on_left else 0.0
        left += before + apart if before else 0.0
        beside = panels or (BLOCK * wider if foot_of(column.feet).has_sides else 0.0)
        picture = left + gutter + width + PAD + (apart + beside if beside else 0.0) + PICTURE_EDGE
    elif panels:
        apart = WIDE_PANEL_APART if panels > WIDTHS[0] * wider else PANEL_APART
        width = min(width, picture - PICTURE_EDGE - panels - apart - PAD - GUTTER - left)
    elif not foot_of(column.feet).has_sides:
        width = ALONE * wider
        left = (picture - GUTTER - width - PAD) / 2
    way = _way(left + gutter + width / 2, width, -1, left, left + gutter + width + PAD)
    beside = way.right + apart
    way = replace(way, aside=_between(beside + PAD, picture - PICTURE_EDGE - PAD + 1))
    lane = PICTURE_EDGE + 3 + (before + apart if before else 0.0)
    ends = (left if before else edge, picture - PICTURE_EDGE, picture)
    return Plan((way,), lane, *ends, before, on_left, beside)


def _wide(pen: Pen, drawn: Outline) -> Plan:
    """Several columns in the middle, and the panels at both sides of them, of one width."""
    left, right = at_sides(drawn.columns, pen.context)
    widest = max((*left.values(), *right.values()))
    before, after = (widest if side else 0.0 for side in (left, right))
    start = PICTURE_EDGE + (before + PANEL_APART if before else 0.0)
    blocks = [_width_of_several(column, TOWER) * pen.context.widening for column in drawn.columns]
    own = _columns(blocks, start - 1)
    edge = own.ways[-1].right + (TIED if any(map(_is_tied, drawn.columns)) else 0.0)
    beside = edge + PANEL_APART
    width = (beside + after if after else edge) + PICTURE_EDGE
    return replace(own, width=width, before=before, on_left=frozenset(left), beside=beside)


def _wide_of_one(pen: Pen, column: DrawingColumn) -> Plan:
    """The only column between panels that are about as high as it."""
    wider = pen.context.widening
    groups = [group for part in column.spine if isinstance(part, AlternatingLayers) for group in part.groups]
    across = max(map(len, groups), default=1)
    width = (SPINE if across < 2 else (OF_TWO if across == 2 else ABREAST) * across) * wider
    gutter = GUTTER if not groups or any(isinstance(part, LayerStack) for part in column.spine) else PAD
    tied = TIED if _is_tied(column) else 0.0
    has_sides = foot_of(column.feet).has_sides
    alone = _way(gutter + width / 2, width, -1, 0.0, gutter + width + PAD)
    aside = _between(alone.right + PANEL_APART + PAD, alone.right + PANEL_APART + NARROW * wider)
    tried = replace(pen, marks=[], places={}, drawn={}, copies={})
    end = climb(tried, column, alone.at(put_feet(tried, column, replace(alone, aside=aside)).y))
    sides = balanced(tried, column, alone.x, (0.0 if is_wide(heads_of(column)) else HEAD) - end.y)
    start = PICTURE_EDGE + (sides.before + PANEL_APART if sides.before else 0.0) + tied
    way = replace(alone.of(start + alone.x, width), left=start, right=start + alone.right)
    after, beside = max(sides.after, NARROW * wider if has_sides else 0.0), way.right + PANEL_APART
    whole = (beside + after if after else way.right) + PICTURE_EDGE
    way = replace(way, aside=_between(beside + PAD, whole - PICTURE_EDGE - PAD + 1))
    ends = (start, whole - PICTURE_EDGE, whole)
    return Plan((way,), start - tied + 3, *ends, sides.before, sides.left, beside)


def _width_of_several(column: DrawingColumn, alone: float = NARROW) -> float:
    """How wide a block of a column beside others is: layers that take turns stand side by side in it."""
    return alone if not column.alternates else DOUBLE_WIDE if column.forks else DOUBLE


def _columns(blocks: Sequence[float], start: float = 0.0) -> Plan:
    """Columns side by side: sums are bridged at the left of the first, at the right of the others, where dashed lines run."""
    ways: list[Way] = []
    left = start = start + 1
    for i, block in enumerate(blocks):
        right = left + GUTTER + block + PAD
        middle = left + (PAD if i else GUTTER) + block / 2
        aside = _between(middle + SUM_APART, right) if i else _between(start, middle - SUM_APART)
        ways.append(replace(_way(middle, block, 1 if i else -1, left, right), aside=aside, is_narrow=True))
        left = right + GUTTER
    return Plan(tuple(ways), right + 6, start + PICTURE_EDGE - 1, right, right + 10)


def _way(x: float, width: float, side: int, left: float, right: float) -> Way:
    """The way of a column around x: how wide a block is, on which side sums are bridged, how far its frame reaches."""
    return Way(x, room=Span.around(x, width), side=side, left=left, right=right)


def _between(left: float, right: float) -> Span:
    return Span(left, right - left)


def _is_tied(column: DrawingColumn) -> bool:
    heads = (block for head in column.heads for block in blocks(head.parts))
    return any(tensor.tied_to for block in heads for tensor in block.component.tensors)


def place(pen: Pen, drawn: Outline, planned: Plan | None = None) -> float:
    """Put down all of a drawing but its header and its legend: how wide it is."""
    planned = planned or plan(pen, drawn)
    pen.has_encoder = len(drawn.columns) > 1
    feet = [put_feet(pen, *of) for of in zip(drawn.columns, planned.ways, strict=True)]
    pen.lowest = min(pen.lowest, *(foot.y for foot in feet))  # the layers of all columns begin on one line
    ways = [way.through(*foot.wire, y=pen.lowest) for way, foot in zip(planned.ways, feet, strict=True)]
    ends = [climb(pen, column, way) for column, way in zip(drawn.columns, ways, strict=True)]
    below(pen, drawn, planned)
    top = panels_beside(pen, drawn, planned, ends) if pen.has_panels else min(end.y for end in ends)
    above(pen, drawn, planned, ends, top)
    put_ties(pen, planned.ways, planned.lane)
    return planned.width


def climb(pen: Pen, column: DrawingColumn, way: Way) -> Way:
    """The layers of a column, and what stands above the last of them."""
    end, passed = end_of(column), unread(column)
    way = replace(run(pen, column.spine[: len(column.spine) - len(end)], way), tint=Tint.HEAD)
    way = run(pen, end[: passed.start], way)
    if end[passed]:
        way = around(pen, end[passed], way)
    return run(pen, end[passed.stop :], way)


def around(pen: Pen, parts: Sequence[Part], way: Way) -> Way:
    """Parts that lead nowhere, since what follows reads what comes into them: the wire that passes them by."""
    dot = way.y - DOT
    end = run(pen, parts, way.up(FIRST))
    top = pen.word(pen.context.sentence("unread"), way.x, end.y, way.width) - TURN
    pen.wire((way.x, dot), (way.bridge, dot), arrow=False)
    return way.through((way.bridge, dot), (way.bridge, top), (way.x, top), y=top)


def panels_beside(pen: Pen, drawn: Outline, planned: Plan, ends: Sequence[Way]) -> float:
    """The panels of the columns, on their shelves: how high these or the columns reach."""
    last, foot = drawn.columns[-1], max(layers_foot(pen, column) for column in drawn.columns)
    beside = [spot for spot in pen.places.values() if spot.x > planned.ways[-1].right]
    shown = inner(*reversed(drawn.columns))
    right = [block for block in shown if block.path not in planned.on_left]
    width = planned.width - PICTURE_EDGE + 0.5 - planned.beside
    shelves = [Shelf(right, planned.beside, width, foot, foot if beside else 0.0)]
    if planned.before:
        left = [block for block in shown if block.path in planned.on_left]
        shelves.append(Shelf(left, PICTURE_EDGE - 0.5, planned.before + 0.5, foot, 0.0, -1))
    top = min(end.y for end in ends)
    highest, frames = put_panels(pen, shelves, top, is_level=last.forks or last.alternates)
    if pen.layout is Layout.WIDE and not pen.is_on_sheet:
        put_badges(pen, drawn.columns, frames)
    return min(top, highest)


def above(pen: Pen, drawn: Outline, planned: Plan, ends: Sequence[Way], top: float) -> None:
    """Draw what leaves the columns: into one another, into heads; wide heads stand above all else, from ``top`` on."""
    tops = [min(end.y, top) for end in ends]
    is_read = [False] * len(ends)
    for i, column in enumerate(drawn.columns[1:], 1):
        if column.is_joined or crosses(pen, column):
            is_read[i - 1] = True
            tops[i - 1] = (
                put_into_sequence(pen, ends[i - 1], planned.gap(i))
                if column.is_joined
                else put_crossings(pen, ends[i - 1], column, planned.gap(i))
            )
        for j in (j for j in range(i - 1) if column.is_joined and not (is_read[j] or drawn.columns[j].gives)):
            is_read[j] = True
            tops[j] = put_beside(pen, ends[j], ends[i - 1], tops[i - 1])
    for i, column in enumerate(drawn.columns):
        heads = heads_of(column)
        if (is_read[i] and not column.heads) or drawn.heads:
            continue
        has_width = len(ends) == 1 or is_wide(heads)
        end = ends[i].through(*ends[i].wire, y=min(tops)) if is_wide(heads) else ends[i]
        span = (planned.left, planned.right) if has_width else (end.left, end.right)
        tops.append(put_heads(pen, heads, end, span, min(tops)))
    if drawn.heads:
        put_heads_of_all(pen, drawn, planned, ends)


def put_heads_of_all(pen: Pen, drawn: Outline, planned: Plan, ends: Sequence[Way]) -> None:
    """A head that reads every column: a box over all of them, and beside it what else reads the last."""
    last, own = planned.ways[-1], drawn.columns[-1].heads
    top = min(end.y for end in ends) - RISE - (PAD if own else 0.0)
    left, right = planned.ways[0].left + GUTTER, last.x + PAD if own else last.right - GUTTER
    span = Span(left, right - left)
    for head in drawn.heads:
        trails = [(*end.wire, (end.x, top)) for end in ends]
        if head.is_of_cosines:
            for trail in trails:
                pen.wire(*trail)
            spot = pen.pill(pen.context.sentence("cosine"), span.middle, top, span)
            trails, top = [((span.middle, spot.y), (span.middle, spot.y - RISE))], spot.y - RISE
        for block in blocks(head.parts):
            width = span.width if len(trails) > 1 else min(span.width, planned.ways[0].width)
            spot = pen.box(block, Span.around(span.middle, width), top, tint=Tint.HEAD)
            for trail in trails:
                pen.wire(*trail)
            out(pen, head.gives.value, Way(spot.middle, spot.y, Span(spot.x, spot.width)))
    if own:
        beside = _way((right + PAD + last.right) / 2, last.right - right - PAD, 1, right + PAD, last.right)
        fork = ends[-1].y - PAD
        start = beside.through((last.x, fork), (beside.x, fork), y=fork)
        put_heads(pen, heads_of(drawn.columns[-1]), start, (beside.left, beside.right))


def below(pen: Pen, drawn: Outline, planned: Plan) -> None:
    """Draw what is below the lowest row: tables to which others are tied, and what acts on attention's scores."""
    start = INPUT_RISE + INPUT_WORD + LOWER
    for owner in drawn.owners:
        width = planned.ways[0].width
        x = planned.gap(1) if len(drawn.columns) > 1 else planned.ways[0].x
        height = pen.letter(owner, width).height
        pen.box(owner, Span.around(x, width), start + height, tint=Tint.EMBEDDING)
        start += height + RISE
    for column, way in zip(drawn.columns, planned.ways, strict=True):
        for chain in column.scores:
            scores(pen, column, [part for part in chain if isinstance(part, Block)], way, start)
        for path, parts in column.inputs.items():
            inputs(pen, path, parts, way, start)


def inputs(pen: Pen, path: str, parts: Sequence[Part], way: Way, start: float) -> None:
    """What each layer reads besides, below the column: where it comes from, and that it goes into every layer."""
    own, aside = replace(pen, marks=[], places={}), _between(way.x + SUM_APART, way.right)
    way = put_feet(own, DrawingColumn(feet=list(parts)), replace(way, aside=aside, is_narrow=True))
    top = way.y - INPUT_RISE
    own.wire(*way.wire, (way.x, top))
    facts = [part.attending for _, part in components(pen.context.model.tree) if part.attending]
    where = "to_attention" if any(attending.placed_by == path for attending in facts) else "each_layer"
    name = pen.context.name(path.rpartition(".")[2])
    top = own.word(pen.context.sentence(where, input=name), way.x, top, way.width)
    pen.marks += Group(way.width, -top, tuple(own.marks)).moved(0.0, start - top).marks
    for box, place in own.places.items():
        pen.places[box] = replace(place, y=place.y + start - top)


def scores(pen: Pen, column: DrawingColumn, chain: Sequence[Block], way: Way, start: float) -> None:
    """A chain that acts on the scores of attention: below the column, with a wire up beside its frame into the first."""
    heights = [pen.letter(part, way.width).height for part in chain]
    y = start + sum(heights) + RISE * (len(chain) - 1)
    trail: tuple[Point, ...] = ()
    for part in chain:
        spot = pen.box(part, way.room, y, tint=Tint.EMBEDDING)
        if trail:
            pen.wire(*trail, (way.x, y))
        else:
            source(pen, part, spot)
        trail, y = ((way.x, spot.y),), spot.y - RISE
    path = next((block.path for block in blocks(tuple(column.spine)) if _is_biased(block)), "")
    if path:
        target, (away, share) = pen.where(path), (BESIDE_FRAME, 0.5) if path in pen.places else (INTO_FRAME, WHOLE_SCORES)
        side = -way.side
        edge = spot.right if side > 0 else spot.x
        lane = (way.right if side > 0 else way.left) + side * away
        middle = target.y + target.height * share
        into = target.right if side > 0 else target.x
        pen.wire(*past((edge, spot.level), lane, (into, middle)))


def _is_biased(block: Block) -> bool:
    attending = block.component.attending
    return attending is not None and attending.positions.startswith("relative") and not block.component.reads

"""The spine of a column: its parts one above another, the sums that bridge them, branches side by side, stacks around them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from symparams.components.activations import ACTIVATION
from symparams.components.facts import Stream, key
from symparams.components.kinds import Role
from symparams.components.walks import components
from symparams.drawings.canvas import TINTS, Cursor, Span
from symparams.drawings.context import DrawingContext
from symparams.drawings.distances import BESIDE_WIRE, INSIDE, RADIUS, RISE, SHORT_RISE, SIDE_BY_SIDE, TURN
from symparams.drawings.layout.pen import ColumnGeometry, Pen
from symparams.drawings.layout.strips import proportion, strip, which_layers
from symparams.drawings.lettering.faces import PITCHES, base_line
from symparams.drawings.lettering.lettering import words
from symparams.drawings.lettering.phrases import Wording
from symparams.drawings.marks import Anchor, Face, Stroke, Text, TextPiece, Tint
from symparams.drawings.names import called
from symparams.drawings.outline.parts import (
    AlternatingLayers,
    Block,
    Computation,
    Fork,
    LayerStack,
    Part,
    Residual,
    SecondStream,
    SplitSlot,
    SplitStack,
    begins_anew,
    has_own_input,
    walk,
)
from symparams.drawings.panels.facts import activation, adjustments

DOT, FIRST = 4.0, 2.0  # from where a sum begins to its dot; how much further than RISE its first part is away
SUM = 11.0  # from the last part of a sum to the middle of its ⊕
TAKEN = 46.0  # the width of the pill that says that layers take turns
SHARES = {1: (1.0,), 2: (0.64, 0.36)}  # of the width, of what is made of an input and of a vector in its place
PASSING = 2.5  # from a box to the wire of a stream that passes it
SEQUENCE = 32.0  # the width of the pill that says that what comes together stands in one sequence
REMARK = 30.0  # the width of words beside a wire, at least
BRANCH_GUTTER, BRANCH_PAD = 0.12, 0.05  # of the width of a branch with frames or sums of its own
LEAD = 1.0  # above and below the words at a split slot
ARROWS_APART, FORKED = 24.0, 6.0  # the three arrows into attention: how far apart, how far below they part


def run(pen: Pen, parts: Sequence[Part], geometry: ColumnGeometry, at: Cursor) -> Cursor:
    """Put parts one above another."""
    for part in parts:
        at = PUT[type(part)](pen, part, geometry, at)
    return at


def tint_of(part: Block, geometry: ColumnGeometry) -> Tint:
    """Return the tint of a box: that of its role, or of the way."""
    return TINTS.get(part.component.role, geometry.tint)


def is_split(pen: Pen, part: Part) -> bool:
    """True if three arrows go into a block: into attention whose inside is not shown."""
    if not isinstance(part, Block) or pen.has_panels:
        return False
    return part.component.role is Role.ATTENTION and not part.component.reads


def put_block(pen: Pen, part: Block, geometry: ColumnGeometry, at: Cursor, height: float = 0.0, rise: float = RISE) -> Cursor:
    """A box on the spine, and the wire that arrives at it; at least of this height, and so far up."""
    is_forked = is_split(pen, part)
    start = at.up(max(rise, RISE + FORKED if is_forked else RISE))
    place = pen.box_above(start, part, geometry.span, note(pen, part, geometry, at), height, tint_of(part, geometry))
    if is_forked:
        bottom = place.bottom
        for side in (-1, 1):
            x = geometry.x + side * min(ARROWS_APART, geometry.width / 4)
            pen.wire((geometry.x, bottom + FORKED), (x, bottom + FORKED), (x, bottom))
    return put_activation(pen, part, geometry, Cursor.at(geometry.x, place.y))


def put_pill(pen: Pen, part: Computation, geometry: ColumnGeometry, at: Cursor) -> Cursor:
    """Computed positions are added from the side; a norm that learns nothing is a pill on the spine; others act elsewhere."""
    if not part.is_put:
        return at
    if part.is_added:
        return joined_by_pill(pen, part, geometry, at)
    name = called(pen.context, part.component, part.path)
    place = pen.pill_above(at, name, geometry.span, RISE)
    return put_word(pen, part.component.activation, geometry, Cursor.at(geometry.x, place.y))


def put_residual(pen: Pen, part: Residual, geometry: ColumnGeometry, at: Cursor) -> Cursor:
    """x + f(x): a dot, what stands inside, and the ⊕ into which the wire around it comes."""
    dot = at.y - DOT
    if has_own_input(part.parts):
        return put_input_beside(pen, part, geometry, at)
    inner, within_it = part.parts, replace(geometry, is_bridged=True)
    first = at if inner and isinstance(inner[0], Residual) else at.up(FIRST)  # a sum that begins with another has its dot
    if inner and isinstance(inner[-1], Fork):
        middle = join(pen, put_branches(pen, inner[-1], within_it, run(pen, inner[:-1], within_it, first)), geometry)
    else:
        middle = arrive(pen, run(pen, inner, within_it, first), geometry)
    return put_word(pen, part.activation, geometry, bridged(pen, geometry, dot, middle))


def arrive(pen: Pen, end: Cursor, geometry: ColumnGeometry) -> float:
    """The wire into a ⊕ above it, and the height of that."""
    middle = end.y - SUM
    pen.wire(*end.trail, (geometry.x, middle + RADIUS))
    return middle


def bridged(pen: Pen, geometry: ColumnGeometry, dot: float, middle: float) -> Cursor:
    """The ⊕ at a height, and the wire around what stands below it, from a dot."""
    around = (geometry.x, dot), (geometry.bridge, dot), (geometry.bridge, middle)
    pen.operation("+", geometry.x, middle, around)
    return Cursor.at(geometry.x, middle - RADIUS)


def put_input_beside(pen: Pen, part: Residual, geometry: ColumnGeometry, at: Cursor) -> Cursor:
    """x + f(z) of another input z, or of a vector in its place: the stream passes by what is made of these."""
    dot = at.y - DOT
    pen.wire(*at.trail, (geometry.x, dot), arrow=False)
    chains = [part.parts] if not begins_anew(part.parts[-1]) else [part.parts[:-1], part.parts[-1:]]
    ends, left = [], geometry.span.x
    for chain, share in zip(chains, SHARES[len(chains)], strict=True):
        width = geometry.width * share - SIDE_BY_SIDE * (len(chains) - 1) / 2
        own = replace(geometry, x=left + width / 2, width=width, tint=Tint.EMBEDDING)
        first, *others = chain
        assert isinstance(first, Block)  # which says what it reads
        top = pen.word(pen.context.input(first.component.reads), own.x, dot - FIRST, width)
        read = replace(first, component=replace(first.component, reads=""))
        ends.append(run(pen, (read, *others), own, Cursor.at(own.x, top)))
        left += width + SIDE_BY_SIDE
    end = ends[0] if len(ends) == 1 else together(pen, ends, geometry, pen.context.sentence("choice"))
    return bridged(pen, geometry, dot, arrive(pen, end, geometry))


def put_second_stream(pen: Pen, part: SecondStream, geometry: ColumnGeometry, at: Cursor) -> Cursor:
    """The other stream comes in and goes out by its name; the wire of the first passes it on the side without bridges."""
    dot, name = at.y - DOT, pen.context.sentence("reads.second_stream")
    lane = geometry.x - geometry.side * (geometry.width / 2 + PASSING)
    start = pen.pill(name, geometry.x, dot - SHORT_RISE, most=geometry.width)
    end = run(pen, part.parts, replace(geometry, is_bridged=True), Cursor.at(geometry.x, start.y))
    top = pen.pill_above(end, name, most=geometry.width).y - TURN
    for block in (inner for inner in walk(part.parts) if isinstance(inner, Block) and inner.component.reads):
        middle = pen.places[block.path].level
        edge = geometry.x - geometry.side * geometry.width / 2
        pen.wire((geometry.x, dot), (lane, dot), (lane, middle), (edge, middle))
    return Cursor((*at.trail, (geometry.x, dot), (lane, dot), (lane, top), (geometry.x, top)), top)


def put_fork(pen: Pen, part: Fork, geometry: ColumnGeometry, at: Cursor) -> Cursor:
    """Branches that are added by themselves."""
    ends = put_branches(pen, part, geometry, at)
    if part.is_sequence:
        return together(pen, ends, geometry, pen.context.sentence("sequence"))
    middle = join(pen, ends, geometry)
    pen.operation("+", geometry.x, middle)
    return put_word(pen, part.activation, geometry, Cursor.at(geometry.x, middle - RADIUS))


def together(pen: Pen, ends: Sequence[Cursor], geometry: ColumnGeometry, text: str) -> Cursor:
    """A pill into which branches come, with the word for what becomes of them."""
    half = words(text, Face.PILL, SEQUENCE, pen.context.measure).height / 2
    middle = join(pen, ends, geometry, SEQUENCE / 2, half)
    return Cursor.at(geometry.x, pen.pill(text, geometry.x, middle, Span.around(geometry.x, SEQUENCE), is_around=True).y)


def put_branches(pen: Pen, part: Fork, geometry: ColumnGeometry, at: Cursor) -> list[Cursor]:
    """Branches side by side, each with its share of the width; boxes that stand beside one another are of one height."""
    first, fork = geometry.span.columns(len(part.branches))[0], at.y - DOT - 1
    pen.wire(*at.trail, (geometry.x, fork), arrow=False)
    ends = []
    for i, branch in enumerate(part.branches):
        own = replace(geometry, x=first.middle + i * (first.width + SIDE_BY_SIDE), width=first.width)
        if any(isinstance(inner, (Computation, Residual, LayerStack)) for inner in walk(branch)):
            own = framed(geometry, own)
        end = Cursor(((geometry.x, fork), (own.x, fork)), fork)
        for row, inner in enumerate(branch):
            if isinstance(inner, Block):
                beside = [other[row] for other in part.branches if row < len(other)]
                tallest = pen.height((block, first) for block in beside if isinstance(block, Block))
                rise = RISE + FORKED if any(is_split(pen, block) for block in beside) else RISE
                end = put_block(pen, inner, own, end, tallest, rise)
            else:
                end = run(pen, (inner,), own, end)
        ends.append(end)
    return ends


def put_slot(pen: Pen, part: SplitSlot, geometry: ColumnGeometry, at: Cursor) -> Cursor:
    """Blocks side by side of which each layer has one: a dotted fork, below it which layers have which, and where they meet."""
    x, spans = geometry.x, geometry.span.columns(len(part.blocks))
    fork = at.y - PITCHES[Face.NOTE] - 2 * LEAD
    pen.wire(*at.trail, (x, fork), arrow=False)
    foot, height = fork - RISE, pen.height(zip(part.blocks, spans, strict=True))
    for block, span, which in zip(part.blocks, spans, which_layers(pen.context, part), strict=True):
        pen.wire((x, fork), (span.middle, fork), (span.middle, foot), stroke=Stroke.ROUTE)
        place = pen.box(block, span, foot, height, tint=tint_of(block, geometry))
        pen.wire(place.head, (place.middle, place.y - TURN), (x, place.y - TURN), arrow=False)
        pieces = tuple(TextPiece(run, Face.NOTE if isinstance(run, str) else Face.FORMULA) for run in which)
        side, scale = 1 if span.middle > x else -1, min(1.0, (span.width - BESIDE_WIRE) / pen.context.measure(pieces))
        anchor = Anchor.START if side > 0 else Anchor.END
        pen.marks.append(Text(x + side * BESIDE_WIRE, fork + LEAD + base_line(Face.NOTE), pieces, anchor, scale))
    return Cursor.at(x, foot - height - TURN)


def join(pen: Pen, ends: Sequence[Cursor], geometry: ColumnGeometry, reach: float = RADIUS, half: float = RADIUS) -> float:
    """The height of the ⊕ above branches: those on the far side of the residual wire come from across."""
    top = min(end.y for end in ends)
    middle = top - TURN - RADIUS - half
    for end in ends:
        x = end.trail[-1][0]
        if geometry.side * (x - geometry.x) < -reach:
            pen.wire(*end.trail, (x, middle), (geometry.x - geometry.side * reach, middle))
        else:
            pen.wire(*end.trail, (x, top - TURN + 1), (geometry.x, top - TURN + 1), (geometry.x, middle + half))
    return middle


def put_stack(pen: Pen, part: LayerStack, geometry: ColumnGeometry, at: Cursor) -> Cursor:
    """A frame around a layer, with a strip on top: the wire enters below, passes behind the strip and leaves above it."""
    if pen.is_stacks:
        return put_closed(pen, part, geometry, at)
    has_frames = any(isinstance(inner, LayerStack) for inner in walk(part.parts))
    index, start = len(pen.marks), Cursor(at.trail, at.y - TURN)
    end = run(pen, part.parts, within(geometry) if has_frames else geometry, start)
    return enclose(pen, part, geometry, index, start.y, end)


def put_alternating(pen: Pen, part: AlternatingLayers, geometry: ColumnGeometry, at: Cursor) -> Cursor:
    """A frame around stacks whose layers take turns, side by side: each layer is one of them, or one of each group."""
    index, bottom = len(pen.marks), at.y - TURN
    end = Cursor(at.trail, bottom)
    for group in part.groups:
        if len(group) == 1:
            end = run(pen, group, within(geometry), end)
        else:
            ends = put_branches(pen, Fork(tuple((stack,) for stack in group)), within(geometry), end)
            end = join_alternating(pen, ends, geometry, proportion(pen.context, group, TAKEN))
    return enclose(pen, part, geometry, index, bottom, end)


def join_alternating(pen: Pen, ends: Sequence[Cursor], geometry: ColumnGeometry, text: str) -> Cursor:
    """A pill into which each branch comes: from its side, or from below where it stands under it."""
    bottom = min(end.y for end in ends) - TURN
    place = pen.pill(text, geometry.x, bottom, Span.around(geometry.x, TAKEN))
    middle = place.level
    for end in ends:
        x = end.trail[-1][0]
        beside = (x, middle), (geometry.x + (TAKEN if x > geometry.x else -TAKEN) / 2, middle)
        pen.wire(*end.trail, *(((x, bottom),) if abs(x - geometry.x) < TAKEN / 2 else beside))
    return Cursor.at(geometry.x, place.y)


def enclose(
    pen: Pen, part: LayerStack | AlternatingLayers, geometry: ColumnGeometry, index: int, bottom: float, end: Cursor
) -> Cursor:
    """The frame around what has been put since the mark of this index."""
    under = end.y - INSIDE
    pen.wire(*end.trail, (geometry.x, under), arrow=False)
    return put_frame(pen, part, geometry, index, bottom, under)


def put_frame(
    pen: Pen, part: LayerStack | AlternatingLayers, geometry: ColumnGeometry, index: int, bottom: float, under: float
) -> Cursor:
    """The frame of a stack from its foot up to the strip, which stands on ``under``."""
    lettered, title = strip(pen.context, part, geometry.frame.width)
    place = pen.frame(geometry.frame, bottom, under, lettered, part.path, title, Tint.STACK, index)
    return Cursor.at(geometry.x, place.y)


def framed(around: ColumnGeometry, geometry: ColumnGeometry) -> ColumnGeometry:
    """The way of a branch in which sums are bridged, or frames stand: with a gutter and a pad in its own width.

    The branch in the middle has as much on either side, so that the wire runs straight through it.
    """
    span, is_middle = geometry.span, abs(geometry.x - around.x) < TURN
    margins = span.width * BRANCH_GUTTER, span.width * (BRANCH_GUTTER if is_middle else BRANCH_PAD)
    left, right = margins[:: 1 if geometry.side < 0 else -1]
    x = (span.x + left + span.right - right) / 2
    return replace(geometry, x=x, width=span.width - left - right, left=span.x, right=span.right)


def within(geometry: ColumnGeometry) -> ColumnGeometry:
    """The way through a frame in which others stand."""
    return replace(geometry, width=geometry.width - 2 * INSIDE, left=geometry.left + INSIDE, right=geometry.right - INSIDE)


def put_closed(pen: Pen, part: LayerStack, geometry: ColumnGeometry, at: Cursor) -> Cursor:
    """A stack as one box: what its strip says, and no strip, which has a frame below it."""
    bottom = at.y - RISE
    pen.wire(*at.trail, (geometry.x, bottom))
    return put_frame(pen, part, geometry, len(pen.marks), bottom, bottom)


def joined_by_pill(pen: Pen, part: Computation, geometry: ColumnGeometry, at: Cursor) -> Cursor:
    """Positions that are computed: a pill beside the ⊕ into which they come, where no wire bridges a sum."""
    middle = at.y - RISE - RADIUS
    side = -geometry.side if geometry.is_bridged else geometry.side
    edge = geometry.left if side < 0 else geometry.right
    width = abs(geometry.x - edge) - 2 * TURN
    name = called(pen.context, part.component, part.path)
    beside = Span.around(edge - side * width / 2, width)
    place = pen.pill(name, beside.middle, middle, beside, part.path, is_around=True)
    pen.operation("+", geometry.x, middle, at.trail, [(edge - side * width, middle)])
    return Cursor(((geometry.x, middle - RADIUS),), min(middle - RADIUS, middle - place.height / 2 + 2))


def note(pen: Pen, part: Block, geometry: ColumnGeometry, at: Cursor) -> float:
    """Draw what a box reads besides its input, beside the wire, and return the room that the words take."""
    reads = part.component.reads
    if not reads or (pen.has_encoder and part.path in pen.context.crossing):
        return 0.0
    text = read(pen.context, reads)
    if not text:
        return 0.0
    room = max(geometry.width / 2 - 2, REMARK)
    lettered = words(text, Face.NOTE, room, pen.context.measure, most=4, air=1.0)
    top = at.y - lettered.height - 1
    pen.marks += (replace(line, x=geometry.x + 3, y=top + line.y, anchor=Anchor.START) for line in lettered.lines)
    return lettered.height


def read(context: DrawingContext, reads: str) -> str:
    """Return what is read, in the catalogue's words or else the definition's; "" for a part, which a wire shows."""
    if reads == Stream.LAYERS and (layers := context.layers_read) is not None:
        return context.sentence("after_layer", number=layers[0], all=layers[1])
    called, entries = key(reads), context.words.entries
    is_part = any(path == reads for path, _ in components(context.model.tree))
    called = called.rpartition(".")[2] if is_part else called
    return str(entries.get(f"drawing.reads.{called}", entries.get(f"drawing.inputs.{called}", "" if is_part else reads)))


def put_activation(pen: Pen, part: Block, geometry: ColumnGeometry, at: Cursor) -> Cursor:
    """The pills of an activation and of what numbers do to the output, and the wires between; nothing where there is none."""
    at = _put_words(pen, active(pen.context, part), geometry, at)
    for text in adjustments(pen.context, part.component):
        at = _put_words(pen, text, geometry, at)
    return at


def put_word(pen: Pen, activation: str, geometry: ColumnGeometry, at: Cursor) -> Cursor:
    """The pill of an activation after a sum, by its name; nothing where there is none."""
    return _put_words(pen, pen.context.activation(activation), geometry, at)


def _put_words(pen: Pen, text: Wording, geometry: ColumnGeometry, at: Cursor) -> Cursor:
    return Cursor.at(geometry.x, pen.pill_above(at, text, most=geometry.width).y) if text else at


def active(context: DrawingContext, part: Part) -> str:
    """The activation after a layer, by its name; "" where there is none, or where it learns something: it is a box then."""
    if not isinstance(part, Block) or part.component.body:
        return ""
    learned = f"{part.path}_{ACTIVATION.name}"
    return (
        ""
        if any(path == learned for path, _ in components(context.model.tree))
        else activation(context, part.path, part.component)
    )


PUT: Mapping[type, Callable[[Pen, Any, ColumnGeometry, Cursor], Cursor]] = {
    Block: put_block,
    Computation: put_pill,
    Residual: put_residual,
    SecondStream: put_second_stream,
    Fork: put_fork,
    SplitSlot: put_slot,
    LayerStack: put_stack,
    SplitStack: put_stack,
    AlternatingLayers: put_alternating,
}

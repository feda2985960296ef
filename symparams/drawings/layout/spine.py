"""The spine of a column: its parts one above another, the sums that bridge them, branches side by side, stacks around them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from symparams.components.activations import ACTIVATION
from symparams.components.facts import Stream, key
from symparams.components.kinds import Role
from symparams.components.walks import components
from symparams.drawings.canvas import TINTS
from symparams.drawings.context import DrawingContext
from symparams.drawings.distances import (
    BESIDE_WIRE,
    INSIDE,
    LABELLED_RISE,
    NAME_BELOW,
    RADIUS,
    RISE,
    SHORT_RISE,
    SIDE_BY_SIDE,
    TURN,
)
from symparams.drawings.layout.pen import Pen
from symparams.drawings.layout.strips import proportion, which_layers
from symparams.drawings.lettering.faces import PITCHES, base_line
from symparams.drawings.lettering.lettering import words
from symparams.drawings.lettering.phrases import Wording
from symparams.drawings.marks import Anchor, Face, Stroke, Text, TextPiece, Tint
from symparams.drawings.outline.parts import (
    AlternatingLayers,
    Block,
    Computation,
    Fork,
    LayerStack,
    Part,
    Queried,
    Residual,
    SecondStream,
    SplitSlot,
    SplitStack,
    begins_anew,
    has_own_input,
    walk,
)
from symparams.drawings.panels.facts import activation, adjustments, named_on_spine
from symparams.drawings.ways import Span, Way, past

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


def run(pen: Pen, parts: Sequence[Part], way: Way) -> Way:
    """Put parts one above another."""
    for part in parts:
        way = PUT[type(part)](pen, part, way)
    return way


def tint_of(part: Block, way: Way) -> Tint:
    """Return the tint of a box: that of its role, or of the way."""
    return TINTS.get(part.component.role, way.tint)


def is_split(pen: Pen, part: Part) -> bool:
    """True if three arrows go into a block: into attention whose inside is not shown."""
    if not isinstance(part, Block) or pen.has_panels:
        return False
    return part.component.role is Role.ATTENTION and not part.component.reads


def put_block(pen: Pen, part: Block, way: Way, height: float = 0.0, rise: float = RISE) -> Way:
    """A box on the spine, and the wire that arrives at it; at least of this height, and so far up."""
    is_forked = is_split(pen, part)
    start = way.up(max(rise, RISE + FORKED if is_forked else RISE))
    place = pen.box_above(start, part, way.room, note(pen, part, way), height, tint_of(part, way))
    if is_forked:
        bottom = place.bottom
        for side in (-1, 1):
            x = way.x + side * min(ARROWS_APART, way.width / 4)
            pen.wire((way.x, bottom + FORKED), (x, bottom + FORKED), (x, bottom))
    return put_activation(pen, part, way.at(place.y))


def put_pill(pen: Pen, part: Computation, way: Way) -> Way:
    """Computed positions are added from the side; a norm that learns nothing is a pill on the spine; others act elsewhere."""
    if not part.is_put:
        return way
    if part.is_added:
        return joined_by_pill(pen, part, way)
    name = named_on_spine(pen.context, part.component, part.path)
    place = pen.pill_above(way, name, way.room, RISE)
    return put_word(pen, part.component.activation, way.at(place.y))


def put_residual(pen: Pen, part: Residual, way: Way) -> Way:
    """x + f(x): a dot, what stands inside, and the ⊕ into which the wire around it comes."""
    dot = way.y - DOT
    if has_own_input(part.parts):
        return put_input_beside(pen, part, way)
    inner = part.parts
    first = way if inner and isinstance(inner[0], Residual) else way.up(FIRST)  # a sum that begins with another has its dot
    first = replace(first, is_bridged=True)
    if inner and isinstance(inner[-1], Fork):
        middle = join(pen, put_branches(pen, inner[-1], run(pen, inner[:-1], first)), way)
    else:
        middle = arrive(pen, run(pen, inner, first), way)
    return put_word(pen, part.activation, bridged(pen, way, dot, middle))


def arrive(pen: Pen, end: Way, way: Way) -> float:
    """The wire into a ⊕ above it, and the height of that."""
    middle = end.y - SUM
    pen.wire(*end.wire, (way.x, middle + RADIUS))
    return middle


def bridged(pen: Pen, way: Way, dot: float, middle: float) -> Way:
    """The ⊕ at a height, and the wire around what stands below it, from a dot."""
    pen.operation("+", way.x, middle, ((way.x, dot), (way.bridge, dot), (way.bridge, middle)))
    return way.at(middle - RADIUS)


def put_input_beside(pen: Pen, part: Residual, way: Way) -> Way:
    """x + f(z) of another input z, or of a vector in its place: the stream passes by what is made of these."""
    dot = way.y - DOT
    pen.wire(*way.wire, (way.x, dot), arrow=False)
    chains = [part.parts] if not begins_anew(part.parts[-1]) else [part.parts[:-1], part.parts[-1:]]
    ends, left = [], way.room.x
    for chain, share in zip(chains, SHARES[len(chains)], strict=True):
        width = way.width * share - SIDE_BY_SIDE * (len(chains) - 1) / 2
        own = replace(way.of(left + width / 2, width), tint=Tint.EMBEDDING)
        first, *others = chain
        assert isinstance(first, Block)  # which says what it reads
        top = pen.word(pen.context.input(first.component.reads), own.x, dot - FIRST, width)
        read = replace(first, component=replace(first.component, reads=""))
        ends.append(run(pen, (read, *others), own.at(top)))
        left += width + SIDE_BY_SIDE
    end = ends[0] if len(ends) == 1 else together(pen, ends, way, pen.context.sentence("choice"))
    return bridged(pen, way, dot, arrive(pen, end, way))


def put_second_stream(pen: Pen, part: SecondStream, way: Way) -> Way:
    """The other stream comes in and goes out by its name; the wire of the first passes it on the side without bridges."""
    dot, name = way.y - DOT, pen.context.sentence("reads.second_stream")
    lane = way.x - way.side * (way.width / 2 + PASSING)
    start = pen.pill(name, way.x, dot - SHORT_RISE, most=way.width)
    end = run(pen, part.parts, replace(way.at(start.y), is_bridged=True))
    top = pen.pill_above(end, name, most=way.width).y - TURN
    for block in (inner for inner in walk(part.parts) if isinstance(inner, Block) and inner.component.reads):
        middle = pen.places[block.path].level
        edge = way.x - way.side * way.width / 2
        pen.wire(*past((way.x, dot), lane, (edge, middle)))
    return way.through(*way.wire, *past((way.x, dot), lane, (way.x, top)), y=top)


def put_queried(pen: Pen, part: Queried, way: Way) -> Way:
    """The stream passes the query by, into the side of the attention above it."""
    dot = way.y - note(pen, part.attention, way) - DOT
    query = pen.box(part.query, way.room, dot - DOT, tint=tint_of(part.query, way))
    place = pen.box_above(query.head, part.attention, way.room, LABELLED_RISE, tint=tint_of(part.attention, way))
    pen.note(pen.context.sentence("attention.query"), way.x, place.bottom + NAME_BELOW)
    edge = way.x + way.side * way.width / 2
    pen.wire(*way.wire, *past((way.x, dot), way.bridge, (edge, place.level)))
    return way.at(place.y)


def put_fork(pen: Pen, part: Fork, way: Way) -> Way:
    """Branches that are added by themselves."""
    ends = put_branches(pen, part, way)
    if part.is_sequence:
        return together(pen, ends, way, pen.context.sentence("sequence"))
    middle = join(pen, ends, way)
    pen.operation("+", way.x, middle)
    return put_word(pen, part.activation, way.at(middle - RADIUS))


def together(pen: Pen, ends: Sequence[Way], way: Way, text: str) -> Way:
    """A pill into which branches come, with the word for what becomes of them."""
    half = words(text, Face.PILL, SEQUENCE, pen.context.measure).height / 2
    middle = join(pen, ends, way, SEQUENCE / 2, half)
    return way.at(pen.pill(text, way.x, middle, Span.around(way.x, SEQUENCE), is_around=True).y)


def put_branches(pen: Pen, part: Fork, way: Way) -> list[Way]:
    """Branches side by side, each with its share of the width; boxes that stand beside one another are of one height."""
    first, fork = way.room.columns(len(part.branches))[0], way.y - DOT - 1
    pen.wire(*way.wire, (way.x, fork), arrow=False)
    ends = []
    for i, branch in enumerate(part.branches):
        own = way.of(first.middle + i * (first.width + SIDE_BY_SIDE), first.width)
        if any(isinstance(inner, (Computation, Residual, LayerStack)) for inner in walk(branch)):
            own = framed(way, own)
        end = own.through((way.x, fork), (own.x, fork), y=fork)
        for row, inner in enumerate(branch):
            if isinstance(inner, Block):
                beside = [other[row] for other in part.branches if row < len(other)]
                tallest = pen.height((block, first) for block in beside if isinstance(block, Block))
                rise = RISE + FORKED if any(is_split(pen, block) for block in beside) else RISE
                end = put_block(pen, inner, end, tallest, rise)
            else:
                end = run(pen, (inner,), end)
        ends.append(end)
    return ends


def put_slot(pen: Pen, part: SplitSlot, way: Way) -> Way:
    """Blocks side by side of which each layer has one: a dotted fork, below it which layers have which, and where they meet."""
    x, spans = way.x, way.room.columns(len(part.blocks))
    fork = way.y - PITCHES[Face.NOTE] - 2 * LEAD
    pen.wire(*way.wire, (x, fork), arrow=False)
    foot, height = fork - RISE, pen.height(zip(part.blocks, spans, strict=True))
    for block, span, which in zip(part.blocks, spans, which_layers(pen.context, part), strict=True):
        pen.wire((x, fork), (span.middle, fork), (span.middle, foot), stroke=Stroke.ROUTE)
        place = pen.box(block, span, foot, height, tint=tint_of(block, way))
        pen.wire(place.head, (place.middle, place.y - TURN), (x, place.y - TURN), arrow=False)
        pieces = tuple(TextPiece(run, Face.NOTE if isinstance(run, str) else Face.FORMULA) for run in which)
        side, scale = 1 if span.middle > x else -1, min(1.0, (span.width - BESIDE_WIRE) / pen.context.measure(pieces))
        anchor = Anchor.START if side > 0 else Anchor.END
        pen.marks.append(Text(x + side * BESIDE_WIRE, fork + LEAD + base_line(Face.NOTE), pieces, anchor, scale))
    return way.at(foot - height - TURN)


def join(pen: Pen, ends: Sequence[Way], way: Way, reach: float = RADIUS, half: float = RADIUS) -> float:
    """The height of the ⊕ above branches: those on the far side of the residual wire come from across."""
    top = min(end.y for end in ends)
    middle = top - TURN - RADIUS - half
    for end in ends:
        x = end.wire[-1][0]
        if way.side * (x - way.x) < -reach:
            pen.wire(*end.wire, (x, middle), (way.x - way.side * reach, middle))
        else:
            pen.wire(*end.wire, (x, top - TURN + 1), (way.x, top - TURN + 1), (way.x, middle + half))
    return middle


def put_stack(pen: Pen, part: LayerStack, way: Way) -> Way:
    """A frame around a layer, with a strip on top: the wire enters below, passes behind the strip and leaves above it."""
    if pen.is_stacks:
        return put_closed(pen, part, way)
    has_frames = any(isinstance(inner, LayerStack) for inner in walk(part.parts))
    index, start = len(pen.marks), way.up(TURN)
    return enclose(pen, part, way, index, run(pen, part.parts, start.within(INSIDE) if has_frames else start))


def put_alternating(pen: Pen, part: AlternatingLayers, way: Way) -> Way:
    """A frame around stacks whose layers take turns, side by side: each layer is one of them, or one of each group."""
    index, end = len(pen.marks), way.up(TURN).within(INSIDE)
    for group in part.groups:
        if len(group) == 1:
            end = run(pen, group, end)
        else:
            ends = put_branches(pen, Fork(tuple((stack,) for stack in group)), end)
            end = join_alternating(pen, ends, end, proportion(pen.context, group, TAKEN))
    return enclose(pen, part, way, index, end)


def join_alternating(pen: Pen, ends: Sequence[Way], way: Way, text: str) -> Way:
    """A pill into which each branch comes: from its side, or from below where it stands under it."""
    bottom = min(end.y for end in ends) - TURN
    place = pen.pill(text, way.x, bottom, Span.around(way.x, TAKEN))
    middle = place.level
    for end in ends:
        x = end.wire[-1][0]
        beside = (x, middle), (way.x + (TAKEN if x > way.x else -TAKEN) / 2, middle)
        pen.wire(*end.wire, *(((x, bottom),) if abs(x - way.x) < TAKEN / 2 else beside))
    return way.at(place.y)


def enclose(pen: Pen, part: LayerStack | AlternatingLayers, way: Way, index: int, end: Way) -> Way:
    """The frame around what has been put since the mark of this index, from a turn above the way up to the end."""
    under = end.y - INSIDE
    pen.wire(*end.wire, (way.x, under), arrow=False)
    return put_frame(pen, part, way, index, way.y - TURN, under)


def put_frame(pen: Pen, part: LayerStack | AlternatingLayers, way: Way, index: int, bottom: float, under: float) -> Way:
    """The frame of a stack from its foot up to the strip, which stands on ``under``."""
    frame = Span(way.left, way.right - way.left)
    lettered, title = pen.strip(part, frame.width)
    return way.at(pen.frame(frame, bottom, under, lettered, part.path, title, Tint.STACK, index).y)


def framed(around: Way, way: Way) -> Way:
    """The way of a branch in which sums are bridged, or frames stand: with a gutter and a pad in its own width.

    The branch in the middle has as much on either side, so that the wire runs straight through it.
    """
    span, is_middle = way.room, abs(way.x - around.x) < TURN
    margins = span.width * BRANCH_GUTTER, span.width * (BRANCH_GUTTER if is_middle else BRANCH_PAD)
    left, right = margins[:: 1 if way.side < 0 else -1]
    x = (span.x + left + span.right - right) / 2
    return replace(way.of(x, span.width - left - right), left=span.x, right=span.right)


def put_closed(pen: Pen, part: LayerStack, way: Way) -> Way:
    """A stack as one box: what its strip says, and no strip, which has a frame below it."""
    bottom = way.y - RISE
    pen.wire(*way.wire, (way.x, bottom))
    return put_frame(pen, part, way, len(pen.marks), bottom, bottom)


def joined_by_pill(pen: Pen, part: Computation, way: Way) -> Way:
    """Positions that are computed: a pill beside the ⊕ into which they come, where no wire bridges a sum."""
    middle = way.y - RISE - RADIUS
    side = -way.side if way.is_bridged else way.side
    edge = way.left if side < 0 else way.right
    width = abs(way.x - edge) - 2 * TURN
    name = named_on_spine(pen.context, part.component, part.path)
    beside = Span.around(edge - side * width / 2, width)
    place = pen.pill(name, beside.middle, middle, beside, part.path, is_around=True)
    pen.operation("+", way.x, middle, way.wire, [(edge - side * width, middle)])
    return way.through((way.x, middle - RADIUS), y=min(middle - RADIUS, middle - place.height / 2 + 2))


def note(pen: Pen, part: Block, way: Way) -> float:
    """Draw what a box reads besides its input, beside the wire, and return the room that the words take."""
    reads = part.component.reads
    if not reads or (pen.has_encoder and part.path in pen.context.crossing):
        return 0.0
    text = read(pen.context, reads)
    if not text:
        return 0.0
    room = max(way.width / 2 - 2, REMARK)
    lettered = words(text, Face.NOTE, room, pen.context.measure, most=4, air=1.0)
    top = way.y - lettered.height - 1
    pen.marks += (replace(line, x=way.x + 3, y=top + line.y, anchor=Anchor.START) for line in lettered.lines)
    return lettered.height


def read(context: DrawingContext, reads: str) -> str:
    """Return what is read, in the catalogue's words or else the definition's; "" for a part, which a wire shows."""
    if reads == Stream.LAYERS and (layers := context.layers_read) is not None:
        return context.sentence("after_layer", number=layers[0], all=layers[1])
    called, entries = key(reads), context.words.entries
    is_part = any(path == reads for path, _ in components(context.model.tree))
    called = called.rpartition(".")[2] if is_part else called
    return str(entries.get(f"drawing.reads.{called}", entries.get(f"drawing.inputs.{called}", "" if is_part else reads)))


def put_activation(pen: Pen, part: Block, way: Way) -> Way:
    """The pills of an activation and of what numbers do to the output, and the wires between; nothing where there is none."""
    for text in (active(pen.context, part), *adjustments(pen.context, part.component)):
        way = _put_words(pen, text, way)
    return way


def put_word(pen: Pen, activation: str, way: Way) -> Way:
    """The pill of an activation after a sum, by its name; nothing where there is none."""
    return _put_words(pen, pen.context.activation(activation), way)


def _put_words(pen: Pen, text: Wording, way: Way) -> Way:
    return way.at(pen.pill_above(way, text, most=way.width).y) if text else way


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


PUT: Mapping[type, Callable[[Pen, Any, Way], Way]] = {
    Block: put_block,
    Computation: put_pill,
    Residual: put_residual,
    SecondStream: put_second_stream,
    Queried: put_queried,
    Fork: put_fork,
    SplitSlot: put_slot,
    LayerStack: put_stack,
    SplitStack: put_stack,
    AlternatingLayers: put_alternating,
}

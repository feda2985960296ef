"""The panel of attention: what makes queries, keys and values, their norms and rotations, the heads, the way out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from symparams.components.attention import SINKS
from symparams.components.facts import AttentionFacts
from symparams.derivations.layers import INPUTS, QUERY_KEY_VALUE
from symparams.drawings.distances import BESIDE_WIRE, CARD, FORK_RISE, LABELLED_RISE, LANE, RISE, SIDE_BY_SIDE
from symparams.drawings.marks import Group, Rectangle
from symparams.drawings.panels import facts
from symparams.drawings.panels.sketch import BoxSubject, Sketch
from symparams.drawings.ways import Span, Way
from symparams.quantities.parameters import PARAMETERS
from symparams.records import frozen

# What each matrix gives to the heads: query, key, value, or what says where tokens stand to one another.
QUERY, KEY, VALUE, GATE, OTHER = "query", "key", "value", "gate", ""
GIVES = {
    QUERY_KEY_VALUE: (QUERY, KEY, VALUE),
    "global_query_key_value": (QUERY, KEY, VALUE),
    "query": (QUERY,),
    "query_gate": (GATE, QUERY),
    "key_value": (KEY, VALUE),
    "key": (KEY,),
    "value": (VALUE,),
    "position_key": (OTHER,),
    "position_query": (OTHER,),
    "position": (OTHER,),
    "position_biases": (OTHER,),
    "window_biases": (OTHER,),
    "row_vectors": (OTHER,),
    "column_vectors": (OTHER,),
    "segment_vectors": (OTHER,),
}
WITHOUT_INPUT = ("position_biases", "segment_vectors", "window_biases", "row_vectors", "column_vectors")
# What queries, keys and values pass before they meet: norms, biases beside their matrix, a scale.
PASSED = {
    **{"query_norm": QUERY, "key_norm": KEY, "value_norm": VALUE},
    **{"bias_of_query": QUERY, "bias_of_value": VALUE, "query_scale": QUERY},
}
GATE_ROOM = 12.0  # at the left edge, for the gate of what the heads give, which passes everything
LAST_LANE = 3.0  # from the right edge of what gives several to the last of them
ENTRY = 22.0  # of wires that come in beside the word for what they carry
NOTED = -4.0  # the base line of that word, above the edge of the panel


@frozen
class Source:
    """A matrix that gives something to the heads, and what it reads: the stream, or something by name."""

    part: BoxSubject
    gives: tuple[str, ...]
    reads: str | None = ""  # None where it takes in nothing


@frozen
class Entry:
    """The place where a wire comes in at the foot of a box."""

    x: float
    y: float
    reads: str


def attention(sketch: Sketch) -> Group | None:
    """The panel; None where it holds a part of which is not known what it does."""
    parts, attending = sketch.parts, sketch.component.attending
    if attending is None or not parts.keys() <= {*GIVES, *PASSED, SINKS.name, "output"}:
        return None
    passed = {PASSED[word]: parts[word] for word in PASSED if word in parts}
    lanes = _sources(sketch, _columns(sketch), passed, shares=attending.shares)
    is_turned = facts.is_turned(sketch.context, attending)
    if is_turned and attending.turned_first:
        lanes = _passed(sketch, _turned(sketch, lanes, attending), passed)
    else:
        lanes = _passed(sketch, lanes, passed)
        lanes = _turned(sketch, lanes, attending) if is_turned else lanes
    if SINKS.name in parts:
        lanes = _with_sinks(sketch, lanes, parts[SINKS.name])
    return attended(sketch, lanes)


def attended(sketch: Sketch, lanes: Sequence[Way]) -> Group:
    """The panel from the heads upwards, and the way out."""
    gate = next((lane for lane in lanes if lane.carries == GATE), None)
    span = sketch.span if gate is None else sketch.span.inset(GATE_ROOM, 0.0)
    pill = sketch.pill(facts.attends(sketch.context, sketch.component), span.middle, sketch.top - LABELLED_RISE, span)
    for lane in lanes:
        if lane is not gate:
            sketch.rise(lane, pill.bottom, sketch.say(f"attention.{lane.carries}") if lane.carries else "")
    top = pill.y if gate is None else sketch.weighed(pill, gate.x, gate.y, sketch.say("activations.sigmoid"))
    if "output" in sketch.parts:
        sketch.box_above((pill.middle, top), sketch.parts["output"], sketch.span)
    return sketch.group()


def _turned(sketch: Sketch, lanes: list[Way], attending: AttentionFacts) -> list[Way]:
    """Queries and keys through their rotary positions, but for keys that an earlier layer has turned."""
    foot, own = sketch.top - RISE, (QUERY,) if attending.shares else (QUERY, KEY)
    return [turned(sketch, lane, foot) if lane.carries in own else lane for lane in lanes]


def turned(sketch: Sketch, lane: Way, foot: float) -> Way:
    """A lane through rotary positions."""
    sketch.rise(lane, foot)
    return replace(lane, y=sketch.pill(sketch.say("attention.rotary"), lane.x, foot).y)


def _passed(sketch: Sketch, lanes: list[Way], passed: Mapping[str, BoxSubject]) -> list[Way]:
    """Queries, keys and values through their norms and biases."""
    taken = [lane for lane in lanes if lane.carries in passed]
    foot = sketch.top - RISE
    places = sketch.row([(passed[lane.carries], lane.room) for lane in taken], foot)
    after = {}
    for lane, place in zip(taken, places, strict=True):
        sketch.rise(lane, foot)
        after[lane] = replace(lane, y=place.y - CARD * (passed[lane.carries].cards - 1))
    return [after.get(lane, lane) for lane in lanes]


def _with_sinks(sketch: Sketch, lanes: list[Way], sinks: BoxSubject) -> list[Way]:
    """One more score of each head: a vector in the widest gap between the lanes."""
    walls = [sketch.span.x - SIDE_BY_SIDE, *sorted(lane.x for lane in lanes), sketch.span.right + SIDE_BY_SIDE]
    left, right = max(pairwise(walls), key=lambda pair: pair[1] - pair[0])
    place = sketch.box(sinks, Span(left + SIDE_BY_SIDE, right - left - 2 * SIDE_BY_SIDE), sketch.top - RISE)
    return [*lanes, Way(place.middle, place.y, Span(place.x, place.width), OTHER)]


def _columns(sketch: Sketch) -> list[list[Source]]:
    """Return the parts that make queries, keys and values, side by side; from below if one takes two."""
    reads, givers = sketch.component.reads, {word: sketch.parts[word] for word in GIVES if word in sketch.parts}
    inputs = [givers[word] for word in INPUTS if word in givers]
    others = [_source(word, part, "relative") for word, part in givers.items() if GIVES[word] == (OTHER,)]
    if len(inputs) == len(INPUTS) and len({PARAMETERS.of(part.component) for part in inputs}) == 1:
        together = BoxSubject(sketch.path, len(INPUTS) * inputs[0].component, sketch.context.name(QUERY_KEY_VALUE))
        first = [[Source(together, GIVES[QUERY_KEY_VALUE], reads)]]
    else:
        own = [_source(word, part, reads) for word, part in givers.items() if GIVES[word] != (OTHER,)]
        first = [own[:1], own[:0:-1]] if len(own) > 1 else [own]
    return [*first, others] if others else first


def _source(word: str, part: BoxSubject, reads: str) -> Source:
    read = None if word in WITHOUT_INPUT else "" if KEY not in GIVES[word] and QUERY in GIVES[word] else reads
    return Source(part, GIVES[word], read)


def _sources(sketch: Sketch, columns: list[list[Source]], passed: Mapping[str, BoxSubject], *, shares: bool) -> list[Way]:
    """The matrices, and the lanes of what they give; keys and values that attention ``shares`` come from an earlier layer."""
    reads = [source.reads for column in columns for source in column if source.reads is not None]
    depth = ENTRY if any(reads) else FORK_RISE if len(reads) > 1 else RISE
    lanes: list[Way] = []
    entries: list[Entry] = []
    spans = sketch.span.columns(len(columns) + shares)
    alone = sketch.height((column[0].part, span) for column, span in zip(columns, spans, strict=False) if len(column) == 1)
    for column, span in zip(columns, spans, strict=False):
        foot = -depth
        for i, source in enumerate(column):
            above = sum(later.reads is not None for later in column[i + 1 :])
            inner = span.inset(LANE * above, LANE * i)
            place = sketch.box(source.part, inner, foot, alone if len(column) == 1 else 0.0)
            foot = place.y - CARD * (source.part.cards - 1)
            lanes += _given(source, inner, foot, passed, is_last=i == len(column) - 1)
            entries += _entries(source, place, inner.middle if i == 0 else inner.x + LANE / 2)
            foot -= SIDE_BY_SIDE
    _feed(sketch, entries, depth)
    if shares:
        earlier = sketch.pill(sketch.say("attention.earlier"), spans[-1].middle, -depth, spans[-1])
        rooms = zip((KEY, VALUE), spans[-1].columns(2), strict=True)
        lanes += [Way(room.middle, earlier.y, room, carries) for carries, room in rooms]
    return lanes


def _given(source: Source, span: Span, y: float, passed: Mapping[str, BoxSubject], *, is_last: bool) -> list[Way]:
    """The lanes of what a matrix gives; one that has others above it passes them on the right."""
    if len(source.gives) == 1:
        x = span.middle if is_last else span.right - LANE / 2
        return [Way(x, y, span, source.gives[0])]
    if source.gives[0] == GATE:
        rooms = [Span(span.x, GATE_ROOM), span.inset(GATE_ROOM, 0.0)]
    elif VALUE in passed or (len(source.gives) == len(INPUTS) and not passed):
        rooms = span.columns(len(source.gives))
    else:
        rooms = [
            *span.inset(0.0, 2 * LAST_LANE).columns(len(source.gives) - 1),
            Span(span.right - 2 * LAST_LANE, 2 * LAST_LANE),
        ]
    return [Way(room.middle, y, room, gives) for gives, room in zip(source.gives, rooms, strict=True)]


def _entries(source: Source, place: Rectangle, x: float) -> list[Entry]:
    """Return the entries of its input; the query's apart from that of key and value if they differ."""
    if source.reads is None:
        return []
    if source.reads and QUERY in source.gives and len(source.gives) > 1:
        query, key_value = Span(place.x, place.width).at(0.25, 0.75)
        return [Entry(query, place.bottom, ""), Entry(key_value, place.bottom, source.reads)]
    return [Entry(x, place.bottom, source.reads)]


def _feed(sketch: Sketch, entries: list[Entry], depth: float) -> None:
    """Wires from the foot of the panel, one for each thing that is read."""
    for reads in dict.fromkeys(entry.reads for entry in entries):
        targets = [(entry.x, entry.y) for entry in entries if entry.reads == reads]
        is_alone = len(targets) == len(entries)
        x = sketch.span.middle if is_alone else sum(to for to, _ in targets) / len(targets)
        sketch.feed(targets, x, depth)
        if reads:
            others = [entry.x for entry in entries if entry.reads != reads and entry.x < x]
            sketch.note(facts.source(sketch.context, reads), x, NOTED, max(others, default=0.0) + BESIDE_WIRE)

"""The panel of latent attention: keys and values down to one short vector and up again, queries too; what is turned apart.

An indexer, which picks the keys that a query attends to, stands beside them as one box.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, product

from symparams.components.flow import block
from symparams.drawings.distances import FORK_RISE, RISE, SIDE_BY_SIDE
from symparams.drawings.marks import Group, Rectangle
from symparams.drawings.panels.attention import KEY, OTHER, QUERY, VALUE, attended, turned
from symparams.drawings.panels.sketch import BoxSubject, Sketch
from symparams.drawings.ways import Span, Way

QUERY_PATH = ("query_down", "query_norm", "query_up")
KEY_VALUE_PATH = ("key_value_down", "key_value_norm", "key_value_up")
INDEXER = ("index_query", "index_key", "index_key_norm", "index_weights")
NARROW = 0.19  # of the panel for the indexer
SHARE, SHARE_BESIDE = 0.475, 0.44  # of the panel for the queries, and of what an indexer leaves
KEY_LANE = 8.0  # beside keys and values, for the part of the key that is turned


def latent_attention(sketch: Sketch) -> Group | None:
    """The panel; None where it holds other parts than these."""
    indexing = [sketch.parts[name] for name in INDEXER if name in sketch.parts]
    parts = {word: part for word, part in sketch.parts.items() if word not in INDEXER}
    queries = QUERY_PATH if "query_down" in parts else ("query",)
    if parts.keys() != {*queries, *KEY_VALUE_PATH, "output"}:
        return None
    beside = sketch.span.inset(0.0, sketch.span.width * (1 - NARROW))
    span = sketch.span.inset(beside.width + SIDE_BY_SIDE, 0.0) if indexing else sketch.span
    left = Span(span.x, span.width * (SHARE_BESIDE if indexing else SHARE))
    right = Span(left.right + SIDE_BY_SIDE, sketch.span.right - left.right - SIDE_BY_SIDE)
    rooms = [right, right.inset(0.0, KEY_LANE), right.inset(0.0, KEY_LANE)]
    tiers = list(zip([*[""] * (len(rooms) - len(queries)), *queries], KEY_VALUE_PATH, rooms, strict=True))
    places: list[list[Rectangle]] = []
    for query, key, room in tiers:
        foot = sketch.top - RISE if places else -FORK_RISE
        places.append(sketch.row([(parts[name], span) for name, span in ((query, left), (key, room)) if name], foot))
    indexer = _indexer(sketch, indexing, beside, places[-1][0]) if indexing else None
    _feed(sketch, places, left, indexer)
    lanes = _lanes(places[-1], places[0][-1], right)
    foot = sketch.top - RISE
    lanes = [turned(sketch, lane, foot) if lane in (lanes[0], lanes[-1]) else lane for lane in lanes]
    if indexer is not None:
        lanes.append(Way(indexer.middle, indexer.y, beside, OTHER))
    return attended(sketch, lanes)


def _indexer(sketch: Sketch, parts: Sequence[BoxSubject], span: Span, query: Rectangle) -> Rectangle:
    """One box for all parts of an indexer, beside what makes the queries: its name and its count."""
    whole = block(**{part.key: part.component for part in parts})
    subject = BoxSubject(sketch.path, whole, sketch.context.name("index"))
    lettered = sketch.context.lettered(sketch.path, whole, span.width, subject.name, 0)
    return sketch.box(subject, span, query.bottom, query.height, lettered)


def _feed(sketch: Sketch, places: Sequence[Sequence[Rectangle]], left: Span, indexer: Rectangle | None) -> None:
    """Wires from the foot, and from each box to the one above it; an indexer reads the compressed query, too."""
    for lower, upper in pairwise(places):
        for below, above in product(lower, upper):
            if below.x == above.x:
                sketch.wire((above.middle, below.y), above.foot)
    entering = [next(box for tier in places for box in tier if box.x == left.x), places[0][-1]]
    targets = [box.foot for box in entering]
    if indexer is not None:
        stream, query = Span(indexer.x, indexer.width).at(0.25, 0.75)
        targets.insert(0, (stream, indexer.bottom))
        norm = places[-2][0]
        height = (norm.y + indexer.bottom) / 2
        sketch.wire((norm.middle, height), (query, height), (query, indexer.bottom))
    sketch.feed(targets, sketch.span.middle)


def _lanes(up: Sequence[Rectangle], down: Rectangle, right: Span) -> list[Way]:
    """The parts of queries, keys and values, the rotated ones apart."""
    query, key_value = (Span(box.x, box.width) for box in up)
    top = up[0].y
    ends = [
        (query.x + 15.0, top, QUERY),
        (query.right - 10.0, top, QUERY),
        (key_value.x + 6.0, top, KEY),
        (key_value.x + 21.0, top, VALUE),
        (right.right - KEY_LANE / 2, down.y, KEY),
    ]
    return [Way(x, y, query, carries) for x, y, carries in ends]

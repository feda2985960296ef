"""The panel of linear attention by the gated delta rule: what is written to the state of each head, and what reads it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from symparams.drawings.distances import (
    FORK_RISE,
    GATE,
    GATE_MIDDLE,
    LABELLED_RISE,
    LANE,
    RADIUS,
    RISE,
    SHORT_RISE,
    SIDE_BY_SIDE,
)
from symparams.drawings.group import Group
from symparams.drawings.marks import Point, Rectangle
from symparams.drawings.panels.sketch import BoxSubject, Sketch
from symparams.drawings.panels.state_space import STEP, convolved
from symparams.drawings.ways import Span, Way

AFTER = {"convolution", "decay_bias", "decay_rate", "gated_norm", "output"}
FUSED, APART = ("decay_write", "query_key_value_gate"), ("write", "decay", "gate", "query_key_value")
RATES = 0.45  # of the panel, for what makes the decay and the part that is written


def delta_rule(sketch: Sketch) -> Group | None:
    """The panel; None where it holds other parts than these."""
    parts, state_space = sketch.parts, sketch.component.state_space
    matrices = next((words for words in (FUSED, APART) if parts.keys() == AFTER | set(words)), None)
    if matrices is None or state_space is None or state_space.heads is None:
        return None
    half, share = len(matrices) // 2, sketch.span.width * RATES
    left, right = sketch.span.inset(0.0, sketch.span.width - share + SIDE_BY_SIDE), sketch.span.inset(share, 0.0)
    rates, entries = _stack(sketch, [parts[word] for word in matrices[:half]], left, 2 * LANE)
    values, others = _stack(sketch, [parts[word] for word in matrices[half:]], right, GATE)
    sketch.feed([*entries, *others], sketch.span.middle)
    active = convolved(sketch, right.inset(0.0, GATE), values[-1].y)
    decay = _decay(sketch, left.inset(0.0, 2 * LANE), rates[-1].y)
    writing = left.right - LANE
    write = sketch.pill(sketch.say("activations.sigmoid"), writing, sketch.top - SHORT_RISE)
    sketch.wire((writing, rates[0].y), (writing, write.bottom))
    text = sketch.context.runs("delta_rule.scan", n_heads=state_space.heads.number)
    scan = sketch.pill(text, 0.0, sketch.top - LABELLED_RISE, sketch.span.inset(0.0, GATE))
    for lane in (decay, Way(writing, write.y, left, "write"), Way(active.middle, active.y, right, "q_k_v")):
        sketch.rise(lane, scan.bottom, sketch.say(f"delta_rule.{lane.carries}"))
    norm = sketch.box_above(scan.head, parts["gated_norm"], replace(sketch.span, width=2 * (scan.middle - sketch.span.x)))
    product = sketch.weighed(norm, sketch.span.right - GATE + GATE_MIDDLE, values[0].y, sketch.activation)
    sketch.box_above((scan.middle, product), parts["output"], sketch.span)
    return sketch.group()


def _stack(sketch: Sketch, parts: Sequence[BoxSubject], span: Span, passing: float) -> tuple[list[Rectangle], list[Point]]:
    """Boxes that read the same, from below, and where they take it in; what the first gives passes on the right of the others,
    and what they read on its left."""
    rooms = span.staggered(len(parts), LANE, passing)
    places = sketch.column(list(zip(parts, rooms, strict=True)), -FORK_RISE)
    xs = [room.middle if room is rooms[0] else room.x + LANE / 2 for room in rooms]
    return places, [(x, place.bottom) for x, place in zip(xs, places, strict=True)]


def _decay(sketch: Sketch, span: Span, top: float) -> Way:
    """The decay: softplus of what a token says and a bias, times the rate of the head."""
    x, beside = span.x + STEP, span.inset(STEP + RADIUS + 2 * SIDE_BY_SIDE, 0.0)
    for word, sign in (("decay_bias", "+"), ("decay_rate", "×")):
        box = sketch.box(sketch.parts[word], beside, top - RISE)
        sketch.operation(sign, x, box.level, [(x, top)], [(box.x, box.level)])
        top = box.level - RADIUS
        if word == "decay_bias":
            foot = min(box.y, top) - SHORT_RISE
            sketch.wire((x, top), (x, foot))
            top = sketch.pill(sketch.say("activations.softplus"), x, foot).y
    return Way(x, top, span, "decay")

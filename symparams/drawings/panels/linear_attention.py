"""The panels of linear attention: by the gated delta rule what is written to the state of each head, and what reads it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from symparams.components.facts import Recurrence
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
from symparams.drawings.marks import Group, Point, Rectangle
from symparams.drawings.panels.sketch import BoxSubject, Sketch
from symparams.drawings.panels.state_space import STEP, convolved
from symparams.drawings.panels.time_mixing import time_mixing
from symparams.drawings.ways import Span, Way

LIGHTNING = {"query_key_value", "gate", "gated_norm", "output"}
AFTER = {"convolution", "decay_bias", "decay_rate", "gated_norm", "output"}
FUSED, APART = ("decay_write", "query_key_value_gate"), ("write", "decay", "gate", "query_key_value")
RATES = 0.45  # of the panel, for what makes the decay and the part that is written


def linear_attention(sketch: Sketch) -> Group | None:
    """The panel by the rule; None where it holds other parts."""
    draw = {Recurrence.LIGHTNING: lightning_attention, Recurrence.TIME_MIXING: time_mixing}
    state_space = sketch.component.state_space
    return draw.get(state_space.recurrence if state_space else Recurrence.DELTA_RULE, delta_rule)(sketch)


def lightning_attention(sketch: Sketch) -> Group | None:
    """Queries, keys and values through their activation to a state, the output times a gate; None for other parts."""
    parts, state_space = sketch.parts, sketch.component.state_space
    if parts.keys() != LIGHTNING or state_space is None or not state_space.heads:
        return None
    left, right = sketch.span.columns(2)
    made, gate = sketch.row([(parts["query_key_value"], left), (parts["gate"], right)], -FORK_RISE)
    sketch.feed([made.foot, gate.foot], sketch.span.middle)
    if sketch.activation:
        made = sketch.pill_above(made.head, sketch.activation, most=left.width)
    text = sketch.context.runs("linear_attention.lightning", n_heads=state_space.heads.number)
    state = sketch.pill_above(made.head, text, left, RISE)
    norm = sketch.box_above(state.head, parts["gated_norm"], left)
    product = sketch.weighed(norm, gate.middle, gate.y, sketch.say("activations.sigmoid"))
    sketch.box_above((norm.middle, product), parts["output"], sketch.span)
    return sketch.group()


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

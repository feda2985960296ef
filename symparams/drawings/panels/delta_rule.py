"""The panel of linear attention by the gated delta rule: what is written to the state of each head, and what reads it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from symparams.components.tree import Component
from symparams.drawings.canvas import Span
from symparams.drawings.context import DrawingContext
from symparams.drawings.distances import FORK_RISE, LABELLED_RISE, RADIUS, RISE, SHORT_RISE, SIDE_BY_SIDE
from symparams.drawings.group import Group
from symparams.drawings.marks import Tint
from symparams.drawings.panels import facts
from symparams.drawings.panels.sketch import BoxSubject, Lane, Sketch, parts_by_purpose
from symparams.drawings.panels.state_space import convolved

AFTER = {"convolution", "decay_bias", "decay_rate", "gated_norm", "output"}
FUSED, APART = ("decay_write", "query_key_value_gate"), ("write", "decay", "gate", "query_key_value")
RATES = 0.45  # of the panel, for what makes the decay and the part that is written
GATE, PASSING = 12.5, 3.7  # at the right edge, for the gate, which passes everything, and from there to its middle
LANE = 6.0  # for what passes a box at its side
STEP = 4.0  # from the left of its column to the decay


def delta_rule(context: DrawingContext, path: str, component: Component, width: float) -> Group | None:
    """The panel; None where it holds other parts than these."""
    parts = parts_by_purpose(path, component)
    matrices = next((words for words in (FUSED, APART) if parts.keys() == AFTER | set(words)), None)
    facts_of_state = component.state_space
    if matrices is None or facts_of_state is None or facts_of_state.heads is None:
        return None
    sketch = Sketch(context, path, width, Tint.ATTENTION)
    half, share = len(matrices) // 2, sketch.span.width * RATES
    left, right = sketch.span.inset(0.0, sketch.span.width - share + SIDE_BY_SIDE), sketch.span.inset(share, 0.0)
    rates = _stack(sketch, [parts[word] for word in matrices[:half]], left, 2 * LANE)
    values = _stack(sketch, [parts[word] for word in matrices[half:]], right, GATE)
    sketch.feed([entry for stack in (rates, values) for entry in stack.entries], sketch.span.middle)
    active = convolved(sketch, parts["convolution"], right.inset(0.0, GATE), values.top)
    decay = _decay(sketch, parts, left.inset(0.0, 2 * LANE), rates.top)
    write = sketch.pill(context.sentence("activations.sigmoid"), left.right - LANE, sketch.top - SHORT_RISE)
    sketch.wire((left.right - LANE, rates.first), (left.right - LANE, write.bottom))
    text = context.runs("delta_rule.scan", n_heads=facts_of_state.heads.number)
    scan = sketch.pill(text, 0.0, sketch.top - LABELLED_RISE, sketch.span.inset(0.0, GATE))
    for lane in (
        decay,
        Lane(left.right - LANE, write.y, "write", left),
        Lane(active.middle, active.y, "q_k_v", right),
    ):
        sketch.rise(lane, scan.bottom, context.sentence(f"delta_rule.{lane.carries}"))
    sketch.wire((scan.middle, scan.y), (scan.middle, scan.y - RISE))
    norm = sketch.box(parts["gated_norm"], replace(sketch.span, width=2 * (scan.middle - sketch.span.x)), scan.y - RISE)
    gate = sketch.span.right - GATE + PASSING
    product = sketch.weighed(norm, gate, values.first, facts.activation(context, path, component))
    sketch.wire((scan.middle, product), (scan.middle, product - RISE))
    sketch.box(parts["output"], sketch.span, product - RISE)
    return sketch.group(facts.called(context, path, component))


@dataclass(frozen=True)
class Stack:
    """Boxes one above the other that read the same: where they take it in, and how high the first and the last of them are."""

    entries: tuple[tuple[float, float], ...]
    first: float
    top: float


def _stack(sketch: Sketch, parts: Sequence[BoxSubject], span: Span, passing: float) -> Stack:
    """From below; what the first gives passes on the right of the others, and what they read on its left."""
    foot, entries, tops = -FORK_RISE, [], []
    for i, part in enumerate(parts):
        room = span.inset(LANE * (len(parts) - 1 - i), passing * i)
        place = sketch.box(part, room, foot)
        entries.append((room.middle if i == 0 else room.x + LANE / 2, place.bottom))
        tops.append(place.y)
        foot = place.y - SIDE_BY_SIDE
    return Stack(tuple(entries), tops[0], tops[-1])


def _decay(sketch: Sketch, parts: Mapping[str, BoxSubject], span: Span, top: float) -> Lane:
    """The decay: softplus of what a token says and a bias, times the rate of the head."""
    x, beside = span.x + STEP, span.inset(STEP + RADIUS + 2 * SIDE_BY_SIDE, 0.0)
    for word, sign in (("decay_bias", "+"), ("decay_rate", "×")):
        box = sketch.box(parts[word], beside, top - RISE)
        middle = box.y + box.height / 2
        sketch.operation(sign, x, middle, [(x, top)], [(box.x, middle)])
        top = middle - RADIUS
        if word == "decay_bias":
            foot = min(box.y, top) - SHORT_RISE
            sketch.wire((x, top), (x, foot))
            top = sketch.pill(sketch.context.sentence("activations.softplus"), x, foot).y
    return Lane(x, top, "decay", span)

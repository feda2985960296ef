"""The panel of lightning attention: queries, keys and values through their activation to a state; the output times a gate."""

from __future__ import annotations

from symparams.components.tree import Component
from symparams.drawings.context import DrawingContext
from symparams.drawings.distances import FORK_RISE, RISE, SHORT_RISE
from symparams.drawings.group import Group
from symparams.drawings.marks import Tint
from symparams.drawings.panels import facts
from symparams.drawings.panels.sketch import Sketch, parts_by_purpose

PARTS = {"query_key_value", "gate", "gated_norm", "output"}


def lightning_attention(context: DrawingContext, path: str, component: Component, width: float) -> Group | None:
    """The panel; None where it holds other parts than these."""
    parts = parts_by_purpose(path, component)
    heads = component.state_space and component.state_space.heads
    if parts.keys() != PARTS or not heads:
        return None
    sketch = Sketch(context, path, width, Tint.ATTENTION)
    left, right = sketch.span.columns(2)
    made, gate = sketch.row([(parts["query_key_value"], left), (parts["gate"], right)], -FORK_RISE)
    sketch.feed([(made.middle, made.bottom), (gate.middle, gate.bottom)], sketch.span.middle)
    top, activation = made.y, facts.activation(context, path, component)
    if activation:
        sketch.wire((made.middle, top), (made.middle, top - SHORT_RISE))
        top = sketch.pill(activation, made.middle, top - SHORT_RISE, most=left.width).y
    foot = top - RISE
    sketch.wire((made.middle, top), (made.middle, foot))
    text = context.runs("linear_attention.lightning", n_heads=heads.number)
    state = sketch.pill(text, left.middle, foot, left)
    foot = state.y - RISE
    sketch.wire((made.middle, state.y), (made.middle, foot))
    norm = sketch.box(parts["gated_norm"], left, foot)
    product = sketch.weighed(norm, gate.middle, gate.y, context.sentence("activations.sigmoid"))
    sketch.wire((norm.middle, product), (norm.middle, product - RISE))
    sketch.box(parts["output"], sketch.span, product - RISE)
    return sketch.group(facts.called(context, path, component))

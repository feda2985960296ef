"""The panel of lightning attention: queries, keys and values through their activation to a state; the output times a gate."""

from __future__ import annotations

from symparams.drawings.distances import FORK_RISE, RISE
from symparams.drawings.group import Group
from symparams.drawings.panels.sketch import Sketch

PARTS = {"query_key_value", "gate", "gated_norm", "output"}


def lightning_attention(sketch: Sketch) -> Group | None:
    """The panel; None where it holds other parts than these."""
    parts, state_space = sketch.parts, sketch.component.state_space
    if parts.keys() != PARTS or state_space is None or not state_space.heads:
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

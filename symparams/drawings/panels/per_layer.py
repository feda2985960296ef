"""The panel of a layer's own input: the stream through a gate, times the input, and back up."""

from __future__ import annotations

from symparams.drawings.distances import RISE
from symparams.drawings.group import Group
from symparams.drawings.panels.feed_forward import activated
from symparams.drawings.panels.sketch import Sketch


def per_layer_gate(sketch: Sketch) -> Group | None:
    """The panel of the gate."""
    left, right = sketch.span.columns(2)
    gate = sketch.box_above((left.middle, 0.0), sketch.parts["gate"], left)
    active = gate.middle, activated(sketch, gate.middle, gate.y)
    own = sketch.pill(sketch.context.name(sketch.component.reads.rpartition(".")[2]), right.middle, -RISE, right)
    sketch.box_above(sketch.product(active, own.head), sketch.parts["output"], sketch.span)
    return sketch.group()

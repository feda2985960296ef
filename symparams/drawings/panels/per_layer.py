"""The panel of a layer's own input: the stream through a gate, times the input, and back up."""

from __future__ import annotations

from symparams.components.tree import Component
from symparams.drawings.context import DrawingContext
from symparams.drawings.distances import RADIUS, RISE, SHORT_RISE
from symparams.drawings.group import Group
from symparams.drawings.marks import Tint
from symparams.drawings.panels import facts
from symparams.drawings.panels.feed_forward import activated
from symparams.drawings.panels.sketch import Sketch, parts_by_purpose


def per_layer_gate(context: DrawingContext, path: str, component: Component, width: float) -> Group | None:
    """The panel of the gate."""
    parts, sketch = parts_by_purpose(path, component), Sketch(context, path, width, Tint.FEED_FORWARD)
    left, right = sketch.span.columns(2)
    gate = sketch.box(parts["gate"], left, -RISE)
    sketch.wire((gate.middle, 0.0), (gate.middle, gate.bottom))
    active = activated(sketch, parts, component, gate.middle, gate.y)
    y, middle = active - SHORT_RISE - 1.0, sketch.span.middle
    own = sketch.pill(context.name(component.reads.rpartition(".")[2]), right.middle, -RISE, right)
    sketch.operation("×", middle, y, [(gate.middle, active), (gate.middle, y)], [(right.middle, own.y), (right.middle, y)])
    sketch.wire((middle, y - RADIUS), (middle, y - RADIUS - RISE))
    sketch.box(parts["output"], sketch.span, y - RADIUS - RISE)
    return sketch.group(facts.called(context, path, component))

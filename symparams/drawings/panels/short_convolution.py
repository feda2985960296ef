"""The panel of a gated short convolution: what goes into the convolution and what comes out of it, each times a gate."""

from __future__ import annotations

from symparams.components.tree import Component
from symparams.drawings.context import DrawingContext
from symparams.drawings.distances import LABELLED_RISE, RADIUS, RISE
from symparams.drawings.group import Group
from symparams.drawings.marks import Tint
from symparams.drawings.panels import facts
from symparams.drawings.panels.sketch import PANEL_EDGE, Sketch, parts_by_purpose

PARTS = {"input_projection", "convolution", "output_projection"}
LANE = 10.0  # for the gate of what comes out, which passes the convolution at its side
TO_LABEL = 3.0  # from a projection up to the name of what it gives


def short_convolution(context: DrawingContext, path: str, component: Component, width: float) -> Group | None:
    """The panel; None where it holds other parts than these."""
    parts = parts_by_purpose(path, component)
    if parts.keys() != PARTS:
        return None
    sketch = Sketch(context, path, width, Tint.ATTENTION)
    projected = sketch.box(parts["input_projection"], sketch.span, -RISE)
    sketch.feed([(projected.middle, projected.bottom)], sketch.span.middle)
    column = sketch.span.inset(0.0, LANE)
    [before, x], after = column.at(0.2, 0.5), sketch.span.right - LANE / 2
    for lane, carried in ((before, "before"), (x, "x"), (after, "after")):
        sketch.note(context.sentence(f"short_convolution.{carried}"), lane, projected.y - TO_LABEL, most=width - PANEL_EDGE)
    gated = projected.y - LABELLED_RISE - RADIUS
    sketch.operation("×", x, gated, [(x, projected.y)], [(before, projected.y), (before, gated)])
    sketch.wire((x, gated - RADIUS), (x, gated - RADIUS - RISE))
    convolved = sketch.box(parts["convolution"], column, gated - RADIUS - RISE)
    gated = convolved.y - RISE - RADIUS
    sketch.operation("×", x, gated, [(x, convolved.y)], [(after, projected.y), (after, gated)])
    sketch.wire((x, gated - RADIUS), (x, gated - RADIUS - RISE))
    sketch.box(parts["output_projection"], sketch.span, gated - RADIUS - RISE)
    return sketch.group(facts.called(context, path, component))

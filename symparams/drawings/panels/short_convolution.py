"""The panel of a gated short convolution: what goes into the convolution and what comes out of it, each times a gate."""

from __future__ import annotations

from symparams.drawings.distances import INSIDE, LABELLED_RISE, RADIUS, RISE, WIDE_LANE
from symparams.drawings.marks import Group
from symparams.drawings.panels.sketch import Sketch

PARTS = {"input_projection", "convolution", "output_projection"}
TO_LABEL = 3.0  # from a projection up to the name of what it gives


def short_convolution(sketch: Sketch) -> Group | None:
    """The panel; None where it holds other parts than these."""
    parts = sketch.parts
    if parts.keys() != PARTS:
        return None
    projected = sketch.box(parts["input_projection"], sketch.span, -RISE)
    sketch.feed([projected.foot], sketch.span.middle)
    column = sketch.span.inset(0.0, WIDE_LANE)
    [before, x], after = column.at(0.2, 0.5), sketch.span.right - WIDE_LANE / 2
    for lane, carried in ((before, "before"), (x, "x"), (after, "after")):
        sketch.note(sketch.say(f"short_convolution.{carried}"), lane, projected.y - TO_LABEL, most=sketch.width - INSIDE)
    gated = projected.y - LABELLED_RISE - RADIUS
    sketch.operation("×", x, gated, [(x, projected.y)], [(before, projected.y), (before, gated)])
    convolved = sketch.box_above((x, gated - RADIUS), parts["convolution"], column)
    gated = convolved.y - RISE - RADIUS
    sketch.operation("×", x, gated, [(x, convolved.y)], [(after, projected.y), (after, gated)])
    sketch.box_above((x, gated - RADIUS), parts["output_projection"], sketch.span)
    return sketch.group()

"""The panels of several residual streams: what AltUp predicts of each, how it corrects each, and LAuReL's low-rank path."""

from __future__ import annotations

from symparams.drawings.distances import FORK_RISE, RISE
from symparams.drawings.marks import Group
from symparams.drawings.panels.sketch import Sketch

LANE = 9.0  # for the streams, which pass what is made of one of them
PLUS_ONE = "+ 1"


def altup_prediction(sketch: Sketch) -> Group | None:
    """The panel of the prediction: coefficients of one stream, by which all are mixed."""
    assert sketch.component.streams is not None
    parts, room, lane = sketch.parts, sketch.span.inset(0.0, LANE), sketch.span.right - LANE / 2
    norm = sketch.box(parts["router_norm"], room, -FORK_RISE)
    router = sketch.box_above(norm.head, parts["router"], room)
    active = sketch.pill_above(router.head, sketch.say("activations.tanh"))
    made = sketch.box_above(active.head, parts["coefficients"], room)
    text = sketch.context.runs("altup.mixed", n_streams=sketch.component.streams)
    mixed = sketch.pill_above(made.head, text, sketch.span, RISE)
    sketch.feed([norm.foot, (lane, mixed.bottom)], sketch.span.middle)
    sketch.end = mixed.middle
    return sketch.group()


def altup_correction(sketch: Sketch) -> Group | None:
    """The panel of the correction: what the layer made of one stream, less its prediction, times coefficients of it."""
    assert sketch.component.streams is not None
    left, right = sketch.span.columns(2)
    again = sketch.pill(sketch.say("altup.again"), 0.0, -FORK_RISE, left)
    less = sketch.pill(sketch.say("altup.less"), 0.0, -FORK_RISE, right)
    sketch.feed([again.foot, less.foot], sketch.span.middle)
    made = sketch.box_above(again.head, sketch.parts["coefficients"], left)
    plus = sketch.pill_above(made.head, PLUS_ONE)
    text = sketch.context.runs("altup.added", n_streams=sketch.component.streams)
    sketch.end = sketch.pill_above(sketch.product(plus.head, less.head), text, sketch.span, RISE).middle
    return sketch.group()


def laurel(sketch: Sketch) -> Group | None:
    """The panel of a low-rank path: down, and back up."""
    down = sketch.box_above((sketch.span.middle, 0.0), sketch.parts["down"], sketch.span)
    sketch.box_above(down.head, sketch.parts["up"], sketch.span)
    return sketch.group()

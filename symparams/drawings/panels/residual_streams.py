"""The panels of several residual streams: what AltUp predicts of each, how it corrects each, and LAuReL's low-rank path."""

from __future__ import annotations

from symparams.components.tree import Component
from symparams.drawings.context import DrawingContext
from symparams.drawings.distances import FORK_RISE, RADIUS, RISE, SHORT_RISE
from symparams.drawings.group import Group
from symparams.drawings.marks import Rectangle, Tint
from symparams.drawings.panels import facts
from symparams.drawings.panels.sketch import Sketch, parts_by_purpose

LANE = 9.0  # for the streams, which pass what is made of one of them
PLUS_ONE = "+ 1"


def altup_prediction(context: DrawingContext, path: str, component: Component, width: float) -> Group | None:
    """The panel of the prediction: coefficients of one stream, by which all are mixed."""
    assert component.streams is not None
    parts, sketch = parts_by_purpose(path, component), Sketch(context, path, width, Tint.FEED_FORWARD)
    room, lane = sketch.span.inset(0.0, LANE), sketch.span.right - LANE / 2
    norm = sketch.box(parts["router_norm"], room, -FORK_RISE)
    router = sketch.box(parts["router"], room, norm.y - RISE)
    sketch.wire((norm.middle, norm.y), (norm.middle, router.bottom))
    active = _pill(sketch, router, context.sentence("activations.tanh"))
    made = sketch.box(parts["coefficients"], room, active.y - RISE)
    sketch.wire((active.middle, active.y), (made.middle, made.bottom))
    mixed = sketch.pill(context.runs("altup.mixed", n_streams=component.streams), 0.0, made.y - RISE, sketch.span)
    sketch.wire((made.middle, made.y), (made.middle, mixed.bottom))
    sketch.feed([(norm.middle, norm.bottom), (lane, mixed.bottom)], sketch.span.middle)
    sketch.end = mixed.middle
    return sketch.group(facts.called(context, path, component))


def altup_correction(context: DrawingContext, path: str, component: Component, width: float) -> Group | None:
    """The panel of the correction: what the layer made of one stream, less its prediction, times coefficients of it."""
    assert component.streams is not None
    parts, sketch = parts_by_purpose(path, component), Sketch(context, path, width, Tint.FEED_FORWARD)
    left, right = sketch.span.columns(2)
    again = sketch.pill(context.sentence("altup.again"), 0.0, -FORK_RISE, left)
    less = sketch.pill(context.sentence("altup.less"), 0.0, -FORK_RISE, right)
    sketch.feed([(again.middle, again.bottom), (less.middle, less.bottom)], sketch.span.middle)
    made = sketch.box(parts["coefficients"], left, again.y - RISE)
    sketch.wire((again.middle, again.y), (made.middle, made.bottom))
    plus = _pill(sketch, made, PLUS_ONE)
    y, middle = plus.y - SHORT_RISE - 1.0, sketch.span.middle
    sketch.operation("×", middle, y, [(plus.middle, plus.y), (plus.middle, y)], [(less.middle, less.y), (less.middle, y)])
    added = sketch.pill(context.runs("altup.added", n_streams=component.streams), 0.0, y - RADIUS - RISE, sketch.span)
    sketch.wire((middle, y - RADIUS), (middle, added.bottom))
    sketch.end = added.middle
    return sketch.group(facts.called(context, path, component))


def laurel(context: DrawingContext, path: str, component: Component, width: float) -> Group | None:
    """The panel of a low-rank path: down, and back up."""
    parts, sketch = parts_by_purpose(path, component), Sketch(context, path, width, Tint.FEED_FORWARD)
    down = sketch.box(parts["down"], sketch.span, -RISE)
    up = sketch.box(parts["up"], sketch.span, down.y - RISE)
    sketch.wire((down.middle, 0.0), (down.middle, down.bottom))
    sketch.wire((down.middle, down.y), (up.middle, up.bottom))
    return sketch.group(facts.called(context, path, component))


def _pill(sketch: Sketch, below: Rectangle, text: str) -> Rectangle:
    """What is done to the output of a box."""
    sketch.wire((below.middle, below.y), (below.middle, below.y - SHORT_RISE))
    return sketch.pill(text, below.middle, below.y - SHORT_RISE)

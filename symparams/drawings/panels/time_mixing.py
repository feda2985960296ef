"""The panels of RWKV: time mixing, whose values are averaged by their keys, and channel mixing; both see the token before."""

from __future__ import annotations

from symparams.components.tree import Component
from symparams.drawings.canvas import Span
from symparams.drawings.context import DrawingContext
from symparams.drawings.distances import LABELLED_RISE, RISE, SHORT_RISE
from symparams.drawings.group import Group
from symparams.drawings.marks import Rectangle, Tint
from symparams.drawings.panels import facts
from symparams.drawings.panels.sketch import BoxSubject, Sketch, parts_by_purpose

TIME = {"token_shift", "key", "value", "receptance", "decay_rate", "bonus", "output"}
CHANNELS = {"token_shift", "up", "receptance", "down"}
LANE = 6.0  # for what passes a box at its side
TURN = 4.0  # above a matrix, where what it gives turns to its lane


def time_mixing(context: DrawingContext, path: str, component: Component, width: float) -> Group | None:
    """The panel of time mixing; None where it holds other parts."""
    parts = parts_by_purpose(path, component)
    if parts.keys() != TIME:
        return None
    sketch = Sketch(context, path, width, Tint.ATTENTION)
    columns = sketch.span.columns(3)
    key, value, receptance = _shifted(
        sketch, parts["token_shift"], [parts["key"], parts["value"], parts["receptance"]], columns
    )
    foot = key.y - 2 * RISE
    rooms = [column.inset(LANE, 0.0) for column in columns[:2]]
    learned = sketch.row([(parts["decay_rate"], rooms[0]), (parts["bonus"], rooms[1])], foot)
    both = Span(columns[0].x, columns[1].right - columns[0].x)
    mean = sketch.pill(context.sentence("time_mixing.mean"), 0.0, sketch.top - LABELLED_RISE, both)
    for matrix, column, carried in ((key, columns[0], "key"), (value, columns[1], "value")):
        lane = column.x + LANE / 2
        sketch.wire((matrix.middle, matrix.y), (matrix.middle, matrix.y - TURN), (lane, matrix.y - TURN), (lane, mean.bottom))
        sketch.note(context.sentence(f"time_mixing.{carried}"), lane, mean.bottom + 7.6)
    for vector in learned:
        sketch.wire((vector.middle, vector.y), (vector.middle, mean.bottom))
    product = sketch.weighed(mean, receptance.middle, receptance.y, context.sentence("activations.sigmoid"))
    sketch.wire((mean.middle, product), (mean.middle, product - RISE))
    sketch.box(parts["output"], sketch.span, product - RISE)
    return sketch.group(facts.called(context, path, component))


def channel_mixing(context: DrawingContext, path: str, component: Component, width: float) -> Group | None:
    """The panel of channel mixing; None where it holds other parts."""
    parts = parts_by_purpose(path, component)
    if parts.keys() != CHANNELS:
        return None
    sketch = Sketch(context, path, width, Tint.FEED_FORWARD)
    columns = sketch.span.columns(2)
    up, receptance = _shifted(sketch, parts["token_shift"], [parts["up"], parts["receptance"]], columns)
    sketch.wire((up.middle, up.y), (up.middle, up.y - SHORT_RISE))
    active = sketch.pill(facts.activation(context, path, component), up.middle, up.y - SHORT_RISE, most=columns[0].width)
    foot = active.y - RISE
    sketch.wire((up.middle, active.y), (up.middle, foot))
    down = sketch.box(parts["down"], columns[0], foot)
    sketch.weighed(down, receptance.middle, receptance.y, context.sentence("activations.sigmoid"))
    sketch.end = down.middle
    return sketch.group(facts.called(context, path, component))


def _shifted(sketch: Sketch, shift: BoxSubject, matrices: list[BoxSubject], columns: list[Span]) -> list[Rectangle]:
    """Matrices side by side above what mixes a token with the one before."""
    place = sketch.box(shift, sketch.span, -RISE)
    sketch.feed([(place.middle, place.bottom)], sketch.span.middle)
    top = sketch.top
    boxes = sketch.row(list(zip(matrices, columns, strict=True)), top - RISE)
    for box in boxes:
        sketch.wire((box.middle, top), (box.middle, box.bottom))
    return boxes

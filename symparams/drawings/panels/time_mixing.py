"""The panels of RWKV: time mixing, whose values are averaged by their keys, and channel mixing; both see the token before."""

from __future__ import annotations

from symparams.drawings.distances import LABELLED_RISE, LANE, NAME_BELOW, RISE
from symparams.drawings.marks import Group, Rectangle
from symparams.drawings.panels.sketch import BoxSubject, Sketch
from symparams.drawings.ways import Span

TIME = {"token_shift", "key", "value", "receptance", "decay_rate", "bonus", "output"}
CHANNELS = {"token_shift", "up", "receptance", "down"}
TURN = 4.0  # above a matrix, where what it gives turns to its lane


def time_mixing(sketch: Sketch) -> Group | None:
    """The panel of time mixing; None where it holds other parts."""
    parts, columns = sketch.parts, sketch.span.columns(3)
    if parts.keys() != TIME:
        return None
    key, value, receptance = _shifted(sketch, [parts["key"], parts["value"], parts["receptance"]], columns)
    foot = key.y - 2 * RISE
    rooms = [column.inset(LANE, 0.0) for column in columns[:2]]
    learned = sketch.row([(parts["decay_rate"], rooms[0]), (parts["bonus"], rooms[1])], foot)
    both = Span(columns[0].x, columns[1].right - columns[0].x)
    mean = sketch.pill(sketch.say("time_mixing.mean"), 0.0, sketch.top - LABELLED_RISE, both)
    for matrix, column, carried in ((key, columns[0], "key"), (value, columns[1], "value")):
        lane = column.x + LANE / 2
        sketch.wire(matrix.head, (matrix.middle, matrix.y - TURN), (lane, matrix.y - TURN), (lane, mean.bottom))
        sketch.note(sketch.say(f"time_mixing.{carried}"), lane, mean.bottom + NAME_BELOW)
    for vector in learned:
        sketch.wire(vector.head, (vector.middle, mean.bottom))
    product = sketch.weighed(mean, receptance.middle, receptance.y, sketch.say("activations.sigmoid"))
    sketch.box_above((mean.middle, product), parts["output"], sketch.span)
    return sketch.group()


def channel_mixing(sketch: Sketch) -> Group | None:
    """The panel of channel mixing; None where it holds other parts."""
    parts, columns = sketch.parts, sketch.span.columns(2)
    if parts.keys() != CHANNELS:
        return None
    up, receptance = _shifted(sketch, [parts["up"], parts["receptance"]], columns)
    active = sketch.pill_above(up.head, sketch.activation, most=columns[0].width)
    down = sketch.box_above((up.middle, active.y), parts["down"], columns[0])
    sketch.weighed(down, receptance.middle, receptance.y, sketch.say("activations.sigmoid"))
    sketch.end = down.middle
    return sketch.group()


def _shifted(sketch: Sketch, matrices: list[BoxSubject], columns: list[Span]) -> list[Rectangle]:
    """Matrices side by side above what mixes a token with the one before."""
    sketch.feed([sketch.box(sketch.parts["token_shift"], sketch.span, -RISE).foot], sketch.span.middle)
    top = sketch.top
    boxes = sketch.row(list(zip(matrices, columns, strict=True)), top - RISE)
    for box in boxes:
        sketch.wire((box.middle, top), box.foot)
    return boxes

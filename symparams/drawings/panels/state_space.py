"""The panels of state spaces: Mamba's, whose step, B and C are selected by the input, and Mamba 2's, whose heads share them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from symparams.drawings.distances import GATE, GATE_MIDDLE, LABELLED_RISE, LANE, RADIUS, RISE, SHORT_RISE, SIDE_BY_SIDE
from symparams.drawings.marks import Group, Rectangle
from symparams.drawings.panels.sketch import BoxSubject, Sketch
from symparams.drawings.ways import Span, Way

NORMS = ("c_norm", "b_norm", "time_step_norm")  # from below
SELECTIVE = {"input_projection", "convolution", "selection", "time_step", "transition", "skip", "output_projection"}
NORM = "gated_norm"  # of Mamba 2, where it has one
DUAL = {"input_projection", "convolution", "time_step_bias", "transition", "skip", NORM, "output_projection"}
VECTORS, WIDE_VECTORS = 0.36, 0.46  # of the panel, for A and D
STEP = 4.0  # from the left of its column to the time step of Mamba 2, or to a decay
BRANCH = 4.0  # above the convolution, where its output goes two ways


def state_space(sketch: Sketch) -> Group | None:
    """The panel; None where it holds other parts than these."""
    parts = sketch.parts
    draw = _selective if parts.keys() - set(NORMS) == SELECTIVE else _dual if parts.keys() | {NORM} == DUAL else None
    if draw is None:
        return None
    projected = sketch.box(parts["input_projection"], sketch.span, -RISE)
    sketch.feed([projected.foot], sketch.span.middle)
    scan = _scan(sketch, parts.get("time_step_bias"), draw(sketch, projected.y))
    product = sketch.weighed(scan, sketch.span.right - GATE + GATE_MIDDLE, projected.y, sketch.activation)
    for name in (NORM, "output_projection"):
        if name in parts:
            span = replace(sketch.span, width=2 * (scan.middle - sketch.span.x)) if name == NORM else sketch.span
            product = sketch.box_above((scan.middle, product), parts[name], span).y
    return sketch.group()


def _columns(sketch: Sketch, share: float) -> tuple[Span, Span]:
    """The inputs of the scan from the left and from the right; the gate passes beside both."""
    all_of_it = sketch.span.inset(0.0, GATE)
    right = sketch.span.width * share
    return all_of_it.inset(0.0, right + SIDE_BY_SIDE), Span(all_of_it.right - right, right)


def convolved(sketch: Sketch, span: Span, top: float) -> Rectangle:
    """The convolution and its activation."""
    place = sketch.box_above((span.middle, top), sketch.parts["convolution"], span)
    return sketch.pill_above((span.middle, place.y), sketch.say("activations.silu"))


def _selective(sketch: Sketch, top: float) -> list[Way]:
    """Draw the inputs of Mamba's scan: x, the time step, the selected B and C, the learned A and D."""
    left, right = _columns(sketch, VECTORS)
    span = left.inset(LANE, 0.0)
    active = convolved(sketch, span, top)
    branch, x = active.y - BRANCH, left.x + LANE / 2
    selected = sketch.box_above((span.middle, active.y), sketch.parts["selection"], span, 2 * BRANCH + 2.0)
    *lanes, step = _normed(sketch, [sketch.parts[name] for name in NORMS if name in sketch.parts], span, selected.y)
    place = sketch.box_above((step.x, step.y), sketch.parts["time_step"], step.room)
    softplus = sketch.pill_above(place.head, sketch.say("activations.softplus"))
    passed = Way(x, softplus.y, left, "x", ((span.middle, branch), (x, branch)))
    return [*lanes, Way(place.middle, softplus.y, step.room, "time_step"), passed, *_vectors(sketch, right)]


def _normed(sketch: Sketch, norms: Sequence[BoxSubject], span: Span, top: float) -> list[Way]:
    """C, B and, in the middle of what is left beside them, the time step: each through its norm, if it has one."""
    if not norms:
        room = span.inset(0.0, 2 * LANE)
        return [Way(span.right - LANE, top, span, "b_c"), Way(room.middle, top, room)]
    rooms = span.staggered(len(norms), LANE, LANE)
    named = [replace(norm, name=sketch.context.name(norm.key)) for norm in norms]
    places = sketch.column(zip(named, rooms, strict=True), top - RISE)
    for room, place in zip(rooms, places, strict=True):
        x = room.middle if room is rooms[0] else room.x + LANE / 2
        sketch.wire((x, top), (x, place.bottom))
    return _out(rooms, places)


def _out(rooms: Sequence[Span], places: Sequence[Rectangle]) -> list[Way]:
    """What boxes above one another give: each passes those above it on the right."""
    xs = [room.middle if room is rooms[-1] else room.right - LANE / 2 for room in rooms]
    return [Way(x, place.y, room) for x, place, room in zip(xs, places, rooms, strict=True)]


def _vectors(sketch: Sketch, span: Span, above: float = 0.0) -> list[Way]:
    """A below and D above it, as high as what stands beside them, and ``above`` what stands below them."""
    rooms = span.staggered(2, 0.0, LANE)
    pair = list(zip((sketch.parts["transition"], sketch.parts["skip"]), rooms, strict=True))
    height = sum(sketch.lettered(*vector).height for vector in pair) + SIDE_BY_SIDE
    return _out(rooms, sketch.column(pair, min(sketch.top + height, above or sketch.top + height)))


def _dual(sketch: Sketch, top: float) -> list[Way]:
    """Draw the inputs of Mamba 2's scan: x, B and C through one convolution, the time step with its bias, A and D."""
    left, right = _columns(sketch, WIDE_VECTORS)
    active = convolved(sketch, left, top)
    x, beside = right.x + STEP, right.inset(STEP + RADIUS + 2 * SIDE_BY_SIDE, 0.0)
    bias = sketch.box(sketch.parts["time_step_bias"], beside, top - RISE)
    sketch.operation("+", x, bias.level, [(x, top)], [(bias.x, bias.level)])
    text = sketch.say("activations.softplus")
    is_beside = x - sketch.pill_width(text) / 2 > active.x + active.width
    foot = min(bias.y, active.bottom if is_beside else active.y) - SHORT_RISE
    sketch.wire((x, bias.level - RADIUS), (x, foot))
    softplus = sketch.pill(text, x, foot)
    lanes = [Way(active.middle, active.y, left, "x_b_c"), Way(x, softplus.y, right, "time_step")]
    return [*lanes, *_vectors(sketch, right.inset(STEP + LANE, 0.0), softplus.y - RISE)]


def _scan(sketch: Sketch, heads: BoxSubject | None, lanes: Sequence[Way]) -> Rectangle:
    """The scan over what comes from all sides; that of heads, each of which has a time step."""
    dual = () if heads is None else sketch.context.runs("state_space.dual_scan", n_heads=heads.component.tensors[0].shape[0])
    text = dual or sketch.say("state_space.scan")
    pill = sketch.pill(text, 0.0, sketch.top - LABELLED_RISE, sketch.span.inset(0.0, GATE))
    for lane in lanes:
        carried = sketch.say(f"state_space.{lane.carries}") if lane.carries else ""
        beside = min((other.x for other in lanes if other.x > lane.x), default=0.0)
        sketch.rise(lane, pill.bottom, carried, most=beside)
    return pill

"""The panels of state spaces: Mamba's, whose step, B and C are selected by the input, and Mamba 2's, whose heads share them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from symparams.components.tree import Component
from symparams.drawings.canvas import Span
from symparams.drawings.context import DrawingContext
from symparams.drawings.distances import LABELLED_RISE, RADIUS, RISE, SHORT_RISE, SIDE_BY_SIDE
from symparams.drawings.group import Group
from symparams.drawings.marks import Rectangle, Tint
from symparams.drawings.panels import facts
from symparams.drawings.panels.sketch import BoxSubject, Lane, Sketch, parts_by_purpose

NORMS = ("c_norm", "b_norm", "time_step_norm")  # from below
SELECTIVE = {"input_projection", "convolution", "selection", "time_step", "transition", "skip", "output_projection"}
NORM = "gated_norm"  # of Mamba 2, where it has one
DUAL = {"input_projection", "convolution", "time_step_bias", "transition", "skip", NORM, "output_projection"}
GATE, PASSING = 12.5, 3.7  # at the right edge, for the gate, which passes everything, and from there to its middle
LANE = 6.0
VECTORS, WIDE_VECTORS = 0.36, 0.46  # of the panel, for A and D
STEP = 4.0  # from the left of its column to the time step of Mamba 2
BRANCH = 4.0  # above the convolution, where its output goes two ways


def state_space(context: DrawingContext, path: str, component: Component, width: float) -> Group | None:
    """The panel; None where it holds other parts than these."""
    parts = parts_by_purpose(path, component)
    draw = _selective if parts.keys() - set(NORMS) == SELECTIVE else _dual if parts.keys() | {NORM} == DUAL else None
    if draw is None:
        return None
    sketch = Sketch(context, path, width, Tint.ATTENTION)
    projected = sketch.box(parts["input_projection"], sketch.span, -RISE)
    sketch.feed([(projected.middle, projected.bottom)], sketch.span.middle)
    lanes = draw(sketch, parts, projected.y)
    scan = _scan(sketch, parts.get("time_step_bias"), lanes)
    gate = sketch.span.right - GATE + PASSING
    product = sketch.weighed(scan, gate, projected.y, facts.activation(context, path, component))
    after = [NORM, "output_projection"] if NORM in parts else ["output_projection"]
    for name in after:
        foot = product - RISE
        sketch.wire((scan.middle, product), (scan.middle, foot))
        span = replace(sketch.span, width=2 * (scan.middle - sketch.span.x)) if name == NORM else sketch.span
        product = sketch.box(parts[name], span, foot).y
    return sketch.group(facts.called(context, path, component))


def _columns(sketch: Sketch, share: float) -> tuple[Span, Span]:
    """The inputs of the scan from the left and from the right; the gate passes beside both."""
    all_of_it = sketch.span.inset(0.0, GATE)
    right = sketch.span.width * share
    return all_of_it.inset(0.0, right + SIDE_BY_SIDE), Span(all_of_it.right - right, right)


def convolved(sketch: Sketch, convolution: BoxSubject, span: Span, top: float) -> Rectangle:
    """The convolution and its activation."""
    foot = top - RISE
    sketch.wire((span.middle, top), (span.middle, foot))
    place = sketch.box(convolution, span, foot)
    sketch.wire((span.middle, place.y), (span.middle, place.y - SHORT_RISE))
    return sketch.pill(sketch.context.sentence("activations.silu"), span.middle, place.y - SHORT_RISE)


def _selective(sketch: Sketch, parts: Mapping[str, BoxSubject], top: float) -> list[Lane]:
    """Draw the inputs of Mamba's scan: x, the time step, the selected B and C, the learned A and D."""
    left, right = _columns(sketch, VECTORS)
    span = left.inset(LANE, 0.0)
    active = convolved(sketch, parts["convolution"], span, top)
    branch, x = active.y - BRANCH, left.x + LANE / 2
    foot = active.y - 2 * BRANCH - 2.0
    sketch.wire((span.middle, active.y), (span.middle, foot))
    selected = sketch.box(parts["selection"], span, foot)
    lanes = _normed(sketch, [parts[name] for name in NORMS if name in parts], span, selected.y)
    step = lanes[-1]
    foot = step.y - RISE
    sketch.rise(step, foot)
    place = sketch.box(parts["time_step"], step.room, foot)
    sketch.wire((place.middle, place.y), (place.middle, place.y - SHORT_RISE))
    softplus = sketch.pill(sketch.context.sentence("activations.softplus"), place.middle, place.y - SHORT_RISE)
    lanes[-1] = Lane(place.middle, softplus.y, "time_step", step.room)
    passed = Lane(x, softplus.y, "x", left, ((span.middle, branch), (x, branch)))
    return [*lanes, passed, *_vectors(sketch, parts, right)]


def _normed(sketch: Sketch, norms: Sequence[BoxSubject], span: Span, top: float) -> list[Lane]:
    """C, B and, in the middle of what is left beside them, the time step: each through its norm, if it has one."""
    if not norms:
        room = span.inset(0.0, 2 * LANE)
        return [Lane(span.right - LANE, top, "b_c", span), Lane(room.middle, top, "", room)]
    lanes, foot = [], top - RISE
    for i, declared in enumerate(norms):
        room = span.inset(LANE * (len(norms) - 1 - i), LANE * i)
        x = room.middle if i == 0 else room.x + LANE / 2
        sketch.wire((x, top), (x, foot))
        is_last = i == len(norms) - 1
        norm = replace(declared, name=sketch.context.name(declared.key))
        place = sketch.box(norm, room, foot)
        lanes.append(Lane(room.middle if is_last else room.right - LANE / 2, place.y, "", room))
        foot = place.y - SIDE_BY_SIDE
    return lanes


def _vectors(sketch: Sketch, parts: Mapping[str, BoxSubject], span: Span, above: float = 0.0) -> list[Lane]:
    """A below and D above it, as high as what stands beside them, and ``above`` what stands below them."""
    rooms = [span, span.inset(0.0, LANE)]
    pair = list(zip((parts["transition"], parts["skip"]), rooms, strict=True))
    height = sum(sketch.lettered(*vector).height for vector in pair) + SIDE_BY_SIDE
    foot = min(sketch.top + height, above or sketch.top + height)
    lanes = []
    for part, room in pair:
        place = sketch.box(part, room, foot)
        lanes.append(Lane(room.middle if room is rooms[-1] else room.right - LANE / 2, place.y, "", room))
        foot = place.y - SIDE_BY_SIDE
    return lanes


def _dual(sketch: Sketch, parts: Mapping[str, BoxSubject], top: float) -> list[Lane]:
    """Draw the inputs of Mamba 2's scan: x, B and C through one convolution, the time step with its bias, A and D."""
    left, right = _columns(sketch, WIDE_VECTORS)
    active = convolved(sketch, parts["convolution"], left, top)
    x, beside = right.x + STEP, right.inset(STEP + RADIUS + 2 * SIDE_BY_SIDE, 0.0)
    bias = sketch.box(parts["time_step_bias"], beside, top - RISE)
    middle = bias.y + bias.height / 2
    sketch.operation("+", x, middle, [(x, top)], [(bias.x, middle)])
    text = sketch.context.sentence("activations.softplus")
    is_beside = x - sketch.pill_width(text) / 2 > active.x + active.width
    foot = min(bias.y, active.bottom if is_beside else active.y) - SHORT_RISE
    sketch.wire((x, middle - RADIUS), (x, foot))
    softplus = sketch.pill(text, x, foot)
    lanes = [Lane(active.middle, active.y, "x_b_c", left), Lane(x, softplus.y, "time_step", right)]
    return [*lanes, *_vectors(sketch, parts, right.inset(STEP + LANE, 0.0), softplus.y - RISE)]


def _scan(sketch: Sketch, heads: BoxSubject | None, lanes: Sequence[Lane]) -> Rectangle:
    """The scan over what comes from all sides; that of heads, each of which has a time step."""
    dual = () if heads is None else sketch.context.runs("state_space.dual_scan", n_heads=heads.component.tensors[0].shape[0])
    text = dual or sketch.context.sentence("state_space.scan")
    pill = sketch.pill(text, 0.0, sketch.top - LABELLED_RISE, sketch.span.inset(0.0, GATE))
    for lane in lanes:
        carried = sketch.context.sentence(f"state_space.{lane.carries}") if lane.carries else ""
        beside = min((other.x for other in lanes if other.x > lane.x), default=0.0)
        sketch.rise(lane, pill.bottom, carried, most=beside)
    return pill

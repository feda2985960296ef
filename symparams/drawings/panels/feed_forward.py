"""The panel of a feed-forward network: up, activation, down; with a gate beside the up-projection."""

from __future__ import annotations

from dataclasses import replace

from symparams.components.activations import ACTIVATION
from symparams.components.feed_forward import GAUSSIAN_TOP_K
from symparams.drawings.distances import FORK_RISE, RISE, SHORT_RISE, SIDE_BY_SIDE, WIDE_LANE
from symparams.drawings.marks import Group
from symparams.drawings.panels.shared_expert import SHARED_GATE
from symparams.drawings.panels.sketch import Sketch
from symparams.drawings.ways import Span


def feed_forward(sketch: Sketch) -> Group | None:
    """The panel; None where it holds a part of which is not known what it does."""
    return sketch.group() if put_network(sketch) else None


def put_network(sketch: Sketch) -> bool:
    """Put the parts of a network into a sketch; False where it has others than these."""
    draw = {
        frozenset({"up", "down"}): _plain,
        frozenset({"gate", "up", "down"}): _gated,
        frozenset({"gate_up", "down"}): _fused,
        frozenset({"gate", "up", "down", SHARED_GATE}): _gated,
    }.get(frozenset(sketch.parts) - {ACTIVATION.name, GAUSSIAN_TOP_K.name})
    if draw is not None:
        draw(sketch)
    return draw is not None


def _plain(sketch: Sketch) -> None:
    """down(activation(up(x)))."""
    up = sketch.box_above((sketch.span.middle, 0.0), sketch.parts["up"], sketch.span)
    active = activated(sketch, sketch.span.middle, up.y)
    sketch.box_above((sketch.span.middle, active), sketch.parts["down"], sketch.span)


def _gated(sketch: Sketch) -> None:
    """down(activation(gate(x)) · up(x)), weighed by a gate of the whole where there is one."""
    parts, weighing = sketch.parts, sketch.parts.get(SHARED_GATE)
    left, right = sketch.span.inset(0.0, WIDE_LANE if weighing else 0.0).columns(2)
    gate, up = sketch.row([(parts["gate"], left), (parts["up"], right)], -FORK_RISE)
    lane = sketch.span.right - WIDE_LANE / 2
    down = _product(sketch, gate.middle, up.middle, gate.y)
    if weighing is None:
        sketch.feed([gate.foot, up.foot], sketch.span.middle)
        sketch.box(parts["down"], sketch.span, down)
        return
    narrow, beside = Span(left.x, left.width + right.width / 2), Span(right.middle, sketch.span.right - right.middle)
    beside = beside.inset(2 * SIDE_BY_SIDE, 0.0)
    way_down, gate_of_all = sketch.row([(parts["down"], narrow), (weighing, beside)], down)
    sketch.feed([gate.foot, up.foot, (lane, gate_of_all.bottom)], sketch.span.middle)
    sketch.weighed(way_down, gate_of_all.middle, gate_of_all.y, sketch.say("activations.sigmoid"))
    sketch.end = way_down.middle


def _fused(sketch: Sketch) -> None:
    """The same with the gate and the up-projection in one matrix."""
    both = sketch.box(sketch.parts["gate_up"], sketch.span, -RISE)
    sketch.feed([both.foot], sketch.span.middle)
    left, right = (column.middle for column in sketch.span.columns(2))
    sketch.box(sketch.parts["down"], sketch.span, _product(sketch, left, right, both.y))


def _product(sketch: Sketch, gate: float, up: float, top: float) -> float:
    """The gate through its activation, times the up-projection; the height at which the product comes down."""
    middle, y = sketch.product((gate, activated(sketch, gate, _sparse(sketch, gate, top))), (up, top))
    sketch.wire((middle, y), (middle, y - RISE))
    return y - RISE


def _sparse(sketch: Sketch, middle: float, top: float) -> float:
    """What is left of the gate above what it takes in, where it is made sparse."""
    name = GAUSSIAN_TOP_K.name
    return _pill(sketch, sketch.context.name(name), middle, top) if name in sketch.parts else top


def activated(sketch: Sketch, middle: float, top: float) -> float:
    """The activation above what it takes in, and the height at which it ends: a box where it learns something."""
    learned, name = sketch.parts.get(ACTIVATION.name), sketch.activation
    if learned is None:
        return _pill(sketch, name, middle, top) if name else top
    width = min(2 * (middle - sketch.span.x), sketch.span.width / 2)
    return sketch.box_above((middle, top), replace(learned, name=name), Span.around(middle, width), SHORT_RISE).y


def _pill(sketch: Sketch, text: str, middle: float, top: float) -> float:
    return sketch.pill_above((middle, top), text, most=2 * (middle - sketch.span.x)).y


def per_layer_gate(sketch: Sketch) -> Group | None:
    """The panel of a layer's own input: the stream through a gate, times the input, and back up."""
    left, right = sketch.span.columns(2)
    gate = sketch.box_above((left.middle, 0.0), sketch.parts["gate"], left)
    active = gate.middle, activated(sketch, gate.middle, gate.y)
    own = sketch.pill(sketch.context.name(sketch.component.reads.rpartition(".")[2]), right.middle, -RISE, right)
    sketch.box_above(sketch.product(active, own.head), sketch.parts["output"], sketch.span)
    return sketch.group()

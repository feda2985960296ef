"""The panel of a feed-forward network: up, activation, down; with a gate beside the up-projection."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from symparams.components.activations import ACTIVATION
from symparams.components.feed_forward import GAUSSIAN_TOP_K
from symparams.components.tree import Component
from symparams.drawings.canvas import Span
from symparams.drawings.context import DrawingContext
from symparams.drawings.distances import FORK_RISE, RADIUS, RISE, SHORT_RISE, SIDE_BY_SIDE
from symparams.drawings.group import Group
from symparams.drawings.marks import Tint
from symparams.drawings.panels import facts
from symparams.drawings.panels.shared_expert import SHARED_GATE
from symparams.drawings.panels.sketch import BoxSubject, Sketch, parts_by_purpose

GATE_LANE = 10.0  # for what passes a box at its side


def feed_forward(context: DrawingContext, path: str, component: Component, width: float) -> Group | None:
    """The panel; None where it holds a part of which is not known what it does."""
    parts = parts_by_purpose(path, component)
    sketch = Sketch(context, path, width, Tint.FEED_FORWARD)
    draw = {
        frozenset({"up", "down"}): _plain,
        frozenset({"gate", "up", "down"}): _gated,
        frozenset({"gate_up", "down"}): _fused,
        frozenset({"gate", "up", "down", SHARED_GATE}): _gated,
    }.get(frozenset(parts) - {ACTIVATION.name, GAUSSIAN_TOP_K.name})
    if draw is None:
        return None
    draw(sketch, parts, component)
    return sketch.group(facts.called(context, path, component))


def _plain(sketch: Sketch, parts: Mapping[str, BoxSubject], component: Component) -> None:
    """down(activation(up(x)))."""
    middle = sketch.span.middle
    up = sketch.box(parts["up"], sketch.span, -RISE)
    sketch.wire((middle, 0.0), (middle, -RISE))
    active = activated(sketch, parts, component, middle, up.y)
    sketch.wire((middle, active), (middle, active - RISE))
    sketch.box(parts["down"], sketch.span, active - RISE)


def _gated(sketch: Sketch, parts: Mapping[str, BoxSubject], component: Component) -> None:
    """down(activation(gate(x)) · up(x)), weighed by a gate of the whole where there is one."""
    weighing = parts.get(SHARED_GATE)
    left, right = sketch.span.inset(0.0, GATE_LANE if weighing else 0.0).columns(2)
    gate, up = sketch.row([(parts["gate"], left), (parts["up"], right)], -FORK_RISE)
    lane = sketch.span.right - GATE_LANE / 2
    down = _product(sketch, parts, component, gate.middle, up.middle, gate.y)
    if weighing is None:
        sketch.feed([(gate.middle, gate.bottom), (up.middle, up.bottom)], sketch.span.middle)
        sketch.box(parts["down"], sketch.span, down)
        return
    narrow, beside = Span(left.x, left.width + right.width / 2), Span(right.middle, sketch.span.right - right.middle)
    beside = beside.inset(2 * SIDE_BY_SIDE, 0.0)
    way_down, gate_of_all = sketch.row([(parts["down"], narrow), (weighing, beside)], down)
    entries = [(gate.middle, gate.bottom), (up.middle, up.bottom), (lane, gate_of_all.bottom)]
    sketch.feed(entries, sketch.span.middle)
    sketch.weighed(way_down, gate_of_all.middle, gate_of_all.y, sketch.context.sentence("activations.sigmoid"))
    sketch.end = way_down.middle


def _fused(sketch: Sketch, parts: Mapping[str, BoxSubject], component: Component) -> None:
    """The same with the gate and the up-projection in one matrix."""
    both = sketch.box(parts["gate_up"], sketch.span, -RISE)
    sketch.feed([(both.middle, both.bottom)], sketch.span.middle)
    left, right = (column.middle for column in sketch.span.columns(2))
    sketch.box(parts["down"], sketch.span, _product(sketch, parts, component, left, right, both.y))


def _product(
    sketch: Sketch, parts: Mapping[str, BoxSubject], component: Component, gate: float, up: float, top: float
) -> float:
    """The gate through its activation, times the up-projection; the height at which the product comes down."""
    y = activated(sketch, parts, component, gate, _sparse(sketch, parts, gate, top)) - SHORT_RISE - 1.0
    middle = (gate + up) / 2
    sketch.operation("×", middle, y, [(gate, y + SHORT_RISE + 1.0), (gate, y)], [(up, top), (up, y)])
    sketch.wire((middle, y - RADIUS), (middle, y - RADIUS - RISE))
    return y - RADIUS - RISE


def _sparse(sketch: Sketch, parts: Mapping[str, BoxSubject], middle: float, top: float) -> float:
    """What is left of the gate above what it takes in, where it is made sparse."""
    if GAUSSIAN_TOP_K.name not in parts:
        return top
    sketch.wire((middle, top), (middle, top - SHORT_RISE))
    name = sketch.context.name(GAUSSIAN_TOP_K.name)
    return sketch.pill(name, middle, top - SHORT_RISE, most=2 * (middle - sketch.span.x)).y


def activated(sketch: Sketch, parts: Mapping[str, BoxSubject], component: Component, middle: float, top: float) -> float:
    """The activation above what it takes in, and the height at which it ends: a box where it learns something."""
    foot = top - SHORT_RISE
    learned, name = parts.get(ACTIVATION.name), facts.activation(sketch.context, sketch.path, component)
    if learned is None:
        if not name:
            return top
        sketch.wire((middle, top), (middle, foot))
        return sketch.pill(name, middle, foot, most=2 * (middle - sketch.span.x)).y
    sketch.wire((middle, top), (middle, foot))
    width = min(2 * (middle - sketch.span.x), sketch.span.width / 2)
    return sketch.box(replace(learned, name=name), Span(middle - width / 2, width), foot).y

"""The panel of a mixture of experts: the router, the experts, those that one token uses dark, and the one that all share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from symparams.components.feed_forward import BALANCING_BIAS
from symparams.derivations.mixtures import Experts, experts_of
from symparams.drawings.context import DrawingContext
from symparams.drawings.distances import FORK_RISE, RADIUS, SIDE_BY_SIDE
from symparams.drawings.lettering.lettering import AIR, Lettered, words
from symparams.drawings.marks import Face, Group, Rectangle, Stroke
from symparams.drawings.panels import facts
from symparams.drawings.panels.cells import CellGrid, chosen, grid
from symparams.drawings.panels.one_expert import open_expert
from symparams.drawings.panels.shared_expert import WEIGHED, SharedExpert
from symparams.drawings.panels.sketch import BoxSubject, Sketch
from symparams.drawings.ways import Span

ROUTER, ROUTER_NORM, EXPERTS_NORM, SCALES = "router", "router_norm", "experts_norm", "expert_scales"
LATENT = LATENT_DOWN, LATENT_UP = "latent_down", "latent_up"
NORMED = {ROUTER_NORM, EXPERTS_NORM, SCALES}
ROUTER_PASSING = 12.0  # beside the router, for what goes to the experts themselves
DOTTED_APART = 2.6  # of the dotted line, from the boxes
CHOSEN = 12.0  # from the router's left edge, the dotted line of what it chooses


def mixture(sketch: Sketch, shared: BoxSubject | None = None, *, is_open: bool = False) -> Group | None:
    """The panel, with the expert that all tokens share where there is one; None where it has other parts than these.

    What is inside one expert stands above all of them where the panel ``is_open``.
    """
    context, path, component = sketch.context, sketch.path, sketch.component
    experts = experts_of(component)
    routed = {name: child for name, child in component.children if any(tensor.active for tensor in child.tensors)}
    others = {word: part for word, part in sketch.parts.items() if part.key not in routed}
    others.pop(BALANCING_BIAS.name, None)  # which is not trained
    if experts is None or others.keys() not in ({ROUTER}, {ROUTER, *NORMED}, {ROUTER, *LATENT}):
        return None
    part = BoxSubject(path, replace(component, body=tuple(routed.items())), context.sentence("experts.routed"))
    if others.keys() >= NORMED:
        _normed(sketch, part, experts, others)
    else:
        _put_mixture(sketch, part, experts, others, shared)
    if is_open:
        open_expert(sketch, part.component)
    return sketch.group(context.sentence("blocks.experts"))


def _put_mixture(
    sketch: Sketch, part: BoxSubject, experts: Experts, others: Mapping[str, BoxSubject], shared: BoxSubject | None
) -> None:
    """The router below the experts, and the sum of theirs and of the shared one."""
    context = sketch.context
    beside = None if shared is None else SharedExpert(sketch, shared)
    span = sketch.span if beside is None else beside.routed
    router, down = _entered(sketch, others, span)
    scored = _scored(sketch, router)
    foot = min(scored.y - FORK_RISE + 3.0, 0.0 if beside is None else beside.foot())
    told, cells = _told(context, part, experts, span)
    height = max(told.height, 0.0 if beside is None else beside.height)
    box = sketch.box(part, span, foot, height, told)
    _cells(sketch, experts, box, box.y + (height - told.height) / 2 + cells)
    lane = straight((router.right + span.right) / 2, sketch.span.middle) if down is None else down.middle
    entries = [] if beside is None else beside.put(foot, height)
    entered = foot if down is None else down.bottom
    sketch.feed([router.foot, (lane, entered), *entries], sketch.span.middle)
    _routes(sketch, experts, scored, box, lane)
    top = box.y - WEIGHED - RADIUS
    if down is not None:
        sketch.wire((lane, down.y), (lane, foot))
        top = sketch.box_above((box.middle, top), others[LATENT_UP], span.inset(ROUTER_PASSING, 0.0)).y
    if beside is not None:
        _sum(sketch, box.middle, top, beside)


def _scored(sketch: Sketch, router: Rectangle) -> Rectangle:
    """The function that makes scores of what the router gives, above it; the router where that is not known."""
    part = sketch.parts[ROUTER]
    text = facts.activation(sketch.context, part.path, part.component)
    if not text:
        return router
    span = Span(router.x, sketch.pill_width(text))
    return sketch.pill_above((span.middle, router.y), text, span)


def _entered(sketch: Sketch, others: Mapping[str, BoxSubject], span: Span) -> tuple[Rectangle, Rectangle | None]:
    """The router and, beside it, the matrix before experts that read a shorter vector."""
    if LATENT_DOWN not in others:
        return sketch.box(others[ROUTER], span.inset(0.0, ROUTER_PASSING), -FORK_RISE), None
    left, right = span.columns(2)
    router, down = sketch.row([(others[ROUTER], left), (others[LATENT_DOWN], right)], -FORK_RISE)
    return router, down


def _normed(sketch: Sketch, part: BoxSubject, experts: Experts, others: Mapping[str, BoxSubject]) -> None:
    """A mixture whose router and whose experts norm what comes in, each for itself, and scale what goes out."""
    context, (left, right) = sketch.context, sketch.span.columns(2)
    norm, of_experts = sketch.row([(others[ROUTER_NORM], left), (others[EXPERTS_NORM], right)], -FORK_RISE)
    sketch.feed([norm.foot, of_experts.foot], sketch.span.middle)
    scored = _scored(sketch, sketch.box_above(norm.head, others[ROUTER], left))
    told, cells = _told(context, part, experts, sketch.span)
    box = sketch.box(part, sketch.span, scored.y - FORK_RISE + 3.0, told.height, told)
    _cells(sketch, experts, box, box.y + cells)
    sketch.wire((right.middle, of_experts.y), (right.middle, box.bottom))
    _routes(sketch, experts, scored, box, right.middle)
    scales = sketch.box(others[SCALES], right.inset(RADIUS + FORK_RISE / 2, 0.0), box.y - SIDE_BY_SIDE)
    level = box.y - WEIGHED
    sketch.wire((scales.x, level), (box.middle + RADIUS, level), stroke=Stroke.ROUTE)
    sketch.wire((box.middle, level - RADIUS), (box.middle, sketch.top), arrow=False)


def straight(lane: float, middle: float) -> float:
    """The lane right above where data come in, where it is about there."""
    return middle if abs(lane - middle) < ROUTER_PASSING / 2 - DOTTED_APART else lane


def _told(context: DrawingContext, part: BoxSubject, experts: Experts, span: Span) -> tuple[Lettered, float]:
    """Return the label of the box of the experts, and the height at which its cells begin."""
    above = context.lettered(part.path, part.component, span.width, part.name)
    text = context.runs("experts.active", n_active=experts.active, n_experts=experts.number)
    below = words(text, Face.COUNT, span.width, context.measure, air=0.0)
    cells = _grid(context, experts, span)
    room = above.height - AIR + (cells.height + 2 * AIR if cells else 0.0)
    return Lettered((*above.lines, *below.at(0.0, room)), room + below.height + AIR), above.height


def _grid(context: DrawingContext, experts: Experts, span: Span) -> CellGrid | None:
    """The cells within a box of this width; none of experts whose number is a letter."""
    number = context.fixed(experts.number)
    return None if number is None else grid(number, span.width - 2 * AIR)


def _cells(sketch: Sketch, experts: Experts, box: Rectangle, y: float) -> None:
    cells, active = _grid(sketch.context, experts, Span(box.x, box.width)), sketch.context.fixed(experts.active)
    if cells is not None:
        sketch.marks += cells.marks(box.middle, y, chosen(cells.number, active or 0))


def _routes(sketch: Sketch, experts: Experts, router: Rectangle, box: Rectangle, lane: float) -> None:
    """Draw the router's choice, up to the lane beside it, and the weights of the outputs."""
    context = sketch.context
    route = router.x + CHOSEN
    sketch.wire((route, router.y), (route, box.bottom), stroke=Stroke.ROUTE)
    sketch.note(context.runs("experts.chosen", n_active=experts.active), route, router.y - 2.6, least=route, most=lane)
    y, left = box.y - WEIGHED, box.x - DOTTED_APART
    side = router.level
    sketch.operation("×", box.middle, y)
    sketch.wire((router.x, side), (left, side), (left, y), (box.middle - RADIUS, y), stroke=Stroke.ROUTE)
    sketch.note(context.sentence("experts.weights"), left, y - 3.0)
    sketch.wire(box.head, (box.middle, y + RADIUS))
    sketch.end = box.middle


def _sum(sketch: Sketch, of_routed: float, top: float, beside: SharedExpert) -> None:
    """Draw the sum of the experts' outputs and that of the shared expert."""
    y = top - 24.0 + WEIGHED + RADIUS
    middle, (x, start) = sketch.span.middle, beside.out()
    sketch.operation("+", middle, y, [(of_routed, top), (of_routed, y)], [(x, start), (x, y)])
    sketch.end = middle

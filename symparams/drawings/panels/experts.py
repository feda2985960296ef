"""The panel of a mixture of experts: the router, the experts, those that one token uses dark, and the one that all share."""

from __future__ import annotations

from dataclasses import replace

from symparams.components.tree import Component
from symparams.derivations.mixtures import Experts, experts_of
from symparams.drawings.group import Group
from symparams.drawings.lettering.lettering import AIR, Lettered, words
from symparams.drawings.marks import Face, Rectangle, Stroke, Tint
from symparams.drawings.panels.cells import Grid, chosen, grid
from symparams.drawings.panels.sketch import FORK, GAP, SIGN, Part, Sketch, Span
from symparams.drawings.work import Work

SHARE = 0.57  # of the panel for the routed experts, beside a shared one
PASSING = 12.0  # beside the router, for what goes to the experts themselves
MARGIN = 2.6  # of the dotted line, from the boxes
CHOSEN = 12.0  # from the router's left edge, the dotted line of what it chooses
ROUTER = "router"


def mixture(work: Work, path: str, component: Component, width: float, shared: Part | None = None) -> Group | None:
    """The panel, with the expert that all tokens share where there is one; None where it has other parts than these."""
    experts = experts_of(component)
    children = dict(component.children)
    routed = {name: child for name, child in children.items() if any(tensor.active for tensor in child.tensors)}
    if experts is None or children.keys() - routed.keys() != {ROUTER}:
        return None
    sketch = Sketch(work, path, width, Tint.FEED_FORWARD)
    span = sketch.span if shared is None else Span(sketch.span.x, sketch.span.width * SHARE)
    router = sketch.box(Part(f"{path}.{ROUTER}", children[ROUTER]), span.inset(0.0, PASSING), -FORK)
    all_of_them = replace(component, body=tuple(routed.items()))
    part = Part(path, all_of_them, work.sentence("experts.routed"))
    foot = router.y - FORK + 3.0
    beside = [] if shared is None else [(shared, Span(span.right + GAP, sketch.span.right - span.right - GAP))]
    told, cells = _told(work, part, experts, span)
    height = max([told.height, *(sketch.lettered(*each).height for each in beside)])
    box = sketch.box(part, span, foot, height, told)
    _cells(sketch, experts, box, box.y + (height - told.height) / 2 + cells)
    others = [sketch.box(*each, foot, height) for each in beside]
    lane = (router.right + span.right) / 2
    sketch.feed([(router.middle, router.bottom), (lane, foot), *((other.middle, foot) for other in others)], sketch.span.middle)
    _routes(sketch, experts, router, box, lane)
    _sum(sketch, box, others)
    return sketch.group(work.sentence("blocks.experts"))


def _told(work: Work, part: Part, experts: Experts, span: Span) -> tuple[Lettered, float]:
    """What the box of the experts says, and how far down its cells begin: how many experts there are, then which are active."""
    above = work.lettered(part.path, part.component, span.width, part.name)
    said = work.runs("experts.active", n_active=experts.active, n_experts=experts.number)
    below = words(said, Face.COUNT, span.width, work.measure, air=0.0)
    cells = _grid(work, experts, span)
    room = above.height - AIR + (cells.height + 2 * AIR if cells else 0.0)
    return Lettered((*above.lines, *below.at(0.0, room)), room + below.height + AIR), above.height


def _grid(work: Work, experts: Experts, span: Span) -> Grid | None:
    """The cells within a box of this width; none of experts whose number is a letter."""
    number = work.value(experts.number)
    return None if number is None else grid(number, span.width - 2 * AIR)


def _cells(sketch: Sketch, experts: Experts, box: Rectangle, y: float) -> None:
    cells, active = _grid(sketch.work, experts, Span(box.x, box.width)), sketch.work.value(experts.active)
    if cells is not None:
        sketch.marks += cells.marks(box.middle, y, chosen(cells.number, active or 0))


def _routes(sketch: Sketch, experts: Experts, router: Rectangle, box: Rectangle, lane: float) -> None:
    """What the router chooses, up to the lane beside it, and how it weighs what comes out."""
    work = sketch.work
    route = router.x + CHOSEN
    sketch.wire((route, router.y), (route, box.bottom), stroke=Stroke.ROUTE)
    sketch.note(work.runs("experts.chosen", n_active=experts.active), route, router.y - 2.6, least=route, most=lane)
    y, left = box.y - 10.0, box.x - MARGIN
    side = router.y + router.height / 2
    sketch.operation("×", box.middle, y)
    sketch.wire((router.x, side), (left, side), (left, y), (box.middle - SIGN, y), stroke=Stroke.ROUTE)
    sketch.note(work.sentence("experts.weights"), left, y - 3.0)
    sketch.wire((box.middle, box.y), (box.middle, y + SIGN))
    sketch.end = box.middle


def _sum(sketch: Sketch, box: Rectangle, others: list[Rectangle]) -> None:
    """What the experts give, and the one that all tokens share, added."""
    if not others:
        return
    below, y = box.y - 10.0 - SIGN, box.y - 24.0
    middle = sketch.span.middle
    sketch.operation("+", middle, y)
    sketch.wire((box.middle, below), (box.middle, y), (middle - SIGN, y))
    for other in others:
        sketch.wire((other.middle, other.y), (other.middle, y), (middle + SIGN, y))
    sketch.end = middle

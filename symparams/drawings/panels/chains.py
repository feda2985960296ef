"""The panel of a block whose parts pass data one after another, in several chains whose results are multiplied, or in one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symparams.components.activations import ACTIVATION
from symparams.components.kinds import Role
from symparams.components.tree import Component
from symparams.drawings.distances import CARD, RADIUS, SHORT_RISE
from symparams.drawings.marks import Group
from symparams.drawings.panels.sketch import BoxSubject, Sketch
from symparams.drawings.ways import Span

Chain = Sequence[tuple[str, Component]]


def chains(sketch: Sketch) -> Group | None:
    """The panel."""
    ways = list(_ways(sketch.component))
    columns = sketch.span.columns(len(ways))
    tops = [_chain(sketch, way, column) for way, column in zip(ways, columns, strict=True)]
    if len(ways) > 1:
        middle, y = sketch.span.middle, min(tops) - SHORT_RISE - RADIUS
        arriving = [[(column.middle, top), (column.middle, y)] for column, top in zip(columns, tops, strict=True)]
        sketch.operation("×", middle, y, *arriving)
        sketch.top, sketch.end = y - RADIUS, middle
    return sketch.group()


def _ways(component: Component) -> Iterator[Chain]:
    """The chains: what stands without a name is one by itself."""
    named = tuple((name, part) for name, part in component.body if name and part.kind != ACTIVATION)
    yield from [part.children for name, part in component.body if not name] or [named]


def _chain(sketch: Sketch, chain: Chain, span: Span) -> float:
    """The parts from below; an activation follows each norm but one at the end, and a part that has its own."""
    top = 0.0
    for name, part in chain:
        subject = BoxSubject(f"{sketch.path}.{name}", part)
        top = sketch.box_above((span.middle, top), subject, span).y - CARD * (subject.cards - 1)
        is_norm = Role.NORM in (part.role, part.kind.instead_of)
        own = sketch.context.activation(part.activation)
        if text := sketch.activation if is_norm and part is not chain[-1][1] else own:
            top = sketch.pill_above((span.middle, top), text, most=span.width).y
    return top

"""The panel of a block whose parts pass data one after another, in several chains whose results are multiplied, or in one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symparams.components.activations import ACTIVATION
from symparams.components.kinds import Role
from symparams.components.tree import Component
from symparams.drawings.canvas import Span
from symparams.drawings.context import DrawingContext
from symparams.drawings.distances import CARD, RADIUS, RISE, SHORT_RISE
from symparams.drawings.group import Group
from symparams.drawings.marks import Tint
from symparams.drawings.panels import facts
from symparams.drawings.panels.sketch import BoxSubject, Sketch

Chain = Sequence[tuple[str, Component]]


def chains(context: DrawingContext, path: str, component: Component, width: float) -> Group | None:
    """The panel."""
    sketch, ways = Sketch(context, path, width, Tint.FEED_FORWARD), list(_ways(component))
    columns = sketch.span.columns(len(ways))
    tops = [_chain(sketch, component, way, column) for way, column in zip(ways, columns, strict=True)]
    if len(ways) > 1:
        middle, y = sketch.span.middle, min(tops) - SHORT_RISE - RADIUS
        arriving = [[(column.middle, top), (column.middle, y)] for column, top in zip(columns, tops, strict=True)]
        sketch.operation("×", middle, y, *arriving)
        sketch.top, sketch.end = y - RADIUS, middle
    return sketch.group(facts.called(context, path, component))


def _ways(component: Component) -> Iterator[Chain]:
    """The chains: what stands without a name is one by itself."""
    named = tuple((name, part) for name, part in component.body if name and part.kind != ACTIVATION)
    yield from [part.children for name, part in component.body if not name] or [named]


def _chain(sketch: Sketch, component: Component, chain: Chain, span: Span) -> float:
    """The parts from below; an activation follows each norm but one at the end, and a part that has its own."""
    top = 0.0
    for name, part in chain:
        sketch.wire((span.middle, top), (span.middle, top - RISE))
        subject = BoxSubject(f"{sketch.path}.{name}", part)
        top = sketch.box(subject, span, top - RISE).y - CARD * (subject.cards - 1)
        is_norm = Role.NORM in (part.role, part.kind.instead_of)
        if text := _activation(sketch, component) if is_norm and part is not chain[-1][1] else _own(sketch, part):
            sketch.wire((span.middle, top), (span.middle, top - SHORT_RISE))
            top = sketch.pill(text, span.middle, top - SHORT_RISE, most=span.width).y
    return top


def _activation(sketch: Sketch, component: Component) -> str:
    return facts.activation(sketch.context, sketch.path, component)


def _own(sketch: Sketch, part: Component) -> str:
    return str(sketch.context.words.entries.get(f"drawing.activations.{part.activation}", part.activation))

"""Activations: what a layer that stands by itself passes its output through, a pill above its box."""

from __future__ import annotations

from symparams.components.activations import ACTIVATION
from symparams.components.walks import components
from symparams.drawings.context import DrawingContext
from symparams.drawings.distances import SHORT_RISE
from symparams.drawings.layout.pen import ColumnGeometry, Cursor, Pen
from symparams.drawings.outline.parts import Block, Part
from symparams.drawings.panels.facts import activation
from symparams.drawings.panels.sketch import pill_width


def put_activation(pen: Pen, part: Block, geometry: ColumnGeometry, at: Cursor) -> Cursor:
    """The pill, and the wire that arrives at it; nothing where there is none."""
    text = active(pen.context, part)
    if not text:
        return at
    return pen.pill_above(at, SHORT_RISE, geometry.x, text, min(geometry.width, pill_width(pen.context, text)))


def active(context: DrawingContext, part: Part) -> str:
    """The activation after a layer, by its name; "" where there is none, or where it learns something: it is a box then."""
    if not isinstance(part, Block) or part.component.body:
        return ""
    learned = f"{part.path}_{ACTIVATION.name}"
    return (
        ""
        if any(path == learned for path, _ in components(context.model.tree))
        else activation(context, part.path, part.component)
    )

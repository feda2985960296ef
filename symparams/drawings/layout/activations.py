"""Activations: what a layer that stands by itself passes its output through, a pill above its box."""

from __future__ import annotations

from symparams.components.activations import ACTIVATION
from symparams.components.walks import components
from symparams.drawings.layout.pen import Cursor, Pen, Way
from symparams.drawings.outline.parts import Block, Part
from symparams.drawings.panels.facts import activation
from symparams.drawings.panels.sketch import SHORT, pill_width
from symparams.drawings.work import DrawingContext


def put_activation(pen: Pen, part: Block, way: Way, at: Cursor) -> Cursor:
    """The pill, and the wire that arrives at it; nothing where there is none."""
    text = active(pen.work, part)
    if not text:
        return at
    bottom, width = at.y - SHORT, min(way.width, pill_width(pen.work, text))
    height = pen.pill(way.x, bottom, text, width).height
    pen.lift(height)
    pen.wire((*at.trail, (way.x, bottom)))
    return Cursor(((way.x, bottom - height),), bottom - height)


def active(work: DrawingContext, part: Part) -> str:
    """The activation after a layer, by its name; "" where there is none, or where it learns something: it is a box then."""
    if not isinstance(part, Block) or part.component.body:
        return ""
    learned = f"{part.path}_{ACTIVATION.name}"
    return (
        "" if any(path == learned for path, _ in components(work.model.tree)) else activation(work, part.path, part.component)
    )

"""The panel of a block of which only its parts are known: each a box, in the order of the tree, and no wire that is guessed."""

from __future__ import annotations

from symparams.components.kinds import Role
from symparams.components.tree import Component
from symparams.components.walks import leaves
from symparams.drawings.context import DrawingContext
from symparams.drawings.distances import RISE, SIDE_BY_SIDE
from symparams.drawings.group import Group
from symparams.drawings.marks import Tint
from symparams.drawings.panels import facts
from symparams.drawings.panels.sketch import BoxSubject, Sketch

TINTS = {Role.FEED_FORWARD: Tint.FEED_FORWARD, Role.CHAIN: Tint.HEAD, Role.OTHER: Tint.HEAD}


def parts(context: DrawingContext, path: str, component: Component, width: float) -> Group | None:
    """The panel."""
    sketch = Sketch(context, path, width, TINTS.get(component.role, Tint.ATTENTION))
    foot = -RISE
    for leaf in leaves(component, within=True):
        if leaf.component.tensors:
            sketch.box(BoxSubject(f"{path}.{leaf.path}", leaf.component), sketch.span, foot)
            foot = sketch.top - SIDE_BY_SIDE
    sketch.end = None
    return sketch.group(facts.called(context, path, component))

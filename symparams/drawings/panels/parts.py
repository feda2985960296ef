"""The panel of a block of which only its parts are known: each a box, in the order of the tree, and no wire that is guessed."""

from __future__ import annotations

from symparams.components.kinds import Role
from symparams.components.walks import leaves
from symparams.drawings.distances import RISE
from symparams.drawings.group import Group
from symparams.drawings.marks import Tint
from symparams.drawings.panels.sketch import BoxSubject, Sketch

OF_ROLES = {Role.FEED_FORWARD: Tint.FEED_FORWARD, Role.CHAIN: Tint.HEAD, Role.OTHER: Tint.HEAD}


def parts(sketch: Sketch) -> Group:
    """The panel."""
    sketch.tint, sketch.end = OF_ROLES.get(sketch.component.role, Tint.ATTENTION), None
    shown = [leaf for leaf in leaves(sketch.component, within=True) if leaf.component.tensors]
    sketch.column([(BoxSubject(f"{sketch.path}.{leaf.path}", leaf.component), sketch.span) for leaf in shown], -RISE)
    return sketch.group()

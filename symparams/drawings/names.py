"""Names: what a block of a drawing is called, as figures of papers call it."""

from __future__ import annotations

from symparams.components.kinds import Role
from symparams.components.tree import Component
from symparams.drawings import panels
from symparams.drawings.work import Work


def called(work: Work, component: Component, path: str) -> str:
    """What a part is called: a norm by its kind, what is computed by its kind, a layer's block as its panel is."""
    if component.role in (Role.NORM, Role.ABSENT):
        return work.name(component.kind.name)
    return work.sentence("blocks.experts") if component.role is Role.PARALLEL else panels.called(work, path, component)

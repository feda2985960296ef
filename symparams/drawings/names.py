"""Names: what a block of a drawing is called, as figures of papers call it."""

from __future__ import annotations

from symparams.components.kinds import Role
from symparams.components.tree import Component
from symparams.drawings.work import Work


def called(work: Work, component: Component, path: str) -> str:
    """What a part is called: a norm by its kind, attention by what it attends to, a mixture by what it is, others by name."""
    return work.name(_key(component, path.rpartition(".")[2]))


def _key(component: Component, name: str) -> str:
    if component.role is Role.ABSENT:
        return component.kind.name
    if component.role is Role.NORM:
        return component.kind.name
    if component.role is Role.PARALLEL:
        return "experts"
    if component.role is Role.ATTENTION and component.attending:
        if component.reads == "encoder":
            return "cross_attention"
        if name == "attention":
            return "masked_self_attention" if component.attending.causal else "self_attention"
    return name

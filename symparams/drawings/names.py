"""Names: what a block of a drawing is called, as figures of papers call it."""

from __future__ import annotations

from symparams.components.kinds import Role, Use
from symparams.components.tree import Component
from symparams.drawings.context import DrawingContext
from symparams.drawings.panels import facts


def called(context: DrawingContext, component: Component, path: str) -> str:
    """Return the name of a part: a norm's kind, a computation's kind, a layer's block as its panel is called."""
    if component.role in (Role.NORM, Role.ABSENT):
        name = context.name(component.kind.name)
        is_joined = component.role is Role.ABSENT and component.reads  # what stands beside the stream is named with it
        return context.sentence("reading", name=name, of=context.owner(component.reads)) if is_joined else name
    if component.role is Role.PARALLEL:
        return context.sentence("blocks.experts")
    name = facts.called(context, path, component, is_short=True)
    tied = [tensor for tensor in component.tensors if tensor.tied_to]
    if not 0 < len(tied) < len(component.tensors):
        return name
    is_bias = all(tensor.use is Use.BIAS for tensor in tied)
    return context.sentence("bias_tied" if is_bias else "partly_tied", name=name)

"""What is missing: the dimensions that a count needs and that have no value, with where each is used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from symparams.errors import MissingDimensionError
from symparams.expressions.nodes import Expression

if TYPE_CHECKING:
    from symparams.models.model import Model


def missing(model: Model, expression: Expression) -> MissingDimensionError:
    """The error for an expression that cannot be worked out: all that the count needs, not only what was met first."""
    tensors = [(leaf.path, tensor) for leaf in reversed(model.leaves) for tensor in leaf.component.tensors]
    uses = {d.name: leaf.path for leaf in reversed(model.leaves) for d in leaf.times.dimensions}
    uses |= {d.name: path for path, tensor in tensors for side in tensor.sides for d in side.dimensions}
    unbound = [d for d in expression.dimensions if d not in model.values]
    unbound = [d for d in model.unbound if d in unbound] + [d for d in unbound if d not in model.unbound]
    if len(unbound) < len(model.unbound):
        unbound = list(model.unbound)
    named = [f"{d.name} (used in {uses.get(d.name, 'the formula')})" for d in unbound]
    other = ", or name a published model" if model.architecture.models else ""
    return MissingDimensionError(f"{model.name} has no value for {', '.join(named)}", [d.name for d in unbound], other)

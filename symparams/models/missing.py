"""What is missing: the dimensions that a count needs and that have no value, with where each is used."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from symparams.errors import MissingDimensionError
from symparams.expressions.nodes import Dimension, Expression

if TYPE_CHECKING:
    from symparams.models.model import Model


def needed(model: Model, dimensions: Iterable[Dimension]) -> list[Dimension]:
    """Return the dimensions that have to be given: instead of one that follows from a relation, those that it follows from."""
    to_give: dict[Dimension, None] = {}
    for dimension in dimensions:
        if dimension not in model.values:
            sources = needed(model, model.relations[dimension].dimensions) if dimension in model.relations else []
            to_give |= dict.fromkeys(sources or [dimension])
    return list(to_give)


def missing(model: Model, expression: Expression) -> MissingDimensionError:
    """The error for an expression that cannot be worked out: all that the count needs, not only what was met first."""
    tensors = [(leaf.path, tensor) for leaf in reversed(model.leaves) for tensor in leaf.component.tensors]
    uses = {d.name: leaf.path for leaf in reversed(model.leaves) for d in leaf.times.dimensions}
    uses |= {d.name: path for path, tensor in tensors for side in tensor.sides for d in side.dimensions}
    unbound = needed(model, (*model.unbound, *expression.dimensions))
    named = [f"{d.name} (used in {uses.get(d.name, 'the formula')})" for d in unbound]
    other = ", or name a published model" if model.architecture.models else ""
    return MissingDimensionError(f"{model.name} has no value for {', '.join(named)}", [d.name for d in unbound], other)

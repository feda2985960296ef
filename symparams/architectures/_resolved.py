"""A tree with its features chosen: what of a model does not depend on its values, worked out once for all that have them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from symparams.components.tree import Component
from symparams.components.walks import Leaf, leaves
from symparams.expressions.nodes import Expression
from symparams.quantities.tensor_count import TensorCount


@dataclass(frozen=True)
class Resolved:
    """The tree of every model of a family that has the same features, its leaves, and quantities over them."""

    tree: Component
    _formulas: dict[TensorCount, Expression] = field(default_factory=dict)

    @cached_property
    def leaves(self) -> tuple[Leaf, ...]:
        """Every leaf layer with its path and how often it occurs."""
        return tuple(leaves(self.tree))

    @cached_property
    def by_path(self) -> dict[str, Leaf]:
        """The leaf layers by their paths."""
        return {leaf.path: leaf for leaf in self.leaves}

    def formula(self, quantity: TensorCount) -> Expression:
        """A quantity over the whole tree, as a written sum."""
        if quantity not in self._formulas:
            self._formulas[quantity] = quantity.over(self.leaves)
        return self._formulas[quantity]

"""Tensor counts: ways to count tensors in which each counts the same wherever it stands, asked in one place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from symparams.components.tree import Component
from symparams.components.walks import Leaf
from symparams.expressions.nodes import Expression, Number
from symparams.expressions.written import times, total


@dataclass(frozen=True)
class TensorCount:
    """A way to count tensors: ``terms`` are what one copy of a leaf layer contributes, addend by addend."""

    name: str
    terms: Callable[[Component], Sequence[Expression]]

    def of(self, leaf: Component) -> Expression:
        """Return what one copy of a leaf layer contributes, equal addends together: h × h + h, 2 × h."""
        counted = Counter(self.terms(leaf))
        return total([times(Number(number), term) for term, number in counted.items()])

    def over(self, leaves: Iterable[Leaf]) -> Expression:
        """Return what these leaves contribute, each as often as it occurs: a sum in the tree's order."""
        return total([times(leaf.times, term) for leaf in leaves for term in self.terms(leaf.component)])

"""What a quantity is: something that every component of a tree contributes to, asked in one place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from symparams.components.tree import Component
from symparams.components.walks import Leaf
from symparams.expressions.nodes import Dimension, Expression, Number
from symparams.expressions.written import times, total


@dataclass(frozen=True)
class Quantity:
    """What is read off a tree: ``terms`` are what one copy of a leaf layer contributes, addend by addend.

    ``unit`` is what the number counts ("" for parameters, "B" for bytes), ``inputs`` the letters that it needs besides those
    of the tree, such as a batch of b sequences. Another way to count the same is another quantity, and a counting
    convention the difference of the two.
    """

    name: str
    terms: Callable[[Component], Sequence[Expression]]
    unit: str = ""
    inputs: tuple[Dimension, ...] = ()

    def of(self, leaf: Component) -> Expression:
        """What one copy of a leaf layer contributes as people write it, equal addends together: h × h + h, 2 × h."""
        counted = Counter(self.terms(leaf))
        return total([times(Number(number), term) for term, number in counted.items()])

    def over(self, leaves: Iterable[Leaf]) -> Expression:
        """What all of these leaves contribute, each as often as it occurs: a sum in the tree's order."""
        return total([times(leaf.times, term) for leaf in leaves for term in self.terms(leaf.component)])

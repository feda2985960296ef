"""Tensor counts: ways to count tensors in which each counts the same wherever it stands, asked in one place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from symparams.components.tree import Component, Tensor
from symparams.components.walks import Leaf
from symparams.expressions.nodes import Dimension, Expression, Number
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


@dataclass(frozen=True)
class TensorChoice:
    """The tensors that a rule of thumb counts: of some leaf layers those that are large.

    What it leaves out is told by its ``source``, one of ``sources``. ``width`` is that of all layers, None where they have
    several, of which nobody has a rule; ``about`` is what its sentence speaks of. The rule may be written ``in_squares`` of
    the width, 13·L·h²; one with ``squares`` is told of layers that come to so many of them alone, 12.
    """

    leaf: Callable[[Leaf], bool]
    tensor: Callable[[Tensor], bool]
    source: Callable[[Leaf, Tensor], str]
    sources: Sequence[str]
    width: Callable[[Sequence[Leaf]], Dimension | None]
    about: Callable[[Dimension], Mapping[str, Expression]]
    in_squares: bool = True
    squares: int | None = None

    def counted(self, count: Callable[[Tensor], Expression]) -> TensorCount:
        """These tensors of a leaf layer, each by its ``count``."""
        return TensorCount("", lambda leaf: [count(tensor) for tensor in leaf.tensors if self.tensor(tensor)])

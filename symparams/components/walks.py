"""Walks over a tree: its leaf layers where they stand, its named components, its gates, its arrays one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from symparams.components.kinds import Role
from symparams.components.tree import Component, Tensor
from symparams.expressions.nodes import Expression
from symparams.expressions.written import ONE, Values, evaluate, times
from symparams.features import Feature, tying


@dataclass(frozen=True)
class Leaf:
    """A leaf layer where it stands: its path, what stands around it from the root on, and the component."""

    path: str
    ancestors: tuple[tuple[str, Component], ...]
    component: Component

    @cached_property
    def copies(self) -> Expression:
        """How many copies of its place the model has."""
        return _product(ancestor.times for _, ancestor in self.ancestors)

    @cached_property
    def times(self) -> Expression:
        """How often it occurs in the whole model: the copies of its place, times its own."""
        return times(self.copies, self.component.times)

    @cached_property
    def _outside(self) -> int:
        """How many of what stands around it lie outside of one layer; 0 where it stands in none that is repeated."""
        repeated = [i for i, (_, each) in enumerate(self.ancestors) if each.role is Role.BLOCK and each.times != ONE]
        return repeated[-1] + 1 if repeated else 0

    @property
    def stack(self) -> str:
        """The path of the repeated block in which it stands, "" where it stands in none."""
        return self.ancestors[self._outside - 1][0] if self._outside else ""

    @cached_property
    def layers(self) -> Expression:
        """How many layers that stack has in the whole model."""
        return _product(ancestor.times for _, ancestor in self.ancestors[: self._outside])

    @cached_property
    def per_layer(self) -> Expression:
        """How often it occurs in one of them, or in the model where it stands in none."""
        return times(_product(ancestor.times for _, ancestor in self.ancestors[self._outside :]), self.component.times)

    @property
    def name(self) -> str:
        """Its own name, the last of its path."""
        return self.path.rpartition(".")[2]

    @property
    def roles(self) -> frozenset[Role]:
        """The parts that it and what stands around it play."""
        return frozenset({self.component.role, *(ancestor.role for _, ancestor in self.ancestors)})

    @property
    def is_embedding(self) -> bool:
        """Whether it is a table, or stands in a block of the tree beside one, as the norm after the tables does."""
        beside = self.ancestors[-1][1].children if len(self.ancestors) > 1 else ()
        return self.component.role is Role.TABLE or any(child.role is Role.TABLE for _, child in beside)

    @property
    def sublayer(self) -> tuple[str, Component] | None:
        """The outermost layer of one formula around it, by its path."""
        return next(((path, ancestor) for path, ancestor in self.ancestors if ancestor.is_sublayer), None)


def _product(factors: Iterable[Expression]) -> Expression:
    product: Expression = ONE
    for factor in factors:
        product = times(product, factor)
    return product


def leaves(
    component: Component, path: str = "", ancestors: tuple[tuple[str, Component], ...] = (), *, within: bool = False
) -> Iterator[Leaf]:
    """Every leaf layer of a tree, in its order; ``within`` leaves the root's own copies out."""
    if not component.body:
        yield Leaf(path, ancestors, component)
    here = replace(component, times=ONE) if within else component
    for name, child in component.children:
        yield from leaves(child, f"{path}.{name}" if path else name, (*ancestors, (path, here)))


def components(component: Component, path: str = "") -> Iterator[tuple[str, Component]]:
    """Every named component of a tree with its path, a parent before its children."""
    yield path, component
    for name, child in component.children:
        yield from components(child, f"{path}.{name}" if path else name)


def gates(component: Component) -> Iterator[Feature]:
    """Every feature on which a part of the tree depends."""
    yield from component.when
    for gate in (component.attending.causal, component.attending.relative) if component.attending else ():
        yield from () if isinstance(gate, bool) else gate if isinstance(gate, tuple) else (gate,)
    for tensor in component.tensors:
        yield from tensor.when
        if tensor.tied_to:
            yield tying
    for _, child in component.body:
        yield from gates(child)


def enumerate_tensors(component: Component, values: Values, path: str = "") -> Iterator[tuple[str, Tensor, tuple[int, ...]]]:
    """Every single array of the model, copies and all: its name, its tensor, its shape in integers."""
    copies = evaluate(component.times, values)
    for copy in range(copies):
        here = f"{path}.{copy}" if copies > 1 else path
        for tensor in component.tensors:
            yield f"{here}.{tensor.name}", tensor, tuple(evaluate(side, values) for side in tensor.shape)
        for name, child in component.children:
            yield from enumerate_tensors(child, values, f"{here}.{name}" if here else name)

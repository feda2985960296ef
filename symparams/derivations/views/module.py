"""The view ``module``: block by block in the order of the tree, as one walks through the model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from symparams.components.kinds import Role
from symparams.components.tree import Component
from symparams.derivations.layers import leaf_step, norms_step, sublayer_step
from symparams.derivations.steps import Step, StepKind, named, step, summed
from symparams.expressions.marks import Named
from symparams.expressions.written import ONE, ZERO, times
from symparams.models.model import Model

Layers = Sequence[tuple[str, Component]]


@dataclass(frozen=True)
class Walk:
    """A walk through the tree; how a sublayer and equal norms are written, and in which order, a view may choose."""

    model: Model
    attention: str
    sublayer: Callable[[Model, str, str, Component, str], Step] = sublayer_step
    norms: Callable[[Model, str, Layers], Step] = norms_step
    arrange: Callable[[Layers], Layers] = tuple

    def work(self) -> tuple[list[Step], list[Step]]:
        """A section for each block of the tree, and one for each run of layers between them."""
        sections: list[Step] = []
        addends: list[Step] = []
        for is_block, children in groupby(self.model.tree.children, lambda item: item[1].role is Role.BLOCK):
            if is_block:
                found = [self.block(name, name, block) for name, block in children]
                sections += map(_without_sum_of_one, found)
            else:
                found = [self.layer(name, name, layer) for name, layer in children]
                sections.append(group(self.model, "output" if len(found) > 1 else str(found[0].name), found))
            addends += map(_addend, found)
        return sections, addends

    def block(self, path: str, name: str, block: Component) -> Step:
        """A block and its subtotal; a repeated one as its copies times the subtotal of one."""
        inner = list(self.steps(path, self.arrange(block.children)))
        addends = [_addend(each) for each in inner]
        worked = [
            step for each, addend in zip(inner, addends, strict=True) for step in ([each] if each is addend else each.steps)
        ]
        if block.times == ONE:
            return summed(self.model, path, name, worked, StepKind.BLOCK, addends)
        one = summed(self.model, path, block.name, worked, StepKind.BLOCK, addends)
        return step(self.model, path, name, times(block.times, one.quantity), kind=StepKind.STACK, steps=[one])

    def layer(self, path: str, name: str, layer: Component) -> Step:
        """One layer: a sublayer in one formula, a block with its subtotal, a leaf by itself."""
        if not layer.is_sublayer:
            return self.block(path, name, layer) if layer.children else leaf_step(self.model, path, name, layer)
        if layer.times == ONE:
            return self.sublayer(self.model, path, name, layer, self.attention)
        one = self.sublayer(self.model, path, name, replace(layer, times=ONE), self.attention)
        return step(self.model, path, named("every", name), times(layer.times, one.quantity), kind=StepKind.STACK, steps=[one])

    def steps(self, path: str, children: Iterable[tuple[str, Component]]) -> Iterator[Step]:
        """The steps of a block: its layers in their order, then its norms, equal ones together."""
        norms: dict[Component, list[tuple[str, Component]]] = {}
        for name, child in children:
            if child.role is Role.NORM:
                norms.setdefault(child.stored, []).append((name, child))
            else:
                yield self.layer(f"{path}.{name}", name, child)
        for equal in norms.values():
            yield self.norms(self.model, path, equal)


def _without_sum_of_one(block: Step) -> Step:
    """A block, without its sum where only one of its parts counts."""
    return block if _addend(block) is block else replace(block, written=ZERO, kind=StepKind.GROUP)


def _addend(block: Step) -> Step:
    """What a block adds to the total: its sum, or the only part of it that counts."""
    is_one = block.kind == StepKind.BLOCK and isinstance(block.written, Named)
    return next((part for part in block.steps if part.quantity == block.written), block) if is_one else block


def group(model: Model, name: str, steps: Sequence[Step]) -> Step:
    """Steps under one heading that are not added up there."""
    return step(model, "", name, ZERO, kind=StepKind.GROUP, steps=steps)


def work(model: Model, attention: str) -> tuple[list[Step], list[Step]]:
    """The sections of the sheet, and the steps that add up to the total."""
    return Walk(model, attention).work()

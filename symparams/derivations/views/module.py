"""The view ``module``: block by block in the order of the tree, as one walks through the model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from symparams.components import BLOCK as BLOCK_KIND
from symparams.components import NORMS, Component
from symparams.derivations.layers import leaf_step, norms_step, sublayer_step
from symparams.derivations.steps import BLOCK, GROUP, STACK, Step, Workings
from symparams.expressions.written import ONE, ZERO, times


@dataclass(frozen=True)
class Walk:
    """A walk through the tree; how a sublayer and equal norms are written, and in which order, a view may choose."""

    workings: Workings
    sublayer: Callable[[Workings, str, str, Component], Step] = sublayer_step
    norms: Callable[[Workings, str, Sequence[tuple[str, Component]]], Step] = norms_step
    arrange: Callable[[Sequence[tuple[str, Component]]], Sequence[tuple[str, Component]]] = tuple

    def work(self) -> tuple[list[Step], list[Step]]:
        """A section for each block of the tree, and one for each run of layers between them."""
        sections: list[Step] = []
        addends: list[Step] = []
        for is_block, children in groupby(self.workings.model.tree.children, lambda item: item[1].kind == BLOCK_KIND):
            if is_block:
                found = [self.block(name, name, block) for name, block in children]
                sections += found
            else:
                found = [self.layer(name, name, layer) for name, layer in children]
                sections.append(group(self.workings, "output" if len(found) > 1 else found[0].name, found))
            addends += found
        return sections, addends

    def block(self, path: str, name: str, block: Component) -> Step:
        """A block and its subtotal; a repeated one as its copies times the subtotal of one."""
        inner = list(self.steps(path, self.arrange(block.children)))
        if block.times == ONE:
            return self.workings.sum(path, name, inner, BLOCK)
        one = self.workings.sum(path, block.name, inner, BLOCK)
        return self.workings.step(path, name, times(block.times, one.quantity), kind=STACK, steps=[one])

    def layer(self, path: str, name: str, layer: Component) -> Step:
        """One layer: a sublayer in one formula, a block with its subtotal, a leaf by itself."""
        if layer.is_sublayer:
            return self.sublayer(self.workings, path, name, layer)
        return self.block(path, name, layer) if layer.children else leaf_step(self.workings, path, name, layer)

    def steps(self, path: str, children: Iterable[tuple[str, Component]]) -> Iterator[Step]:
        """The steps of a block: its layers in their order, then its norms, equal ones together."""
        norms: dict[Component, list[tuple[str, Component]]] = {}
        for name, child in children:
            here = f"{path}.{name}"
            if child.kind in NORMS:
                norms.setdefault(child, []).append((name, child))
            else:
                yield self.layer(here, name, child)
        for equal in norms.values():
            yield self.norms(self.workings, path, equal)


def group(workings: Workings, name: str, steps: Sequence[Step]) -> Step:
    """Steps under one heading that are not added up there."""
    return workings.step("", name, ZERO, kind=GROUP, steps=steps)


def work(workings: Workings) -> tuple[list[Step], list[Step]]:
    """The sections of the sheet, and the steps that add up to the total."""
    return Walk(workings).work()

"""The view ``module``: block by block in the order of the tree, as one walks through the model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from symparams.components import BLOCK as BLOCK_KIND
from symparams.components import NORMS, SUBLAYERS, Component
from symparams.layers import leaf_step, norms_step, sublayer_step
from symparams.steps import BLOCK, GROUP, STACK, Step, Workings
from symparams.written import ONE, ZERO, times


def sections(workings: Workings) -> Iterator[Step]:
    """A section for each block of the tree, and one for each run of layers between them."""
    for is_block, children in groupby(workings.model.tree.children, lambda item: item[1].kind == BLOCK_KIND):
        if is_block:
            yield from (block_step(workings, name, name, block) for name, block in children)
        else:
            layers = [leaf_step(workings, name, name, layer) for name, layer in children]
            yield workings.step("", "output" if len(layers) > 1 else layers[0].name, ZERO, kind=GROUP, steps=layers)


def block_step(workings: Workings, path: str, name: str, block: Component) -> Step:
    """A block and its subtotal; a repeated one as its copies times the subtotal of one."""
    inner = list(steps(workings, path, block.children))
    if block.times == ONE:
        return workings.sum(path, name, inner, BLOCK)
    one = workings.sum(path, block.name, inner, BLOCK)
    return workings.step(path, name, times(block.times, one.quantity), kind=STACK, steps=[one])


def steps(workings: Workings, path: str, children: Iterable[tuple[str, Component]]) -> Iterator[Step]:
    """The steps of a block: its layers in their order, then its norms, equal ones together."""
    norms: dict[Component, list[tuple[str, Component]]] = {}
    for name, child in children:
        here = f"{path}.{name}"
        if child.kind in NORMS:
            norms.setdefault(child, []).append((name, child))
        elif child.kind in SUBLAYERS:
            yield sublayer_step(workings, here, name, child)
        elif child.children:
            yield block_step(workings, here, name, child)
        else:
            yield leaf_step(workings, here, name, child)
    for equal in norms.values():
        yield norms_step(workings, path, equal)

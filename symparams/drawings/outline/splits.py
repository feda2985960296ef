"""Splits: two stacks one after another that differ in one block are one, whose slot for that block is split."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from symparams.components.tree import Component
from symparams.components.walks import components
from symparams.drawings.outline.columns import Outline
from symparams.drawings.outline.parts import Block, LayerStack, Part, Residual, SplitSlot, SplitStack, nameless, walk
from symparams.expressions.nodes import Expression


def split(drawn: Outline, tree: Component) -> Outline:
    """The outline, in which neighbouring stacks that differ in one block are one."""
    whole = dict(components(tree))
    columns = []
    for column in drawn.columns:
        spine = [part for path, parts in groupby(column.spine, _parent) for part in _joined(path, list(parts), whole)]
        columns.append(replace(column, spine=spine))
    return replace(drawn, columns=tuple(columns))


def _parent(part: Part) -> str:
    """The path of the block in which a stack stands among others; "" of all else."""
    return part.path.rpartition(".")[0] if isinstance(part, LayerStack) else ""


def _joined(path: str, parts: Sequence[Part], whole: Mapping[str, Component]) -> Iterator[Part]:
    stacks = tuple(part for part in parts if isinstance(part, LayerStack))
    if path and len(stacks) == len(whole[path].body) == 2 and all(stack.component.applied is None for stack in stacks):
        common = _common(stacks[0].parts, stacks[1].parts, tuple(stack.component.times for stack in stacks))
        if common is not None and sum(isinstance(part, SplitSlot) for part in walk(common)) == 1:
            yield SplitStack(path, whole[path], common, stacks)
            return
    yield from parts


def _common(first: Sequence[Part], other: Sequence[Part], times: tuple[Expression, ...]) -> tuple[Part, ...] | None:
    """The parts of two layers, a split slot for blocks that differ; None where anything else does."""
    pairs = [_pair(*pair, times) for pair in zip(first, other, strict=False)]
    return tuple(part for part in pairs if part) if len(first) == len(other) and all(pairs) else None


def _pair(first: Part, other: Part, times: tuple[Expression, ...]) -> Part | None:
    if isinstance(first, Residual) and isinstance(other, Residual) and first.activation == other.activation:
        inner = _common(first.parts, other.parts, times)
        return None if inner is None else replace(first, parts=inner)
    if isinstance(first, Block) and isinstance(other, Block):
        if nameless(first.component) == nameless(other.component):
            return replace(first, also=(other.path,))
        return SplitSlot((first, other), times)
    return None

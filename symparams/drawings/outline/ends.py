"""Ends: what stands above the layers of a column, and which of it leads nowhere, since what follows reads what is below."""

from __future__ import annotations

from collections.abc import Sequence

from symparams.components.facts import Stream
from symparams.components.flow import layers
from symparams.components.tree import Component
from symparams.components.walks import components
from symparams.drawings.outline.columns import DrawingColumn
from symparams.drawings.outline.parts import AlternatingLayers, Block, LayerStack, Part


def end_of(column: DrawingColumn) -> Sequence[Part]:
    """Return the parts above the last layers of a column."""
    last = max((i for i, part in enumerate(column.spine) if isinstance(part, (LayerStack, AlternatingLayers))), default=-1)
    return column.spine[last + 1 :]


def unread(column: DrawingColumn) -> slice:
    """Return the parts above the layers that lead nowhere: the next part reads the layers, or a part below."""
    end = end_of(column)
    if column.is_passed_by:
        return slice(0, len(end))
    paths = {part.path: i for i, part in enumerate(end) if isinstance(part, Block)}
    for i, part in enumerate(end):
        if not isinstance(part, Block):
            continue
        if part.component.reads is Stream.LAYERS:
            return slice(0, i)
        read = paths.get(part.component.reads)
        if read is not None and read + 1 < i:
            return slice(read + 1, i)
    return slice(0, 0)


def reads_below_layers(tree: Component, path: str, reads: str) -> bool:
    """True if a part above all layers reads a part below them, by its path."""
    order, stacks = [part for part, _ in components(tree)], [stack for stack, _ in layers(tree)]
    if not reads or not stacks or not {path, reads} <= {*order}:
        return False
    return order.index(reads) < order.index(stacks[0]) and order.index(stacks[-1]) < order.index(path)

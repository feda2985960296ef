"""The sizes that every model has, by what stands in its tree: its width, its layers, its vocabulary, in whichever letters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from symparams.components.facts import Rows
from symparams.components.kinds import Role
from symparams.components.walks import Leaf
from symparams.derivations.estimates import width_of
from symparams.expressions.nodes import Dimension


def width(leaves: Sequence[Leaf]) -> Dimension | None:
    """Return the width of all stacks of a model; None where they differ."""
    stacks: dict[str, list[Leaf]] = {}
    for leaf in leaves:
        stacks.setdefault(leaf.stack, []).append(leaf)
    repeated = [those for stack, those in stacks.items() if stack] or list(stacks.values())
    widths = {width_of(those) for those in repeated}
    return widths.pop() if len(widths) == 1 else None


def number_of_layers(leaves: Iterable[Leaf]) -> Dimension | None:
    """Return the letter for how many layers there are; None where it takes several, as a dense and a sparse one."""
    repeated = (ancestor for leaf in leaves if leaf.stack for _, ancestor in leaf.ancestors if ancestor.role is Role.BLOCK)
    letters = {letter for block in repeated for letter in (block.times if block.applied is None else block.applied).dimensions}
    return letters.pop() if len(letters) == 1 else None


def vocabulary(leaves: Iterable[Leaf]) -> Dimension | None:
    """Return the letter for how many tokens there are: the rows of the first table of them."""
    return _rows(leaves, Rows.TOKENS)


def positions(leaves: Iterable[Leaf]) -> Dimension | None:
    """Return the letter for how many positions there are: the rows of the first table of them, if that is a letter."""
    return _rows(leaves, Rows.POSITIONS)


def _rows(leaves: Iterable[Leaf], rows: Rows) -> Dimension | None:
    tables = (leaf.component for leaf in leaves if leaf.component.rows is rows and leaf.component.tensors)
    side = next((table.tensors[0].shape[0] for table in tables), None)
    return side if isinstance(side, Dimension) else None

"""Comparing: which blocks of models stand for one another, what differs of them, and whether a picture can show it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from symparams.components.kinds import PartRole
from symparams.components.walks import unordered_part
from symparams.drawings.architecture import outlined
from symparams.drawings.compared.columns import ModelColumn, has_one_way, shape
from symparams.drawings.compared.differences import BlockDifference
from symparams.drawings.compared.levels import STRIP, Level, partners
from symparams.drawings.marks import Emphasis
from symparams.errors import OptionError
from symparams.models.model import Model
from symparams.records import frozen


class UnlikeModelsError(OptionError):
    """Models that no picture shows side by side, for a ``reason``: too few of their blocks stand for one another."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"{reason}: draw their bars.")
        self.reason = reason


@frozen
class Comparing:
    """Models on their levels: the differences of blocks on each, with the first model."""

    columns: tuple[ModelColumn, ...]
    levels: tuple[Level, ...]

    @cached_property
    def differences(self) -> tuple[tuple[BlockDifference, ...], ...]:
        """The blocks and the stacks of each level, from the left: each with its partner in each other model, or without one."""
        return tuple(tuple(self._of(level)) for level in self.levels)

    def _of(self, level: Level) -> Iterator[BlockDifference]:
        first, *others = self.columns
        for number, other in enumerate(others, 1):
            here, there = level.rows.get(0), level.rows.get(number)
            if level.first.edge:
                if level.first.edge == STRIP and (here or there):
                    yield BlockDifference(first, other, *(row.path if row else "" for row in (here, there)))
                continue
            pairs = partners(first, here, other, there) if here and there else []
            yield from (BlockDifference(first, other, one.part, two.part) for one, two in pairs)
            met = [box for pair in pairs for box in pair]
            for row, column in ((here, first), (there, other)):
                for box in row.boxes if row else ():
                    if box.part in column.kinds and not any(box is paired for paired in met):
                        yield BlockDifference(first, other, *((box.part, "") if row is here else ("", box.part)))

    @property
    def every(self) -> Iterator[BlockDifference]:
        """All of them, from below."""
        return (difference for on_level in self.differences for difference in on_level)

    def about(self, column: ModelColumn, path: str) -> list[BlockDifference]:
        """What is told of a block or a stack of a model."""
        return [
            difference
            for difference in self.every
            if (difference.first is column and difference.path == path)
            or (difference.other is column and difference.partner == path)
        ]

    def emphasis(self, column: ModelColumn, path: str) -> Emphasis | None:
        """How a block is outlined: as one without a partner in any model, as one that differs, or as any other."""
        told = self.about(column, path)
        if told and all(difference.is_alone for difference in told):
            return Emphasis.ALONE
        return Emphasis.DIFFERS if any(difference.differs for difference in told) else None

    def is_told_by_stack(self, difference: BlockDifference) -> bool:
        """True of a block without a partner in a stack without one: what is told of the stack is told of it."""
        column, path = difference.has
        stack = column.stack_of(path)
        is_within = difference.is_alone and stack not in ("", path)
        return is_within and any(whole.is_alone for whole in self.about(column, stack) if whole.other is difference.other)

    def check(self) -> None:
        """UnlikeModelsError where more blocks have no partner than have one, or where their order is another."""
        first, *others = self.columns
        for other in others:
            told = [difference for difference in self.every if difference.other is other]
            blocks = [difference for difference in told if not difference.is_of_layers]
            paired = sum(not difference.is_alone for difference in blocks)
            named = f"{first.name} and {other.name}"
            if 2 * paired < len(blocks) - paired:
                number = f"{paired} of their {len(first.kinds)} and {len(other.kinds)} blocks"
                raise UnlikeModelsError(f"{named} share {number}, too few to stand side by side")
            here = {first.kinds[difference.path].name for difference in blocks if not difference.partner}
            there = {other.kinds[difference.partner].name for difference in blocks if not difference.path}
            if both := sorted((here & there) - {PartRole.NORM.value}):
                raise UnlikeModelsError(
                    f"{named} have {' and '.join(both).replace('_', ' ')} in another order, so not at one height"
                )


def check_ways(models: Sequence[Model]) -> None:
    """UnlikeModelsError for models whose columns are of several shapes, or of which nobody saw what the parts read."""
    unseen = [model for model in models if unordered_part(model.tree) is not None]
    drawn = {} if unseen else {model: outlined(model) for model in models}
    if unseen or len({shape(outline) for outline in drawn.values()}) > 1:
        odd = unseen or [model for model in models if not has_one_way(drawn[model])]
        has = f"{odd[0].name} has more than one column of blocks, or layers that take turns"
        raise UnlikeModelsError(f"{has}, and cannot stand beside a model without")

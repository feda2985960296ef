"""Structure: arrays that hold the same numbers as others, joined, taken apart, stacked, on their side, by shapes alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import prod

from symparams.checkpoints.findings import Way
from symparams.checkpoints.groups import Group, View, are_siblings, views
from symparams.checkpoints.record import Shape

MOST_JOINED = 6
MOST_TRIED = 2_000  # of what could be joined, for one array


def turned(shape: Shape) -> Shape:
    """Return a shape with its last two sides in the other order."""
    return (*shape[:-2], shape[-1], shape[-2]) if len(shape) > 1 else shape


def is_reshaped(one: Shape, other: Shape) -> bool:
    """True if neighbouring sides of one, multiplied, are the sides of the other: (h, H, d) of (h, H·d); sides of 1 aside."""
    return _is_merged(one, other) or _is_merged(other, one)


def _is_merged(fine: Shape, coarse: Shape) -> bool:
    if prod(fine) != prod(coarse) or not prod(fine):
        return False
    left = [side for side in fine if side != 1]
    for side in coarse:
        part = 1
        while part < side and left:
            part *= left.pop(0)
        if part != side:
            return False
    return not left


def way_to(one: Shape, other: Shape) -> tuple[Way, ...] | None:
    """Return how the numbers of one shape are stored in another; None if they are not."""
    if one == other:
        return ()
    if turned(one) == other:
        return (Way.TRANSPOSED,)
    if is_reshaped(one, other):
        return (Way.RESHAPED,)
    return None


def is_joined(parts: Sequence[Shape], whole: Shape) -> bool:
    """True if parts, one behind the other along one of their sides, have the shape of the whole."""
    if {len(part) for part in parts} != {len(whole)} or sum(map(prod, parts)) != prod(whole):
        return False
    return any(
        sum(part[side] for part in parts) == whole[side]
        and all((*part[:side], *part[side + 1 :]) == (*whole[:side], *whole[side + 1 :]) for part in parts)
        for side in range(len(whole))
    )


def joined_by(
    single: Group, others: Sequence[View], named: tuple[Way, Way, Way], *, may_turn: bool
) -> tuple[list[Group], tuple[Way, ...]] | None:
    """Return the groups whose arrays together are one array of a group, and how; None if there are none.

    The ``others`` are all views of the groups to choose from. The ways are ``named`` for several arrays that are one, for
    copies that the single array is a stack of, and for copies of the others that are stacked. Matrices that stand on their side
    are only found if they ``may_turn``.
    """
    many, stack, unstack = named
    for whole in views(single):
        for is_stacked in (False, True) if whole.stacked == 1 else (False,):
            candidates = [view for view in others if (view.stacked > 1) is is_stacked and view.number == whole.number]
            ways = [*([stack] if whole.stacked > 1 else []), *([unstack] if is_stacked else [])]
            for parts in _subsets(candidates, whole, 1 if ways else 2):
                turn = _turn(parts, whole)
                if turn is not None and (may_turn or not turn):
                    return [part.group for part in parts], (*([many] if len(parts) > 1 else []), *ways, *turn)
    return None


def _subsets(candidates: Sequence[View], whole: View, least: int) -> Iterator[tuple[View, ...]]:
    """Yield those that may be the whole: each alone, then siblings of which each is smaller along one side."""
    if least == 1:
        yield from ((view,) for view in candidates)
    tried = 0
    parts = [view for view in candidates if _is_part(view.shape, whole.shape) or _is_part(turned(view.shape), whole.shape)]
    for number in range(2, min(len(parts), MOST_JOINED) + 1):
        for chosen in combinations(parts, number):
            tried += 1
            if tried > MOST_TRIED:
                return
            if len({id(part.group) for part in chosen}) == number and are_siblings(chosen):
                yield chosen


def _is_part(part: Shape, whole: Shape) -> bool:
    """True if a shape is smaller than the whole along one side, and like it along the others."""
    if len(part) != len(whole):
        return False
    return [a < b for a, b in zip(part, whole, strict=True) if a != b] == [True]


def _turn(parts: Sequence[View], whole: View) -> tuple[Way, ...] | None:
    """Return whether the parts are the whole as they are or on their side; None if they are not."""
    shapes = [part.shape for part in parts]
    if len(parts) == 1:
        return way_to(shapes[0], whole.shape)
    if is_joined(shapes, whole.shape):
        return ()
    return (Way.TRANSPOSED,) if is_joined(list(map(turned, shapes)), whole.shape) else None

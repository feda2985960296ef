"""Line breaking: where a text of numbered tokens is cut, given the width of any run of them on one line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from math import inf
from typing import TypeAlias

Width: TypeAlias = Callable[[int, int], float]  # of the tokens from one to before another, on a line of their own


def even(stops: Sequence[int], number: int, width: Width, room: float = inf) -> list[int] | None:
    """Return the cuts that make the widest of ``number`` lines as narrow as can be, the earliest cuts of several such.

    ``stops`` are the ends of the text and all places between them where a line may end. None if a line would be wider than
    ``room``, or if there are too few stops. Dynamic programming: the work grows with the square of the stops.
    """

    @cache
    def widest(i: int, lines: int) -> float:
        """Return the width of the widest of so many lines from a stop on, at best."""
        if lines == 1:
            return width(stops[i], stops[-1])
        narrowest = inf
        for j in range(i + 1, len(stops) - 1):
            first = width(stops[i], stops[j])
            if first >= narrowest or first > room:
                break
            narrowest = min(narrowest, max(first, widest(j, lines - 1)))
        return narrowest

    bound = widest(0, number)
    if bound == inf or bound > room:
        return None
    cuts = [0]
    for left in range(number - 1, 0, -1):
        ends = range(cuts[-1] + 1, len(stops) - 1)
        cuts.append(next(j for j in ends if width(stops[cuts[-1]], stops[j]) <= bound and widest(j, left) <= bound))
    return [stops[i] for i in cuts[1:]]


def full(number: int, width: Width, room: float) -> list[int]:
    """Return the cuts that put on each line as many of ``number`` tokens as it holds, at least one."""
    cuts, start = list[int](), 0
    for end in range(2, number + 1):
        if end - 1 > start and width(start, end) > room:
            start = end - 1
            cuts.append(start)
    return cuts

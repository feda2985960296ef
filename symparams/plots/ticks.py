"""Ticks: the numbers at an axis, those that people know, far enough apart to be read."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import ceil, log

from symparams.plots.pictures import TOKENS, Amount, Axis

MOST_TICKS = 8


def ticks_of(axis: Axis, low: Amount, high: Amount, length: float, apart: float) -> list[Amount]:
    """Numbers that people know within the ends of an axis of a length, at least so far apart.

    Of equal ratios they are powers, of even steps and within a ratio that has no two powers multiples of one number.
    """
    if low == high:
        return [low]
    found = _of_ratios(axis, low, high, length, apart) if axis.is_log else []
    if len(found) > 1:
        return found
    found = list(_even(low, high, length / apart))
    if axis.is_log:  # the larger ones are nearer to each other
        each = length / log(high / low)
        found = [tick for i, tick in enumerate(found) if not i or each * log(tick / found[i - 1]) >= apart]
    return found


def _of_ratios(axis: Axis, low: Amount, high: Amount, length: float, apart: float) -> list[Amount]:
    """Powers of two of tokens, else 1, 2, 4 and 5 times powers of ten."""
    each = length / log(high / low)  # points of a ratio of e
    if axis.unit == TOKENS:
        powers = [1 << i for i in range(64) if low <= 1 << i <= high]
        return list(powers[:: max(1, ceil(apart / (each * log(2))))])
    for subs in ((1, 2, 4), (1, 2, 5), (1, 4), (1, 3), (1,)):
        if each * min(log(b / a) for a, b in pairwise((*subs, 10))) >= apart:
            return [sub * 10**i for i in range(40) for sub in subs if low <= sub * 10**i <= high]
    step = ceil(apart / (each * log(10)))
    return [10**i for i in range(0, 40, step) if low <= 10**i <= high]


def _even(low: Amount, high: Amount, most: float) -> Iterator[Amount]:
    """Multiples of the smallest step of 1, 2, 4 or 5 times a power of ten that leaves at most so many."""
    steps = (sub * 10**i for i in range(40) for sub in (1, 2, 4, 5))
    step = next(step for step in steps if (high - low) / step <= min(most, MOST_TICKS))
    first = -(-int(low) // step) * step
    yield from range(first, int(high) + 1, step)

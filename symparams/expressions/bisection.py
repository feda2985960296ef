"""Bisection: where what grows reaches something, found over exact values."""

from __future__ import annotations

from collections.abc import Callable


def crossing(is_reached: Callable[[int], bool], least: int, most: int) -> int:
    """Return the first integer from ``least`` on at which what grows is reached; ``most`` + 1 if it never is."""
    low, high = least - 1, least
    while high <= most and not is_reached(high):
        low, high = high, 2 * high if high > 0 else 1
    high = min(high, most + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_reached(middle) else (middle, high)
    return high

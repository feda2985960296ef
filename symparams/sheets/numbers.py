"""Numbers as people say them: 1.30 billion, 13.03 亿, 7.25 %. Exact integers and fractions in, no float on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

SIGNIFICANT = 3


def rounded(value: int, words: Sequence[Mapping[str, Any]]) -> tuple[str, bool] | None:
    """A large count to three significant digits with the language's word for its power of ten, and whether that is all of
    it; None for a small one.
    """
    for word in words:
        if value >= 10 ** word["power"]:
            whole = len(str(value // 10 ** word["power"]))
            decimals = max(0, SIGNIFICANT - whole)
            exact = Fraction(value, 10 ** word["power"])
            return decimal(exact, decimals) + word["word"], (exact * 10**decimals).denominator == 1
    return None


def percent(part: Fraction) -> str:
    """A part of the whole with two decimals, halves away from zero: 7.25 %; what rounds to nothing is < 0.01 %."""
    if 0 < part < Fraction(1, 20_000):
        return "< 0.01 %"
    return f"{decimal(part * 100, 2)} %"


def decimal(value: Fraction, decimals: int) -> str:
    """A non-negative fraction with so many decimals, rounded half up."""
    scaled = (value * 10**decimals + Fraction(1, 2)).__floor__()
    whole, rest = divmod(scaled, 10**decimals)
    return f"{whole:,}.{rest:0{decimals}}" if decimals else f"{whole:,}"


def shortest(value: Fraction) -> str:
    """A non-negative fraction with at most two decimals and no zeros at the end: 14, 6.5, 13.04."""
    written = decimal(value, 2)
    return written.rstrip("0").rstrip(".")

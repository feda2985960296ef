"""Numbers as people say them: 1.30 billion, 13.03 亿, 7.25%. Exact integers and fractions in, no float on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from symparams.expressions.printing.nodes import Scaled
from symparams.expressions.printing.printer import rounded_half_up

SIGNIFICANT = 3


def rounded(value: int, words: Sequence[Mapping[str, Any]]) -> tuple[Scaled, bool] | None:
    """A large count to three significant digits with the language's word for its power of ten, and whether that is all of
    it; None for a small one.
    """
    for word in words:
        if value >= 10 ** word["power"]:
            whole = len(str(value // 10 ** word["power"]))
            decimals = max(0, SIGNIFICANT - whole)
            exact = Fraction(value, 10 ** word["power"])
            return Scaled(exact, decimals, word["word"]), (exact * 10**decimals).denominator == 1
    return None


def percent(part: Fraction, pattern: str) -> str:
    """A part of the whole with two decimals, halves away from zero: 7.25%; what rounds to nothing is < 0.01%."""
    if 0 < part < Fraction(1, 20_000):
        return "< " + pattern.format(number="0.01")
    return pattern.format(number=rounded_half_up(part * 100, 2))

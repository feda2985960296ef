"""Numbers as people say them: 1.30 billion, 13.03 亿, 7.25%. Exact integers and fractions in, no float on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from symparams.expressions.nodes import Expression, Number
from symparams.expressions.printing.nodes import Scaled
from symparams.expressions.printing.printer import rounded_half_up

SIGNIFICANT = 3
PERCENT = 2  # decimals


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


def short(value: int, words: Sequence[Mapping[str, Any]]) -> Expression:
    """A count to three significant digits with a word or a letter for its power of ten; a small one as it is."""
    said = rounded(value, words)
    return said[0] if said else Number(value)


def share(part: Fraction, pattern: str, decimals: int) -> str:
    """A part of the whole as it stands in a table: 7.3%; what rounds to nothing is <0.1%."""
    return percent(part, pattern, decimals).replace("< ", "<")


def percent(part: Fraction, pattern: str, decimals: int = PERCENT) -> str:
    """A part of the whole with two decimals, halves away from zero: 7.25%; what rounds to nothing is < 0.01%."""
    least = Fraction(1, 10**decimals)
    if 0 < part * 100 < least / 2:
        return "< " + pattern.format(number=rounded_half_up(least, decimals))
    return pattern.format(number=rounded_half_up(part * 100, decimals))

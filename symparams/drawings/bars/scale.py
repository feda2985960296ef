"""A scale: an axis from 0 to a round number, in steps that one can read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from symparams.expressions.printing.nodes import Scaled

MOST_STEPS = 4
ROUND = (1, 2, 5)


def ticks(most: int) -> list[int]:
    """The places of an axis that reaches this far: 0, then two to four steps of 1, 2 or 5 times a power of ten."""
    steps = (digit * 10**power for power in range(len(str(most)) + 1) for digit in ROUND)
    step = next(step for step in steps if step * MOST_STEPS >= most)
    return [step * i for i in range(-(-most // step) + 1)]


def short(value: int, words: Sequence[Mapping[str, Any]]) -> Scaled:
    """A round number with the language's letter for its power of ten, and no zeros that say nothing: 200 M, 1.5 B."""
    word: Mapping[str, Any] = next((entry for entry in words if value >= 10 ** entry["power"]), {"power": 0, "word": ""})
    exact = Fraction(value, 10 ** word["power"])
    decimals = next(places for places in range(word["power"] + 1) if (exact * 10**places).denominator == 1)
    return Scaled(exact, decimals, word["word"])

"""Mistakes: usual wrong answers, and formulas as a record has them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from symparams.expressions.nodes import Expression
from symparams.expressions.parsing import parse
from symparams.expressions.symbols import letter


@dataclass(frozen=True)
class Mistake:
    """A usual wrong answer: the names of what leads to it, the formula, and what that comes to."""

    names: tuple[str, ...]
    written: Expression
    value: int | Fraction


@lru_cache(maxsize=65_536)
def parsed(text: str) -> Expression:
    """A formula of a record, which is only to be evaluated."""
    return parse(text, letter, is_evaluated=True)

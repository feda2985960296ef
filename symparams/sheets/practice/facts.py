"""Facts in words: their texts, in which a number stands in full or to so many digits."""

from __future__ import annotations

from fractions import Fraction

from symparams.expressions.nodes import Number
from symparams.expressions.printing.nodes import Scaled
from symparams.practice.facts import Fact
from symparams.practice.kind import text_in
from symparams.sheets.practice.questions import phrase, told
from symparams.sheets.values import Phrase, Value


def words(fact: Fact, place: str, language: str) -> Phrase:
    """Return what a fact says in a place: "front", "back" or "formula"."""
    return phrase(text_in(fact.texts(place), language), lambda name, digits: _number(fact.numbers[name], digits))


def _number(value: int | Fraction, digits: str) -> Value:
    """A number in full, or rounded to so many digits: 208.6 to three is 209."""
    if not digits:
        return told(value)
    decimals = int(digits) - len(str(int(value))) if value >= 1 else int(digits)
    rounded = round(Fraction(value) * Fraction(10) ** decimals) / Fraction(10) ** decimals
    return Number(int(rounded)) if decimals <= 0 else Scaled(rounded, decimals, "")

"""Figures of a budget: exact numbers as people say them, to four digits, in the largest unit."""

from __future__ import annotations

from fractions import Fraction

from symparams.derivations.budget import numbers
from symparams.expressions.closed_form import as_written
from symparams.expressions.factoring import factored
from symparams.expressions.nodes import Expression, Number, Quotient
from symparams.expressions.polynomial import Polynomial
from symparams.expressions.printing.nodes import Decimal, Scaled
from symparams.expressions.symbols import INPUTS
from symparams.models.model import Model
from symparams.sheets.catalogue import Catalogue

DIGITS = 4
MOST_TERMS = 12  # of a formula that a reader takes in


def figure(value: int | Fraction, unit: str, words: Catalogue, *, is_bare: bool = False) -> Expression:
    """A number of bytes or FLOPs: 16.06 GB; ``is_bare`` without the unit, which the heading names: 13.96 G."""
    name = words.entry(f"units.{unit}.name") if is_bare else ""
    for word in words.entry(f"units.{unit}.rounding"):
        scaled = Fraction(value) / 10 ** word["power"]
        if scaled >= 1:
            return Scaled(scaled, max(0, DIGITS - len(str(int(scaled)))), word["word"].removesuffix(name))
    return Number(int(value)) if Fraction(value).denominator == 1 else Decimal(Fraction(value))


def exactly(value: Fraction) -> Expression:
    """A fraction as a formula has it, an integer as one: 1/2."""
    return Number(value.numerator) if value.denominator == 1 else Quotient(Number(value.numerator), Number(value.denominator))


def shown(polynomial: Polynomial, model: Model) -> Expression:
    """A closed form with common factors drawn out; of one that nobody takes in what is left with the sizes put in."""
    left = sized(polynomial, model)
    return formula(left if len(polynomial.terms) > MOST_TERMS > len(left.terms) else polynomial)


def sized(polynomial: Polynomial, model: Model) -> Polynomial:
    """With numbers for the sizes of the model; its inputs stay letters."""
    return numbers(polynomial, {size: value for size, value in model.values.items() if size not in INPUTS})


def formula(polynomial: Polynomial) -> Expression:
    """A polynomial that is left of a formula when letters with a value have it."""
    return factored(polynomial) if polynomial else as_written(polynomial)

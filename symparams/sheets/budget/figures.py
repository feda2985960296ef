"""Figures of a budget: exact numbers as people say them, to four digits, in the largest unit."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from symparams.derivations.budget import numbers
from symparams.expressions.closed_form import as_written
from symparams.expressions.factoring import factored
from symparams.expressions.nodes import Expression
from symparams.expressions.polynomial import Polynomial
from symparams.expressions.printing.nodes import Scaled
from symparams.expressions.symbols import INPUTS
from symparams.models.model import Model
from symparams.sheets.catalogue import Catalogue
from symparams.sheets.values import short

DIGITS = 4
MOST_TERMS = 12  # of a formula that a reader takes in


def figure(value: int | Fraction, unit: str, words: Catalogue, *, is_bare: bool = False) -> Expression:
    """A number of bytes or FLOPs: 16.06 GB; ``is_bare`` without the unit, which the heading names: 13.96 G."""
    name = words.entry(f"units.{unit}.name") if is_bare else ""
    number = short(value, words.entries.get(f"units.{unit}.rounding") or words.rounding, DIGITS)
    return replace(number, word=number.word.removesuffix(name)) if isinstance(number, Scaled) else number


def shown(polynomial: Polynomial, model: Model) -> Expression:
    """A closed form with common factors drawn out; of one that nobody takes in what is left with the sizes put in."""
    left = sized(polynomial, model)
    return formula(left if len(polynomial.terms) > MOST_TERMS > len(left.terms) else polynomial)


def sized(polynomial: Polynomial, model: Model) -> Polynomial:
    """Return a polynomial with numbers for the sizes of the model; its inputs stay letters."""
    return numbers(polynomial, {size: value for size, value in model.values.items() if size not in INPUTS})


def formula(polynomial: Polynomial) -> Expression:
    """A polynomial that is left of a formula when letters with a value have it."""
    return factored(polynomial) if polynomial else as_written(polynomial)

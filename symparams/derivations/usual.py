"""Usual values: what a sheet takes of the number type, the choices and the inputs that nobody gives, and says that it takes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from symparams.expressions.nodes import Dimension
from symparams.expressions.symbols import LONG_NAMES, b, e
from symparams.models.calculation import USUAL_TYPE, Calculation, own_dtype
from symparams.models.inputs import checked_calculation, positions
from symparams.models.model import Model
from symparams.quantities.quantity import Quantity
from symparams.quantities.setting import CHOICES


def usual_calculation(
    model: Model, quantity: Quantity, given: Mapping[str, Any], *, takes_inputs: bool = True
) -> tuple[Calculation, Mapping[str, Any]]:
    """Return the calculation of a sheet, and what it takes in place of what nobody gives, by name.

    Inputs are taken only if none is given: one that is given makes a formula in the others. Raises what
    ``checked_calculation`` raises.
    """
    taken = {name: value for name, value in quantity.usual.items() if name in CHOICES and name not in given}
    if takes_a_type(quantity):
        taken |= usual_type(model, given)
    calculation = checked_calculation(model, quantity, {**taken, **given})
    inputs = _inputs(calculation) if takes_inputs else {}
    if inputs:
        calculation = calculation.at({calculation.inputs[letter]: value for letter, value in inputs.items()})
    return calculation, {**taken, **{letter.name: value for letter, value in inputs.items()}}


def takes_a_type(quantity: Quantity) -> bool:
    """True if a quantity needs the bytes of a number type."""
    return e in quantity.inputs and "dtype" in quantity.choices


def usual_type(model: Model, given: Mapping[str, Any]) -> Mapping[str, str]:
    """Return the number type of a model with values of which nobody says it, as a choice; nothing where one is known."""
    is_given = not {"dtype", e.name, LONG_NAMES[e].name}.isdisjoint(given)
    return {} if is_given or model.unbound or own_dtype(model) else {"dtype": USUAL_TYPE}


def _inputs(calculation: Calculation) -> dict[Dimension, int]:
    """Return the usual values of the inputs if all lack and nothing else does; no sequence is longer than the positions."""
    cost, most = calculation.quantity, positions(calculation.model)
    letters = [letter for letter in cost.inputs if letter not in (e, *calculation.fixed)]
    asked = {letter: own for letter in letters if (own := calculation.inputs[letter]) in calculation.written.dimensions}
    if {*calculation.lacking} != {*asked.values()} or any(letter.name not in cost.usual for letter in asked):
        return {}
    usual = {letter: int(cost.usual[letter.name]) for letter in asked}
    return {letter: value if letter == b or most is None else min(value, most) for letter, value in usual.items()}

"""Measured: a quantity of a model at the values of one letter, an input of the quantity or a size of the model, exactly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from symparams.errors import OptionError, UnknownNameError, suggestion
from symparams.expressions.nodes import Dimension
from symparams.expressions.symbols import b, e, s, t
from symparams.models.calculation import USUAL_TYPE, Calculation, calculate, longer_name, own_dtype
from symparams.models.inputs import positions
from symparams.models.load import load_with
from symparams.models.model import Model
from symparams.plots.pictures import Amount
from symparams.quantities.quantity import Quantity, find
from symparams.records import frozen

START = 2  # a value of the letter with which terms are derived: where it is 1, they may be others


@frozen
class Measured:
    """A quantity of a model as a function of a letter; ``most`` is the largest value that it may have, if any is.

    ``of_input`` is the letter within the calculation, None where it is a size of the model.
    """

    model: Model
    quantity: Quantity
    letter: str
    inputs: Mapping[str, Any]
    calculation: Calculation | None = None
    of_input: Dimension | None = None
    most: int | None = None
    dtype: str = ""
    _known: dict[int, Amount] = field(default_factory=dict, compare=False, repr=False)

    def __call__(self, value: int) -> Amount:
        """Return the exact number at a value; MissingDimensionError names what else has none."""
        if value not in self._known:
            self._known[value] = self.at(value).value()
        return self._known[value]

    def at(self, value: int) -> Calculation:
        """The calculation at a value."""
        if self.calculation is not None and self.of_input is not None:
            return self.calculation.at({self.of_input: value})
        return calculate(load_with(self.model, {self.letter: value}), self.quantity, self.inputs)


def measured(model: Model, quantity: str | Quantity, letter: str, inputs: Mapping[str, Any]) -> Measured:
    """Return a quantity of a model over a letter, of one sequence and in the model's own number type unless others are given.

    UnknownNameError for a letter that is neither an input of the quantity nor a size of the model.
    """
    asked, given = find(quantity), dict(inputs)
    if "dtype" in asked.choices and e.name not in given:
        given.setdefault("dtype", own_dtype(model) or USUAL_TYPE)
    if b in asked.inputs and letter not in (b.name, longer_name(b).name) and not {b.name, longer_name(b).name} & given.keys():
        given[b.name] = 1
    dtype = str(given.get("dtype") or "")
    if letter in given:
        raise OptionError(f"{letter} is plotted over: leave out its value, {letter}={given[letter]}.")
    for own in asked.inputs:
        if letter in (own.name, longer_name(own).name):
            calculation = calculate(model, asked, {**given, own.name: START})
            if own in calculation.fixed:
                raise OptionError(f"{own.name} follows from the sizes of {model.name}: plot over another letter.")
            here = calculation.inputs.get(own, own)
            most = positions(model) if own in (s, t) else None
            return Measured(model, asked, letter, given, calculation, here, most, dtype)
    sizes = [size.name for size in model.dimensions]
    if letter not in sizes:
        raise UnknownNameError(
            f"{model.name} has no {letter} over which to plot {asked.spelled}. "
            f"{suggestion(letter, [*(own.name for own in asked.inputs), *sizes])}"
        )
    return Measured(model, asked, letter, given, dtype=dtype)

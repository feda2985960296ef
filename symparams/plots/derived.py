"""Derived: the plot that goes with a derivation, as what it counts says: parameters, FLOPs, bytes over tokens or sequences."""

from __future__ import annotations

from symparams.derivations.derivation import Derivation
from symparams.errors import OptionError
from symparams.expressions.symbols import b, e, s, t
from symparams.plots import KINDS, TRAINING, plot_of
from symparams.plots.pictures import Plot
from symparams.quantities.quantity import BYTES, FLOPS, PARAMETERS, Quantity


def derived_plot(derivation: Derivation) -> Plot:
    """Return the plot of a derivation, for the inputs and choices that it has, but for the letter that it is over.

    Parameters are areas; FLOPs shares over the sequence; the KV cache and the weights memory over the context; training and
    activations are over the batch. OptionError for what has no such plot, MissingDimensionError for a model without values.
    """
    if derivation.is_expression:
        raise OptionError("A bare formula has no parts to plot: leave out with_plot.")
    quantity, calculation = derivation.quantity, derivation.calculation
    if not derivation.is_by_terms or calculation is None:
        if quantity.name != PARAMETERS:
            raise _lacking(quantity)
        return plot_of("treemap", derivation.model)
    kind, letter, given = *_kind_of(quantity), calculation.asked
    if "dtype" in given:
        given.pop(e.name, None)
    if quantity.name == TRAINING:  # the usual one of a sheet is not that of a plot
        given["attention"] = calculation.setting.attention
    of_kind = {"quantity": quantity.name} if quantity.name != KINDS[kind].usual and not quantity.is_of_weights else {}
    over = {"over": f"{letter}=1..32"} if kind == "line" else {}
    given = {name: value for name, value in given.items() if name != letter}
    try:
        return plot_of(kind, derivation.plain_model, **of_kind, **over, **given)
    except OptionError as error:
        raise OptionError(f"{str(error).rstrip('.')}. So there is no plot: leave out with_plot.") from None


def _kind_of(quantity: Quantity) -> tuple[str, str]:
    """The kind of a quantity's plot, and the letter that it is over."""
    if quantity.unit == FLOPS and s in quantity.inputs:
        return "shares", s.name
    if quantity.name == TRAINING:
        return "memory", b.name
    if quantity.unit == BYTES and (t in quantity.inputs or quantity.is_of_weights):
        return "memory", t.name
    if b in quantity.inputs:
        return "line", b.name
    raise _lacking(quantity)


def _lacking(quantity: Quantity) -> OptionError:
    return OptionError(
        f"There is no plot of {quantity.spelled} for a sheet: leave out with_plot, or derive parameters, FLOPs or memory."
    )

"""The data of a budget: each quantity with its closed form and its exact value, what fits, and the sheet's own blocks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from symparams.derivations.budget import Budget
from symparams.derivations.fitting import CardUse, cards, serving, training
from symparams.expressions.closed_form import as_written
from symparams.expressions.printing.printer import plain
from symparams.formats.json.blocks import exactly
from symparams.formats.json.reading import reading
from symparams.models.calculation import Calculation

if TYPE_CHECKING:
    from symparams.formats.json.data import Data


def budget(data: Data) -> dict[str, Any]:
    """A budget, as its schema describes it: inputs, quantities, None for those that the model has not; and its sheet."""
    subject: Budget = data.document.subject
    room = subject.room
    fits: dict[str, Any] = {} if room is None else {"room": exactly(room.size)}
    if room is not None:
        fits |= {
            "serving": [_use(use) for use in serving(subject, room)],
            "training": [_use(use) | {"cards": cards(use.fixed, room)} for use in training(subject, room)],
        }
    return {
        "target": subject.model.name,
        "architecture": subject.model.family,
        "inputs": {name: value if isinstance(value, int) else str(value) for name, value in subject.given.items()},
        "quantities": {name: _quantity(subject, calculation) for name, calculation in _quantities(subject).items()},
        **({"fits": fits} if fits else {}),
        **reading(subject.model),
    }


def _quantities(subject: Budget) -> Mapping[str, Calculation | None]:
    """Each quantity by name; memory of training once for each recipe."""
    named = {"weight_memory": subject.calculate("weight_memory"), "kv_cache": subject.cache}
    runs = {f"{run.name}_flops" if run.name != "forward" else "forward_flops": run.calculation for run in subject.runs}
    recipes = {f"training_memory_{name}": subject.states(name) for name in subject.recipes}
    return {**named, **runs, "training_flops": subject.training(), "activations": subject.activations(), **recipes}


def _quantity(subject: Budget, calculation: Calculation | None) -> dict[str, Any] | None:
    if calculation is None:
        return None
    value = subject.value(calculation)
    form = plain(as_written(calculation.polynomial))
    return {"unit": calculation.quantity.unit, "closed_form": form, "value": exactly(value)}


def _use(use: CardUse) -> dict[str, Any]:
    largest = {fit.letter.name: {"largest": fit.largest, "binds": fit.binds} for fit in use.fits}
    return {
        "name": use.name,
        **({"way": use.way} if use.way else {}),
        "fixed": exactly(use.fixed),
        "largest": largest,
        "needs": [need.name for need in use.needs],
    }

"""The views: the same leaves, grouped into steps as different authors group them.

One file a view, and the folder is their registry. A view's ``work`` takes a model and how attention is written, and gives
two lists of steps: the sections of the sheet, and the steps among them that add up to the total.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from symparams.derivations.steps import Step
from symparams.errors import OptionError, quoted
from symparams.models.calculation import Calculation
from symparams.models.model import Model

FIRST = "module"  # the view that people mean when they name none


class Work(Protocol):
    """The function that each view offers."""

    def __call__(self, model: Model, attention: str) -> tuple[list[Step], list[Step]]:
        """The sections of the sheet, and the steps that add up to the total."""


@cache
def names() -> tuple[str, ...]:
    """The names of the views, the usual one first."""
    views = sorted(file.stem for file in Path(__file__).parent.glob("*.py") if not file.stem.startswith("_"))
    return (FIRST, *(name for name in views if name != FIRST))


def find(name: str) -> Work:
    """The work of the view of this name; OptionError lists the views that there are."""
    if name not in names():
        raise OptionError(f"Unknown view {quoted(name)}: choose one of {', '.join(names())}.")
    return cast(Work, import_module(f"{__name__}.{name}").work)


def sections_of(calculation: Calculation, view: str, attention: str) -> tuple[list[Step], list[Step]]:
    """The sections of the sheet of a quantity in a view, and the steps that add up to the total.

    Tensors are counted layer by layer, as a person counts the matrices of each; any other quantity is the sum of its terms.
    """
    by_layers = find(view)
    if calculation.quantity.tensors is not None:
        return by_layers(calculation.model, attention)
    from symparams.derivations import costs

    return costs.work(calculation, view)

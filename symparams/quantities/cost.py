"""Costs: what a model takes to be stored, run or trained, each a sum of terms that are read off its tree, one file each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path

from symparams.components.tree import Component
from symparams.errors import UnknownNameError, quoted, suggestion
from symparams.expressions.nodes import Dimension, Expression
from symparams.quantities.setting import Setting
from symparams.quantities.term import Term

PARAMETERS = "parameters"
# In the order in which a reader asks for them. One whose file is not there is not offered.
KNOWN = (
    PARAMETERS,
    "weight_memory",
    "kv_cache",
    "forward_flops",
    "backward_flops",
    "training_flops",
    "activations",
    "training_memory",
    "lora",
)
BYTES, FLOPS, NUMBERS = "bytes", "flops", "parameters"
LETTERS: Mapping[str, str] = {BYTES: "M", FLOPS: "F", NUMBERS: "N"}  # what a result is called


@dataclass(frozen=True)
class Alternative:
    """Another way to count the same: the key of its sentence under [notes], its terms, and what the sentence speaks of."""

    key: str
    terms: Sequence[Term]
    about: Mapping[str, Expression] = field(default_factory=dict)


@dataclass(frozen=True)
class Cost:
    """A quantity of its own file: ``terms`` are its addends over a tree under a setting; ``unit`` is what they count.

    ``letters`` are the inputs that a user may give values, with ``defaults`` for those that need not be given; ``choices``
    the names of what may be chosen. ``alternatives`` are other ways to count it, which its sheet lists as differences.
    """

    name: str
    unit: str
    terms: Callable[[Component, Setting], Sequence[Term]]
    letters: tuple[Dimension, ...] = ()
    choices: tuple[str, ...] = ()
    defaults: Mapping[Dimension, int] = field(default_factory=dict)
    alternatives: Callable[[Component, Setting], Iterable[Alternative]] = lambda tree, setting: ()

    @property
    def letter(self) -> str:
        """What its results are called on a sheet: M, F or N."""
        return LETTERS[self.unit]


@cache
def names() -> tuple[str, ...]:
    """The quantities that there are, by name."""
    there = {file.stem for file in Path(__file__).parent.glob("*.py")}
    return tuple(name for name in KNOWN if name in there)


def spelled(name: object) -> str:
    """The name of a quantity, written with hyphens or underscores; UnknownNameError lists those that there are."""
    read = str(name).strip().lower().replace("-", "_")
    if read not in names():
        raise UnknownNameError(f"Unknown quantity {quoted(name)}. {suggestion(read, names())}")
    return read


def refuse_inputs(inputs: Mapping[str, object]) -> None:
    """The number of parameters takes no inputs: UnknownNameError for any."""
    for name in inputs:
        raise UnknownNameError(
            f"{PARAMETERS} takes no {quoted(name)}: name the quantity that does, quantity='kv_cache', or give it to render,"
            " where it is an option of the sheet."
        )


def find(name: str) -> Cost:
    """The cost of this name; UnknownNameError where it is none."""
    cost: Cost = import_module(f"symparams.quantities.{spelled(name)}").COST
    return cost

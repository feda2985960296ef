"""Recipes of training: the bytes that each parameter takes as weight, gradient and optimizer state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from symparams.errors import OptionError, UnknownNameError, quoted, suggestion
from symparams.records import frozen

WEIGHTS, GRADIENTS, MASTER = "weights", "gradients", "master_weights"
MOMENTS = ("first_moment", "second_moment")
MOMENTUM, LARGEST = "momentum", "largest_second_moment"
# The sentences on what an optimizer keeps; one tells of both moments.
TOLD: Mapping[str, str] = MappingProxyType(
    {
        MASTER: "states.master_weights",
        **dict.fromkeys(MOMENTS, "states.moments"),
        LARGEST: "states.largest_second_moment",
        MOMENTUM: "states.momentum",
    }
)
IN_BITS: Mapping[int, str] = MappingProxyType({2: "states.in_16_bits", 4: "states.in_32_bits"})  # by bytes of a number
WIDTHS: Mapping[str, int] = MappingProxyType({"fp32": 4, "bf16": 2})
_TYPES = {width: dtype for dtype, width in WIDTHS.items()}


@frozen
class Recipe:
    """Bytes a parameter: of the weight and its gradient, and of each number that the optimizer keeps of it, by its name.

    ``dtype`` is the number type in which activations are computed, "" where it differs from operation to operation.
    """

    weights: int
    gradients: int
    states: Mapping[str, int]
    dtype: str = ""

    @property
    def parts(self) -> Sequence[tuple[str, int]]:
        """Everything that a parameter takes, part by part."""
        return ((WEIGHTS, self.weights), (GRADIENTS, self.gradients), *self.states.items())

    @property
    def weight_type(self) -> str:
        """The number type of a weight."""
        return _TYPES[self.weights]

    @property
    def gradient_type(self) -> str:
        """The number type of a gradient."""
        return _TYPES[self.gradients]

    @property
    def each(self) -> int:
        """Bytes a parameter in all: 16 for AdamW in fp32."""
        return sum(number for _, number in self.parts)


_ADAM = dict.fromkeys(MOMENTS, 4)
RECIPES: Mapping[str, Recipe] = MappingProxyType(
    {
        "fp32": Recipe(4, 4, _ADAM, "fp32"),
        "bf16": Recipe(2, 2, dict.fromkeys(MOMENTS, 2), "bf16"),
        "bf16_fp32_master": Recipe(2, 2, {MASTER: 4, **_ADAM}, "bf16"),
        "amp": Recipe(4, 4, _ADAM),
        "sgd": Recipe(4, 4, {}, "fp32"),
        "sgd_momentum": Recipe(4, 4, {MOMENTUM: 4}, "fp32"),
        "amsgrad": Recipe(4, 4, {**_ADAM, LARGEST: 4}, "fp32"),
    }
)
MASTERED = "bf16_fp32_master"
# The recipe that is meant where an optimizer is named alone: Adam and AdamW keep the same, and train in mixed precision.
OPTIMIZERS: Mapping[str, str] = MappingProxyType(
    {"adamw": MASTERED, "adam": MASTERED, **{name: name for name in ("sgd", "sgd_momentum", "amsgrad")}}
)


def recipe_of(optimizer: object) -> str:
    """Return the recipe of an optimizer, AdamW or sgd-momentum; OptionError for one whose states are not derived."""
    name = str(optimizer).strip().lower().replace("-", "_")
    if name not in OPTIMIZERS:
        raise OptionError(
            f"The states of the optimizer {quoted(optimizer)} are not derived: choose {', '.join(OPTIMIZERS)}, or name a "
            f"recipe, which sets the number types, too: {', '.join(RECIPES)}."
        )
    return OPTIMIZERS[name]


def recipe(name: str, gradients: str = "") -> Recipe:
    """A recipe by its name, with ``gradients`` of another type beside weights that have a master copy.

    OptionError where none is named, or where gradients are as wide as the weights; UnknownNameError for one that there is not.
    """
    if not name:
        others = ", ".join(name for name in RECIPES if name != MASTERED)
        raise OptionError(
            f"Training memory depends on the recipe: add --recipe {MASTERED}, in Python recipe={MASTERED!r}; or {others}."
        )
    if name not in RECIPES:
        raise UnknownNameError(f"Unknown recipe {quoted(name)}. {suggestion(name, RECIPES)}")
    chosen = RECIPES[name]
    if not gradients or WIDTHS[gradients] == chosen.gradients:
        return chosen
    if name != MASTERED:
        raise OptionError(f"The gradients of {name} are as wide as its weights: choose {MASTERED}, or leave gradients out.")
    return replace(chosen, gradients=WIDTHS[gradients])

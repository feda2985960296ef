"""Models side by side: their sizes, the terms of their closed forms, their differences, components and kinds.

Each letter means the same dimension in all of them, and has in each model that model's own value: a difference of closed
forms, A − B, is one of counts only where both have the same sizes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from symparams.answers.aligned_components import Aligned, aligned_components
from symparams.answers.comparison import Comparison, have_same_sizes
from symparams.answers.traits import Trait, traits
from symparams.errors import OptionError
from symparams.expressions.closed_form import as_sympy
from symparams.expressions.nodes import Dimension
from symparams.expressions.polynomial import Polynomial
from symparams.expressions.symbols import by_reading
from symparams.models.load import as_model
from symparams.models.model import Model
from symparams.quantities.cost import PARAMETERS, refuse_inputs, spelled

if TYPE_CHECKING:
    import sympy

    from symparams.answers.comparison_of_costs import CostComparison


@dataclass(frozen=True)
class Difference:
    """The closed form of the first model less that of another, A − B, and the same of their counts where both have one."""

    first: Model
    other: Model

    @cached_property
    def polynomial(self) -> Polynomial:
        """The difference of the closed forms, each under the relations of its own model."""
        return self.first.polynomial() - self.other.polynomial()

    @property
    def closed_form(self) -> sympy.Expr:
        """The same as a sympy expression."""
        return as_sympy(self.polynomial)

    @property
    def value(self) -> int | None:
        """The difference of the counts; None where one of the models has no value for all it needs."""
        return None if self.first.unbound or self.other.unbound else self.first.count() - self.other.count()

    @property
    def ratio(self) -> Fraction | None:
        """The count of the first model divided by that of the other, exactly."""
        return None if self.first.unbound or self.other.unbound else Fraction(self.first.count(), self.other.count())

    @property
    def has_same_sizes(self) -> bool:
        """Whether every letter of it has one value in both models, so that its value is the difference of the counts."""
        return have_same_sizes(self.polynomial, self.first, self.other)


@dataclass(frozen=True, repr=False)
class ModelComparison(Comparison):
    """Two models or more, and what they have in common and apart; what is not asked for is not worked out."""

    models: tuple[Model, ...]

    def __repr__(self) -> str:
        return f"ModelComparison({', '.join(repr(model.name) for model in self.models)})"

    @property
    def subjects(self) -> Sequence[Model]:
        """What is compared."""
        return self.models

    @property
    def values(self) -> Sequence[Mapping[Dimension, int]]:
        """The values of each model."""
        return [model.values for model in self.models]

    @cached_property
    def dimensions(self) -> tuple[Dimension, ...]:
        """Every dimension that one of them has, in reading order."""
        return tuple(sorted({dimension for model in self.models for dimension in model.dimensions}, key=by_reading))

    @cached_property
    def polynomials(self) -> Sequence[Polynomial]:
        """The closed forms."""
        return [model.polynomial() for model in self.models]

    @cached_property
    def differences(self) -> tuple[Difference, ...]:
        """The first model less each of the others."""
        return tuple(Difference(self.models[0], other) for other in self.models[1:])

    @cached_property
    def components(self) -> tuple[Aligned, ...]:
        """Where the parameters of each are, component by component."""
        return aligned_components(self.models)

    @cached_property
    def traits(self) -> tuple[Trait, ...]:
        """What they have in kind."""
        return traits(self.models)


def compare(*models: Any, quantity: str = PARAMETERS, **inputs: Any) -> ModelComparison | CostComparison:
    """Two models or more side by side; a name, or anything that ``load`` takes, is taken for the model.

    ``.differences[0].closed_form`` is A − B in sympy, where each letter means the same dimension and has each model's own
    value. A model without values is compared in symbols alone. Another ``quantity`` is compared with the inputs and choices
    of ``measure``: compare("gpt2", "llama-3-8b", quantity="kv_cache", b=1, t=8192, dtype="bf16").

    Raises OptionError for a single model, and what ``load`` and ``measure`` raise.
    """
    if len(models) < 2:
        raise OptionError("A comparison takes two models or more: name another one, as in 'gpt2' and 'llama-2-7b'.")
    loaded = tuple(as_model(model) for model in models)
    if spelled(quantity) == PARAMETERS:
        refuse_inputs(inputs)
        return ModelComparison(loaded)
    from symparams.answers.comparison_of_costs import compare_costs

    return compare_costs(loaded, quantity, inputs)

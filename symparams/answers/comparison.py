"""Models side by side in one quantity: their sizes, the terms of their closed forms, differences, components, traits.

Each letter means the same dimension in all of them, and has in each model that model's own value: a difference of closed
forms, A − B, is one of numbers only where both have the same sizes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from symparams.answers.aligned_components import AlignedComponent, aligned_components
from symparams.answers.traits import Trait, traits
from symparams.derivations.usual import takes_a_type, usual_type
from symparams.display import Displayed
from symparams.errors import OptionError
from symparams.expressions.closed_form import as_sympy, place
from symparams.expressions.nodes import Dimension
from symparams.expressions.polynomial import Coefficient, Monomial, Polynomial
from symparams.expressions.symbols import by_reading
from symparams.models.calculation import Calculation, calculate
from symparams.models.inputs import check_fixed, refusal, unused_inputs
from symparams.models.load import as_model
from symparams.models.model import Model
from symparams.models.stacks import in_shared_letters
from symparams.quantities.quantity import PARAMETERS, Quantity, find
from symparams.records import frozen

if TYPE_CHECKING:
    import sympy


@frozen
class CoefficientRow:
    """A product of letters, and how often it stands in each closed form."""

    monomial: Monomial
    coefficients: tuple[Coefficient, ...]

    @property
    def differs(self) -> bool:
        """True if the models have not all as many of it."""
        return len(set(self.coefficients)) > 1


@frozen
class Difference:
    """The closed form of the first model less that of another, A − B, and the same of their numbers if both have one."""

    first: Calculation
    other: Calculation

    @cached_property
    def polynomial(self) -> Polynomial:
        """The difference of the closed forms, each under the relations of its own model."""
        return self.first.polynomial - self.other.polynomial

    @property
    def closed_form(self) -> sympy.Expr:
        """The difference as a sympy expression."""
        return as_sympy(self.polynomial)

    @property
    def value(self) -> int | Fraction | None:
        """The difference of the numbers; None if one of the models has no value for all that it needs."""
        return self.first.value() - self.other.value() if self.first.is_bound and self.other.is_bound else None

    @property
    def ratio(self) -> Fraction | None:
        """The number of the first divided by that of the other, exactly; None if there is none."""
        return Fraction(self.first.value()) / self.other.value() if self.value is not None and self.other.value() else None

    @property
    def has_same_sizes(self) -> bool:
        """True if every letter of it has one value in both models, so that its value is the difference of the numbers."""
        first, other = self.first.model.values, self.other.model.values
        letters = {letter for part in self.polynomial.letters for letter in part.dimensions}
        return all(letter in first and first[letter] == other.get(letter) for letter in letters)


@frozen
class Comparison(Displayed):
    """One quantity of two models or more; what is not asked for is not worked out.

    ``unused`` are inputs that decide something of some of the models and nothing of others, each with the names of these.
    ``assumed`` are the number types that are taken where nothing says one, by the names of the models.
    """

    calculations: tuple[Calculation, ...]
    unused: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    assumed: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        names = ", ".join(repr(calculation.name) for calculation in self.calculations)
        return f"Comparison({names}, quantity={self.quantity.name!r})"

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Yield what each model has of each component, as rows of a data frame: model, component, closed_form, value, share."""
        for component in self.components:
            for calculation, share in zip(self.calculations, component.shares, strict=True):
                yield {"model": calculation.name, **share}

    @property
    def quantity(self) -> Quantity:
        """The quantity that is compared."""
        return self.calculations[0].quantity

    @property
    def models(self) -> tuple[Model, ...]:
        """The models, with values for the inputs of the quantity too."""
        return tuple(calculation.model for calculation in self.calculations)

    @cached_property
    def dimensions(self) -> tuple[Dimension, ...]:
        """Every letter that one of them needs, in reading order."""
        letters = {letter for calculation in self.calculations for letter in calculation.letters}
        return tuple(sorted(letters, key=by_reading))

    @cached_property
    def polynomials(self) -> Sequence[Polynomial]:
        """The closed forms."""
        return [calculation.polynomial for calculation in self.calculations]

    @cached_property
    def terms(self) -> tuple[CoefficientRow, ...]:
        """The terms of the closed forms, in the order in which people write them."""
        monomials = sorted({monomial for form in self.polynomials for monomial in form.terms}, key=place)
        return tuple(CoefficientRow(row, tuple(form.terms.get(row, 0) for form in self.polynomials)) for row in monomials)

    @property
    def common(self) -> Polynomial:
        """The terms that all of them have, as often."""
        return Polynomial({term.monomial: term.coefficients[0] for term in self.terms if not term.differs})

    @cached_property
    def differences(self) -> tuple[Difference, ...]:
        """The first model less each of the others."""
        return tuple(Difference(self.calculations[0], other) for other in self.calculations[1:])

    @cached_property
    def components(self) -> tuple[AlignedComponent, ...]:
        """The share of every component in each model; in each model they add up to its number."""
        return aligned_components(self.calculations)

    @cached_property
    def traits(self) -> tuple[Trait, ...]:
        """The traits of the models."""
        return traits(self.models)


def compare(*models: Any, quantity: str | Quantity = PARAMETERS, **inputs: Any) -> Comparison:
    """Compare two or more models; each is a model, a name, or anything that ``load`` takes.

    ``.differences[0].closed_form`` is A − B in sympy, in which each letter means one dimension and has each model's own value.
    A model without values is compared in symbols. Another ``quantity`` takes the inputs and choices of ``measure``:
    compare("gpt2", "llama-3-8b", quantity="kv_cache", b=1, t=8192, dtype="bf16").

    Raises OptionError for a single model, for a model without this quantity and for an input that changes nothing in any of
    them, and the errors of ``load`` and ``measure``. Where nothing says a model's number type, bf16 is taken: ``.assumed``.
    """
    if len(models) == 1 and isinstance(models[0], (list, tuple)):
        raise OptionError("compare takes its models one by one: write compare(*models).")
    if len(models) < 2:
        raise OptionError("A comparison takes two models or more: name another one, as in 'gpt2' and 'llama-2-7b'.")
    loaded = in_shared_letters([as_model(model) for model in models])
    taken = [usual_type(model, inputs) if takes_a_type(find(quantity)) else {} for model in loaded]
    calculations = tuple(calculate(model, quantity, {**usual, **inputs}) for model, usual in zip(loaded, taken, strict=True))
    for model in loaded:
        check_fixed(model, inputs)
    for calculation in calculations:
        if calculation.quantity.tensors is None and not calculation.terms:
            raise OptionError(f"{calculation.name} has no {calculation.quantity.spelled}: leave it out.")
    without = [unused_inputs(*pair, inputs) for pair in zip(calculations, loaded, strict=True)]
    for name in inputs:
        if all(name in names for names in without):
            raise refusal(calculations[0], loaded[0], inputs, name)
    unused = {name: tuple(model.name for model, names in zip(loaded, without, strict=True) if name in names) for name in inputs}
    assumed = {model.name: usual["dtype"] for model, usual in zip(loaded, taken, strict=True) if usual}
    return Comparison(calculations, {name: names for name, names in unused.items() if names}, assumed)

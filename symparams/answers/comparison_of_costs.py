"""A cost of several models side by side: their inputs and sizes, the terms of their closed forms, differences, components."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from symparams.answers.aligned_components import NORMS, SAME
from symparams.answers.comparison import Comparison, have_same_sizes
from symparams.components.kinds import Role
from symparams.derivations.steps import Step, step
from symparams.errors import OptionError
from symparams.expressions.closed_form import as_sympy, as_written, multiply_out
from symparams.expressions.factoring import factored
from symparams.expressions.nodes import Dimension
from symparams.expressions.polynomial import Polynomial
from symparams.expressions.symbols import by_reading
from symparams.expressions.written import ONE, total
from symparams.models.blocks import MOST_EXPANDED
from symparams.models.costing import Costing, costing
from symparams.models.inputs import needless, refusal
from symparams.models.model import Model
from symparams.quantities.term import Term

if TYPE_CHECKING:
    import sympy

TABLES = "embeddings"


@dataclass(frozen=True)
class CostDifference:
    """The closed form of the first cost less that of another, A − B, and the same of their numbers where both have one."""

    first: Costing
    other: Costing

    @cached_property
    def polynomial(self) -> Polynomial:
        """The difference of the closed forms, each under the relations of its own model."""
        return self.first.polynomial - self.other.polynomial

    @property
    def closed_form(self) -> sympy.Expr:
        """The same as a sympy expression."""
        return as_sympy(self.polynomial)

    @property
    def value(self) -> int | Fraction | None:
        """The difference of the numbers; None where one of the models has no value for all it needs."""
        return self.first.value() - self.other.value() if self.first.is_bound and self.other.is_bound else None

    @property
    def ratio(self) -> Fraction | None:
        """The number of the first divided by that of the other, exactly."""
        return Fraction(self.first.value()) / self.other.value() if self.value is not None and self.other.value() else None

    @property
    def has_same_sizes(self) -> bool:
        """Whether every letter of it has one value in both, so that its value is the difference of the numbers."""
        return have_same_sizes(self.polynomial, self.first.model, self.other.model)


@dataclass(frozen=True)
class CostShare:
    """What one model spends on a component: its step over the whole model, and its exact part of the whole."""

    step: Step
    part: Fraction | None


@dataclass(frozen=True)
class AlignedCost:
    """A component in each of several models, in their order."""

    name: str
    shares: tuple[CostShare, ...]


@dataclass(frozen=True, repr=False)
class CostComparison(Comparison):
    """A cost of two models or more; what is not asked for is not worked out.

    ``needless`` are inputs that decide something of some models and nothing of others, each with the names of these.
    """

    costings: tuple[Costing, ...]
    needless: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"CostComparison({self.quantity!r}, {', '.join(repr(each.name) for each in self.costings)})"

    @property
    def quantity(self) -> str:
        """What is compared."""
        return self.costings[0].cost.name

    @property
    def subjects(self) -> Sequence[Costing]:
        """What is compared, one of each model."""
        return self.costings

    @property
    def models(self) -> tuple[Model, ...]:
        """Whose cost it is."""
        return tuple(each.model for each in self.costings)

    @cached_property
    def dimensions(self) -> tuple[Dimension, ...]:
        """Every letter of one of the formulas, in reading order."""
        letters = {d for each in self.costings for d in (*each.written.dimensions, *as_written(each.polynomial).dimensions)}
        return tuple(sorted(letters, key=by_reading))

    @cached_property
    def polynomials(self) -> Sequence[Polynomial]:
        """The closed forms."""
        return [each.polynomial for each in self.costings]

    @cached_property
    def differences(self) -> tuple[CostDifference, ...]:
        """The first less each of the others."""
        return tuple(CostDifference(self.costings[0], other) for other in self.costings[1:])

    @cached_property
    def components(self) -> tuple[AlignedCost, ...]:
        """Where the cost of each is, component by component."""
        gathered = [_gathered(each) for each in self.costings]
        names = dict.fromkeys(name for found in gathered for name in found)
        pairs = list(zip(self.costings, gathered, strict=True))
        return tuple(
            AlignedCost(name, tuple(_share(each, name, found.get(name, [])) for each, found in pairs)) for name in names
        )


def compare_costs(models: Sequence[Model], quantity: str, inputs: Mapping[str, Any]) -> CostComparison:
    """A cost of two models or more, with the same inputs and choices.

    OptionError for a model that has none, and for an input that decides nothing of any, in one line.
    """
    found = tuple(costing(model, quantity, inputs) for model in models)
    for each in found:
        if each.written.dimensions == () and not each.terms:
            raise OptionError(f"{each.name} has no {quantity}: leave it out.")
    without = [needless(each, model, inputs) for each, model in zip(found, models, strict=True)]
    for name in (name for name in inputs if all(name in each for each in without)):
        raise refusal(found[0], models[0], inputs, name)
    those = {name: tuple(each.name for each, lacks in zip(found, without, strict=True) if name in lacks) for name in inputs}
    return CostComparison(found, {name: names for name, names in those.items() if names})


def components_of(costed: Costing) -> list[tuple[str, CostShare]]:
    """The components of one model with what it spends on each."""
    return [(name, _share(costed, name, terms)) for name, terms in _gathered(costed).items()]


def _gathered(costed: Costing) -> dict[str, list[Term]]:
    found: dict[str, list[Term]] = {}
    for term in costed.terms:
        name = _called(costed, term)
        found.setdefault(SAME.get(name, name), []).append(term)
    return found


def _called(costed: Costing, term: Term) -> str:
    """The component to which a term belongs: the part of a layer, the table, the head; what stands in no part is itself."""
    if not term.path:
        return term.name
    names, here = term.path.split("."), costed.tree
    at = 1 if names[0] == TABLES and len(names) > 1 else 0
    for i, name in enumerate(names):
        here = here.child(name)
        if here.role is Role.NORM:
            return NORMS
        if here.role is Role.BLOCK and here.times != ONE and i + 1 < len(names):
            at = i + 1
    return names[at]


def _share(costed: Costing, name: str, terms: Sequence[Term]) -> CostShare:
    each = step(costed.model, "", name, total([term.every for term in terms]))
    if len(multiply_out(each.quantity, costed.model.relations).terms) > MOST_EXPANDED:
        each = replace(each, form=factored(each.polynomial))
    whole = costed.value() if costed.is_bound else None
    return CostShare(each, Fraction(each.value) / whole if whole and each.value is not None else None)

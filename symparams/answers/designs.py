"""Designs: a model whose sizes are free in some dimensions, which of their values it can have, and its count for them.

What has a value keeps it; what follows by a relation (d_ff = 4·h, d_head = h / n_heads) follows anew. A value that a design can
have is one that the model can be loaded with.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

from symparams.answers.asked import Asked
from symparams.components.laws import Binding
from symparams.errors import DimensionError, MissingDimensionError, OptionError
from symparams.expressions.closed_form import Relations, as_written, multiply_out
from symparams.expressions.nodes import Dimension, Expression, Quotient
from symparams.expressions.polynomial import Polynomial
from symparams.expressions.symbols import L_window, in_rank
from symparams.expressions.written import exact, substitute
from symparams.models.load import complete
from symparams.models.missing import missing
from symparams.models.model import Model
from symparams.models.vectorised import Function
from symparams.models.windows import LAYERS

MOST_LISTED = 10**12  # numbers of which every divisor is found


@dataclass(frozen=True)
class Design:
    """A model with free dimensions; ``model`` has no values for them, nor for what follows from them.

    ``steps`` are what somebody wants a dimension to be a multiple of, ``between`` the bounds for it, both included.
    """

    model: Model
    free: tuple[Dimension, ...]
    steps: Mapping[Dimension, int] = field(default_factory=dict)
    between: Mapping[Dimension, tuple[int, int]] = field(default_factory=dict)
    asked: Asked = field(default_factory=Asked)

    @cached_property
    def function(self) -> Function:
        """The closed form as a function of the free dimensions."""
        return self.asked.function(self.model, self.free)

    @property
    def polynomial(self) -> Polynomial:
        """The closed form."""
        return self.function.polynomial

    @property
    def relations(self) -> Relations:
        """What follows from what, by the model and by the cost: so many layers with a window of so many."""
        return self.function.relations

    @cached_property
    def closed(self) -> Expression:
        """The closed form, written."""
        return as_written(self.polynomial)

    @cached_property
    def kept(self) -> Mapping[Dimension, int]:
        """What keeps its value, of all that the model's parameters speak of, or the formula of a cost."""
        if self.asked.cost is None:
            return {d: self.model.values[d] for d in self.model.dimensions if d in self.model.values}
        function = self.function
        used = [d for d in function.taken.values() if d not in self.free and not function.follows(d, dict.fromkeys(self.free))]
        return {d: function.values[d] for d in in_rank(used) if d in function.values}

    @cached_property
    def follows(self) -> Mapping[Dimension, Expression]:
        """What follows anew from the free dimensions."""
        relations, found = self.relations, set(self.free)
        for _ in relations:
            found |= {d for d, value in relations.items() if found & set(value.dimensions)}
        speaks_of = self.model.dimensions if self.asked.cost is None else tuple(self.function.taken.values())
        return {d: value for d, value in relations.items() if d in found and d in speaks_of and d not in self.free}

    @cached_property
    def known(self) -> Mapping[Dimension, int | Fraction]:
        """The values that hold whatever the free dimensions are."""
        follows = self.relations.keys() - self.model.relations.keys()
        values = {d: value for d, value in self.function.values.items() if d not in follows}
        return self._completed(values)

    def at(self, values: Mapping[Dimension, int | Fraction]) -> int | Fraction:
        """The closed form at any values, fractions and 0 too, so that nothing else is worked out: d_head = h / n_heads."""
        return exact(self.closed, self._completed({**self.known, **values}, set(self.function.taken.values())))

    def _completed(self, values: dict[Dimension, Any], wanted: Collection[Dimension] | None = None) -> dict[Dimension, Any]:
        others = {d: value for d, value in self.relations.items() if d not in self.model.architecture.known}
        for dimension, value in {**self.model.architecture.known, **others}.items():
            if wanted is not None and dimension not in wanted:
                continue
            if dimension in self.relations and dimension not in values and all(d in values for d in value.dimensions):
                found = exact(value, values)
                values[dimension] = int(found) if found.denominator == 1 else found
        return values

    def count(self, values: Mapping[Dimension, int]) -> int | None:
        """The count of the model with these values; None where it cannot have them."""
        if any(values[d] % step for d, step in self.steps.items()):
            return None
        if any(not low <= values[d] <= high for d, (low, high) in self.between.items()):
            return None
        try:
            complete(self.model, {d: value for d, value in values.items() if d not in self.asked.letters})
            return self.function.of_integers(values)
        except DimensionError:
            return None

    @cached_property
    def pairs(self) -> tuple[tuple[Expression, Expression], ...]:
        """What divides what: by a law, or by a relation that divides."""
        laws = [(law.subject, law.value) for law in self.model.architecture.laws if law.binding is Binding.DIVIDES]
        ratios = [value for value in self.relations.values() if isinstance(value, Quotient)]
        return (*laws, *((ratio.denominator, ratio.numerator) for ratio in ratios))

    @cached_property
    def smaller(self) -> tuple[tuple[Expression, Expression], ...]:
        """What is no more than what."""
        return tuple((law.subject, law.value) for law in self.model.architecture.laws if law.binding is Binding.AT_MOST)

    def step(self, free: Dimension) -> int:
        """What every value of a dimension is a multiple of, by wish and by what divides it."""
        divisors = (self._value(divisor) for divisor, dividend in self.pairs if dividend == free)
        return lcm(self.steps.get(free, 1), *filter(None, divisors))

    def listed(self, free: Dimension) -> list[int] | None:
        """Every value that a dimension can have where it divides a known one; None where it divides none."""
        dividends = [value for divisor, other in self.pairs if divisor == free and (value := self._value(other))]
        least = min(dividends, default=0)
        if not 0 < least <= MOST_LISTED:
            return None
        low, high = self.between.get(free, (1, least))
        step = self.step(free)
        return [d for d in _divisors(least) if low <= d <= high and d % step == 0 and all(v % d == 0 for v in dividends)]

    def _value(self, expression: Expression) -> int | None:
        if any(d not in self.known or d in self.free for d in expression.dimensions):
            return None
        value = exact(expression, self.known)  # type: ignore[arg-type] # a fraction is a value here
        return value if isinstance(value, int) else None

    def grows(self, free: Dimension) -> bool:
        """Whether a larger value always makes a count that is no smaller."""
        return self._grows(self.alone, free)

    @cached_property
    def alone(self) -> Polynomial:
        """The closed form in what is free alone."""
        known = {d: value for d, value in self.known.items() if isinstance(value, int) and d not in self.free}
        return multiply_out(substitute(self.closed, known), {})

    def _grows(self, polynomial: Polynomial, free: Dimension) -> bool:
        for monomial, coefficient in polynomial.terms.items():
            moving = [(letter, power) for letter, power in monomial if self._moves(letter, free)]
            if moving and (
                coefficient < 0 or any(power < 0 or not self._letter_grows(letter, free) for letter, power in moving)
            ):
                return False
        return True

    def _letter_grows(self, letter: Expression, free: Dimension) -> bool:
        if letter == free:
            return True
        inner = [self.relations[letter]] if isinstance(letter, Dimension) else list(letter.operands)
        return all(self._grows(multiply_out(each, {}), free) for each in inner)

    def _moves(self, letter: Expression, free: Dimension) -> bool:
        """Whether a letter of the closed form depends on a free dimension."""
        return any(d == free or (d in self.relations and self._moves(self.relations[d], free)) for d in letter.dimensions)

    def is_rounded(self, free: Dimension) -> bool:
        """Whether a dimension stands within a rounding or a minimum, in the closed form or in what follows."""
        met = [letter for letter in self.polynomial.letters if self._moves(letter, free)]
        for letter in met:
            met += [d for d in letter.dimensions if d not in met and self._moves(d, free)]
            inner = self.relations.get(letter) if isinstance(letter, Dimension) else letter
            if inner is not None and letter != free:
                met += [each for each in multiply_out(inner, {}).letters if each not in met and self._moves(each, free)]
        return any(not isinstance(letter, Dimension) for letter in met)

    def is_linear(self, free: Dimension) -> bool:
        """Whether a dimension stands in the closed form to the first power alone."""
        if any(letter != free and self._moves(letter, free) for letter in self.polynomial.letters):
            return False
        return all(power == 1 for monomial in self.polynomial.terms for letter, power in monomial if letter == free)


def freed(model: Model, names: tuple[Dimension, ...], asked: Asked) -> Model:
    """The model without values for dimensions, and for what follows by relations that it keeps.

    Raises OptionError for a dimension that does not occur in what is asked, MissingDimensionError for another without a value.
    """
    kept = {d: value for d, value in model.values.items() if d not in names and d not in model.relations}
    own = {d for d in names if d in model.architecture.relations}
    found = replace(model, values=kept, broken=model.broken | own)
    for name in names:
        if name in model.architecture.identities:
            raise OptionError(
                f"{name.name} is always {model.architecture.identities[name]!r} here: solve for "
                f"{', '.join(d.name for d in model.architecture.identities[name].dimensions)}."
            )
        if name.name in asked.inputs:
            raise OptionError(f"{name.name} is solved for: give it no value.")
    _check(found, names, asked)
    return found


def _check(model: Model, names: tuple[Dimension, ...], asked: Asked) -> None:
    """Whether the closed form speaks of what is free, and all else has a value."""
    function = asked.function(model, names)
    for name in names:
        if name not in function.taken.values():
            others = ", ".join(function.taken)
            raise OptionError(
                f"{name.name} does not occur in the {asked.noun} of {model.name}, which is over {others}: choose of these."
            )
    if L_window in function.letters and L_window not in function.relations and any(name.name in LAYERS for name in names):
        raise OptionError(f"The config of {model.name} lists the layers with a window: their number follows from no formula.")
    known = {**function.values, **dict.fromkeys(names, 1)}
    lacking = [d for d in function.letters if d not in known and not function.follows(d, known)]
    if lacking and asked.cost is None:
        raise missing(replace(model, values={**dict.fromkeys(model.relations, 1), **known}), model.formula())
    if lacking:
        raise MissingDimensionError(
            f"{asked.noun} of {model.name} has no value for {', '.join(d.name for d in lacking)}", [d.name for d in lacking]
        )


def _divisors(number: int) -> Iterator[int]:
    small = [d for d in range(1, int(number**0.5) + 2) if number % d == 0]
    return iter(sorted({*small, *(number // d for d in small)}))

"""Designs: a model whose sizes are free in some dimensions, which of their values it can have, and its count for them.

What has a value keeps it; what follows by a relation (d_ff = 4·h, d_head = h / n_heads) follows anew. A value that a design can
have is one that the model can be loaded with.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from functools import cached_property
from math import gcd, isqrt, lcm
from typing import Any

from symparams.answers.ratios import narrowed, pairs_of
from symparams.components.laws import Binding, in_order
from symparams.errors import DimensionError, OptionError, listed
from symparams.expressions.closed_form import as_written, multiply_out
from symparams.expressions.extent import MOST_DIGITS
from symparams.expressions.nodes import Dimension, Expression, Number, Quotient, as_expression
from symparams.expressions.polynomial import Polynomial
from symparams.expressions.symbols import L_window, in_rank
from symparams.expressions.written import exact, replaced, substitute
from symparams.models.functions import function_of
from symparams.models.load import complete
from symparams.models.model import Model
from symparams.models.vectorised import Evaluation
from symparams.models.windows import letters_of_layers
from symparams.quantities.quantity import Quantity
from symparams.records import frozen

MOST_LISTED = 10**12  # numbers of which every divisor is found


@frozen
class Design:
    """A model with free dimensions; ``model`` has no values for them, nor for what follows from them.

    ``quantity`` with its ``inputs`` is what comes to a total; ``steps`` are what somebody wants a dimension to be a multiple
    of, ``between`` the bounds for it, both included, ``within`` those for a ratio, h/L, and for what follows from the free.
    """

    model: Model
    free: tuple[Dimension, ...]
    quantity: Quantity
    inputs: Mapping[str, Any]
    steps: Mapping[Dimension, int] = field(default_factory=dict)
    between: Mapping[Dimension, tuple[int, int]] = field(default_factory=dict)
    within: Mapping[Expression, tuple[Fraction, Fraction]] = field(default_factory=dict)

    @property
    def cost(self) -> Quantity | None:
        """The quantity, unless it is the number of parameters."""
        return None if self.quantity.tensors else self.quantity

    @cached_property
    def function(self) -> Evaluation:
        """The closed form as a function of the free dimensions."""
        return function_of(self.model, self.quantity, self.inputs).over(self.free)

    @cached_property
    def known(self) -> Mapping[Dimension, int | Fraction]:
        """The values that hold whatever the free dimensions are, with what follows from them."""
        relations = self.function.relations
        known: dict[Dimension, Any] = {
            d: value for d, value in self.function.values.items() if d not in relations and d not in self.free
        }
        for dimension, value in in_order(relations, self.model.name).items():
            if dimension not in self.free and all(other in known for other in value.dimensions):
                known[dimension] = exact(value, known)
        return known

    @cached_property
    def kept(self) -> Mapping[Dimension, int]:
        """The dimensions of the formula that keep their values."""
        if not self.cost:
            return {d: self.model.values[d] for d in self.model.dimensions if d in self.model.values}
        values, relations = self.function.values, self.function.relations
        return {
            d: values[d] for d in in_rank(self.function.taken.values()) if d in values and d not in (*relations, *self.free)
        }

    @cached_property
    def follows(self) -> Mapping[Dimension, Expression]:
        """The dimensions that follow from the free ones."""
        moving, speaks_of = {*self.free}, self.function.taken.values() if self.cost else self.model.dimensions
        for dimension, value in in_order(self.function.relations, self.model.name).items():
            moving |= {dimension} if moving & {*value.dimensions} else set()
        return {d: value for d, value in self.function.relations.items() if d in moving & {*speaks_of} and d not in self.free}

    @cached_property
    def closed(self) -> Expression:
        """The closed form, written."""
        return as_written(self.function.polynomial)

    @cached_property
    def alone(self) -> Polynomial:
        """The closed form in what is free, and in what follows from that."""
        return multiply_out(substitute(self.closed, self._integers), {})

    @cached_property
    def polynomial(self) -> Polynomial:
        """The closed form in what is free, and in nothing else."""
        return self.over_free(as_written(self.alone))

    def over_free(self, expression: Expression) -> Polynomial:
        """Return an expression multiplied out over the free dimensions, every relation put in."""
        return multiply_out(replaced(expression, self._meanings), {})

    @cached_property
    def _integers(self) -> Mapping[Dimension, int]:
        return {d: value for d, value in self.known.items() if isinstance(value, int)}

    @cached_property
    def _meanings(self) -> Mapping[Dimension, Expression]:
        meanings = {d: as_expression(value) for d, value in self.known.items()}
        for dimension, value in in_order(self.function.relations, self.model.name).items():
            if dimension not in meanings and dimension not in self.free:
                meanings[dimension] = replaced(value, meanings)
        return meanings

    def at(self, values: Mapping[Dimension, int | Fraction]) -> int | Fraction:
        """Return the closed form at any values of the free dimensions, fractions too."""
        return exact(self._written, values)  # type: ignore[arg-type] # a fraction is a value here

    @cached_property
    def _written(self) -> Expression:
        return as_written(self.polynomial)

    def count(self, values: Mapping[Dimension, int]) -> int | None:
        """Return the count of the model with these values; None if it cannot have them."""
        if any(values[d] % step for d, step in self.steps.items()):
            return None
        if any(not low <= values[d] <= high for d, (low, high) in self.between.items()):
            return None
        try:
            sizes = {**self._completed(values), **values}
            if any(not low <= exact(ratio, sizes) <= high for ratio, (low, high) in self.within.items()):
                return None
            return self.function.of_integers(values)
        except DimensionError:
            return None

    def following(self, values: Mapping[Dimension, int]) -> dict[Dimension, int]:
        """Return the sizes that follow from values of the free dimensions."""
        sizes = self._completed(values)
        return {d: sizes[d] for d in in_rank(self.follows) if d in sizes}

    def _completed(self, values: Mapping[Dimension, int]) -> Mapping[Dimension, int]:
        """Return the sizes of the model with these values; DimensionError if it cannot have them."""
        return complete(self.model, {d: value for d, value in values.items() if d not in self.quantity.inputs}).values

    @cached_property
    def pairs(self) -> tuple[tuple[Expression, Expression], ...]:
        """The pairs of which one divides the other, by a law or by a relation."""
        laws = [(law.subject, law.value) for law in self.model.architecture.laws if law.binding is Binding.DIVIDES]
        ratios = [value for value in self.function.relations.values() if isinstance(value, Quotient)]
        return (*laws, *(pair for ratio in ratios for pair in _divided(ratio)))

    @cached_property
    def smaller(self) -> tuple[tuple[Expression, Expression], ...]:
        """The pairs of which one is at most the other."""
        laws = [(law.subject, law.value) for law in self.model.architecture.laws if law.binding is Binding.AT_MOST]
        return (*laws, *self.sides)

    @cached_property
    def sides(self) -> tuple[tuple[Expression, Expression], ...]:
        """The pairs that the bounds of ratios ask for, over the free dimensions: 64·L is at most h of h/L from 64."""
        return tuple(pair for ratio, ends in self.within.items() for pair in pairs_of(self.over_free(ratio), *ends))

    def step(self, free: Dimension) -> int:
        """Return what every value of a dimension is a multiple of, by wish and by what divides it."""
        return lcm(self.steps.get(free, 1), *self._multiples(free))

    def _multiples(self, free: Dimension) -> Iterator[int]:
        """Yield what a dimension is a multiple of by each pair: 16·128 if 16 divides n_heads, which is h / 128."""
        for divisor, dividend in self.pairs:
            terms = self.over_free(dividend).terms
            for value in self._values([divisor]) if [*terms] == [((free, 1),)] else ():
                whole = value * terms[((free, 1),)].denominator
                yield whole // gcd(whole, terms[((free, 1),)].numerator)

    def candidates(self, free: Dimension, most: int = 10**MOST_DIGITS - 1) -> Sequence[int]:
        """Return the values within the bounds that a dimension may have: what divides others, or multiples of its step."""
        dividends, step = self._values([dividend for divisor, dividend in self.pairs if divisor == free]), self.step(free)
        low, high = self.between.get(free, (1, most))
        if not 0 < min(dividends, default=0) <= MOST_LISTED:
            return narrowed(self.sides, free, range(-(-low // step) * step, high + 1, step), {}, {})
        below = [d for d in range(1, isqrt(min(dividends)) + 1) if min(dividends) % d == 0]
        divisors = sorted({*below, *(min(dividends) // d for d in below)})
        fitting = [d for d in divisors if low <= d <= high and d % step == 0 and all(value % d == 0 for value in dividends)]
        return narrowed(self.sides, free, fitting, {}, {})

    def _values(self, expressions: Sequence[Expression]) -> list[int]:
        """Return the whole values of those that have one whatever is free, but for 0."""
        known = [
            exact(expression, self._integers)
            for expression in expressions
            if all(d in self._integers for d in expression.dimensions)
        ]
        return [value for value in known if isinstance(value, int) and value]

    def grows(self, free: Dimension) -> bool:
        """True if a larger value always makes a count that is no smaller."""
        return _grows(self.polynomial, free)

    def is_rounded(self, free: Dimension) -> bool:
        """True if a dimension stands within a rounding or a minimum."""
        return any(letter != free and free in letter.dimensions for letter in self.polynomial.letters)

    def is_linear(self, free: Dimension) -> bool:
        """True if a dimension stands in the closed form to the first power alone."""
        powers = {power for monomial in self.polynomial.terms for letter, power in monomial if letter == free}
        return not self.is_rounded(free) and powers <= {1}


def _divided(ratio: Quotient) -> list[tuple[Expression, Expression]]:
    """Return what divides what in a ratio: n_heads and h of h / n_heads, 3 and h of 8·h / 3."""
    terms = multiply_out(ratio, {}).terms
    if len(terms) == 1:
        [(monomial, coefficient)] = terms.items()
        if [power for _, power in monomial] == [1]:
            return [(Number(coefficient.denominator), monomial[0][0])]
    return [(ratio.denominator, ratio.numerator)]


def _grows(polynomial: Polynomial, free: Dimension) -> bool:
    for monomial, coefficient in polynomial.terms.items():
        moving = [(letter, power) for letter, power in monomial if free in letter.dimensions]
        if moving and coefficient < 0:
            return False
        for letter, power in moving:
            inner = () if letter == free else letter.operands
            if power < 0 or not all(_grows(multiply_out(operand, {}), free) for operand in inner):
                return False
    return True


def freed(
    model: Model, free: tuple[Dimension, ...], quantity: Quantity, inputs: Mapping[str, Any], sizes: Mapping[Dimension, Any]
) -> Design:
    """Return the model without values for dimensions, and for what follows by relations that it keeps; then with ``sizes``.

    Sizes are numbers and formulas, d_ff = 4·h, which need not hold for the values that the dimensions had. A given d_head
    makes n_heads follow from a free h, of a model in which d_head is h / n_heads.

    Raises OptionError for a dimension that is fixed, or does not occur in the quantity, MissingDimensionError for another
    dimension without a value.
    """
    for name in free:
        relation = model.own_relations.get(name) or model.architecture.identities.get(name)
        if relation:
            others = ", ".join(d.name for d in relation.dimensions)
            if name in model.own_relations:
                raise OptionError(f"{name.name} = {relation!r} is given: leave it out, or solve for {others}.")
            raise OptionError(f"{name.name} is always {relation!r} here: solve for {others}.")
        if name.name in inputs or name in sizes:
            raise OptionError(f"{name.name} is solved for, so it cannot have a value: leave the value out.")
    kept = {d: value for d, value in model.values.items() if d not in free and d not in model.relations}
    broken = model.broken | {d for d in free if d in model.architecture.relations}
    start = replace(model, values=kept, broken=broken)
    if sizes:
        start = complete(start, {**_following(model, free, sizes), **sizes})
    design = Design(start, free, quantity, inputs)
    _refuse_what_has_no_value(design)
    return design


def _following(model: Model, free: Sequence[Dimension], sizes: Mapping[Dimension, Any]) -> dict[Dimension, Expression]:
    """Return what follows where a ratio is given and its dividend is free: n_heads = h / d_head of d_head = h / n_heads."""
    follows: dict[Dimension, Expression] = {}
    for ratio, value in {**model.architecture.identities, **model.relations}.items():
        if ratio in sizes and isinstance(value, Quotient) and value.numerator in free:
            divisor = value.denominator
            if isinstance(divisor, Dimension) and divisor not in free and divisor not in sizes:
                follows[divisor] = Quotient(value.numerator, ratio)
    return follows


def _refuse_what_has_no_value(design: Design) -> None:
    model, function, noun = design.model, design.function, design.quantity.spelled if design.cost else "count"
    for name in design.free:
        if name not in function.taken.values():
            others = listed(function.taken)
            raise OptionError(
                f"{name.name} does not occur in the {noun} of {model.name}, which depends on {others}: choose one of these."
            )
        if name in letters_of_layers(model) and L_window in function.letters and L_window not in function.relations:
            raise OptionError(f"The config of {model.name} lists the layers with a window, so no formula gives their number.")
    if function.lacking(design.free):
        raise function_of(model, design.quantity, design.inputs).missing(design.free)

"""A bare formula: an expression over letters of its own, with values for some of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any, TypeAlias, Union

from symparams.components.laws import in_order
from symparams.errors import MissingDimensionError, UnknownNameError, listed, quoted, suggestion
from symparams.expressions.closed_form import Relations, multiply_out
from symparams.expressions.extent import measured
from symparams.expressions.nodes import Dimension, Expression
from symparams.expressions.parsing import parse
from symparams.expressions.polynomial import Polynomial
from symparams.expressions.symbols import INPUTS, RANK, in_rank, letter
from symparams.expressions.written import replaced
from symparams.models.model import Model
from symparams.models.values import follow, nothing_follows, read_values, to_integer
from symparams.records import frozen


@frozen
class Formula:
    """An expression with values: what is derived where there is no model. It has no relations."""

    expression: Expression
    values: Mapping[Dimension, int]
    name: str = "expression"
    relations: Relations = field(default_factory=dict)
    features: Mapping[str, bool] = field(default_factory=dict)
    family: str = "expression"
    source: str = ""
    assumed: str = ""
    oddities: tuple[()] = ()
    chosen: tuple[tuple[str, bool], ...] = ()
    library: None = None

    @classmethod
    def read(cls, expression: Any, values: Mapping[str, Any]) -> Formula:
        """A formula as text or as an expression, plain sympy among them, and values by the names of its letters.

        Raises ExpressionError, UnknownNameError for a letter that the formula has not, and DimensionError.
        """
        written = _in_own_letters(measured(parse(expression, letter) if isinstance(expression, str) else expression))
        known = {dimension.name: dimension for dimension in written.dimensions}
        for name in values:
            if name not in known:
                raise UnknownNameError(f"The expression has no dimension {quoted(name)}. {suggestion(str(name), known)}")
        numbers, formulas = read_values({known[name]: value for name, value in values.items()}, known.values())
        follow(numbers, in_order(formulas, "expression"))
        needs = {d: [other for other in value.dimensions if other not in numbers] for d, value in formulas.items()}
        if any(needs.values()):
            raise nothing_follows({dimension: others for dimension, others in needs.items() if others})
        return cls(written, numbers)

    @property
    def given(self) -> frozenset[Dimension]:
        """The letters that have a value: each was given."""
        return frozenset(self.values)

    def key(self, dimension: Dimension) -> str:
        """No config holds a letter of a formula."""
        return ""

    @property
    def dimensions(self) -> tuple[Dimension, ...]:
        """Its letters."""
        return in_rank(self.expression.dimensions)

    @property
    def unbound(self) -> tuple[Dimension, ...]:
        """Its letters that have no value."""
        return tuple(dimension for dimension in self.expression.dimensions if dimension not in self.values)

    def count(self) -> int:
        """Its value; MissingDimensionError names the letters that have none."""
        if self.unbound:
            names = [dimension.name for dimension in self.unbound]
            raise MissingDimensionError(f"{self.name} has no value for {listed(names)} (used in the formula)", names)
        return to_integer(self.expression, self.values)

    def polynomial(self) -> Polynomial:
        """The formula multiplied out."""
        return multiply_out(self.expression, {})


def _in_own_letters(expression: Expression) -> Expression:
    """Return the expression whose b is not the batch and e not the bytes of a number, if the field does not use a letter."""
    inputs = [dimension for dimension in expression.dimensions if dimension in INPUTS]
    if not inputs or all(dimension in RANK for dimension in expression.dimensions):
        return expression
    return replaced(expression, {dimension: replace(dimension, is_own=True) for dimension in inputs})


# What a sheet can be about.
Subject: TypeAlias = Union[Model, Formula]

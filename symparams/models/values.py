"""Values: what a user gives for dimensions, read, completed by the relations, and checked."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Union

from symparams.architectures import Architecture
from symparams.errors import DimensionError, ExpressionError, OptionError, UnknownNameError, quoted, suggestion
from symparams.expressions.config_keys import BY_KEY
from symparams.expressions.nodes import Dimension, Expression
from symparams.expressions.parsing import MOST_DIGITS, parse
from symparams.expressions.written import evaluate

Value = Union[int, str]


def by_dimension(architecture: Architecture, values: Mapping[str, Value]) -> dict[Dimension, Value]:
    """Values by the names of dimensions, or by their config keys, as values by dimension."""
    named: dict[Dimension, Value] = {}
    for name, value in values.items():
        dimension = BY_KEY.get(name)
        if dimension not in architecture.dimensions:
            known = [d.name for d in architecture.dimensions]
            raise UnknownNameError(f"{architecture.title} has no dimension {quoted(name)}. {suggestion(name, known)}")
        if dimension in named:
            raise OptionError(f"{dimension.name} is given twice, once as {quoted(name)}: give it once.")
        named[dimension] = value
    return named


def bind(architecture: Architecture, given: Mapping[Dimension, Value], known: Mapping[Dimension, int]) -> dict[Dimension, int]:
    """Integers for the dimensions: what is known and given, then what the relations make of it, all of it checked."""
    bound: dict[Dimension, int] = dict(known)
    pending: dict[Dimension, Expression] = {}
    for dimension, value in given.items():
        read = read_value(dimension, value)
        if isinstance(read, int):
            bound[dimension] = read
        else:
            pending[dimension] = read
    _bind_pending(bound, pending)
    _follow(bound, architecture.relations)
    for dimension, identity in architecture.identities.items():
        _check_identity(bound, dimension, identity)
    _follow(bound, architecture.identities)
    for dimension, bound_by in architecture.at_most.items():
        if dimension in bound and bound[dimension] > bound.get(bound_by, bound[dimension]):
            raise DimensionError(
                f"{dimension.name} = {bound[dimension]} is more than {bound_by.name} = {bound[bound_by]}: choose a smaller one."
            )
    for expression in architecture.whole:
        if all(other in bound for other in expression.dimensions):
            to_integer(expression, bound)
    return {dimension: bound[dimension] for dimension in architecture.dimensions if dimension in bound}


def read_value(dimension: Dimension, value: Value) -> int | Expression:
    """A dimension's value as it is given: a positive integer, or an expression in other dimensions."""
    what = f"{dimension.name} = {quoted(value, 30)}"
    if isinstance(value, str):
        try:
            parsed = parse(value, BY_KEY)
        except ExpressionError as error:
            raise DimensionError(f"{what} is not a positive integer or an expression such as 4*h. {error}") from None
        if parsed.dimensions:
            return parsed
        return _positive(dimension, to_integer(parsed, {}, dimension), what)
    if isinstance(value, bool):
        raise DimensionError(f"{what} must be a positive integer.")
    try:
        return _positive(dimension, operator.index(value), what)
    except TypeError:
        raise DimensionError(f"{what} must be a positive integer, not a {type(value).__name__}.") from None


def to_integer(expression: Expression, values: Mapping[Dimension, int], dimension: Dimension | None = None) -> int:
    """The exact value; DimensionError where a division leaves a remainder."""
    try:
        return evaluate(expression, values)
    except ArithmeticError:
        from symparams.expressions.printing import plain

        formula = f"{dimension.name} = {plain(expression)}" if dimension else plain(expression)
        given = ", ".join(f"{d.name} = {values[d]}" for d in expression.dimensions)
        raise DimensionError(
            f"{formula} is not an integer{f' for {given}' if given else ''}: choose values that divide."
        ) from None


def _bind_pending(bound: dict[Dimension, int], pending: dict[Dimension, Expression]) -> None:
    while pending:
        ready = [d for d, value in pending.items() if all(other in bound for other in value.dimensions)]
        if not ready:
            names = ", ".join(
                f"{d.name} needs {', '.join(o.name for o in v.dimensions if o not in bound)}" for d, v in pending.items()
            )
            raise DimensionError(
                f"No value follows for {', '.join(d.name for d in pending)}: {names}. Give an integer for one of them."
            )
        for dimension in ready:
            value = to_integer(pending.pop(dimension), bound, dimension)
            bound[dimension] = _positive(dimension, value, f"{dimension.name} = {value}")


def _follow(bound: dict[Dimension, int], relations: Mapping[Dimension, Expression]) -> None:
    for dimension, value in relations.items():
        if dimension not in bound and all(other in bound for other in value.dimensions):
            bound[dimension] = to_integer(value, bound, dimension)


def _check_identity(bound: Mapping[Dimension, int], dimension: Dimension, value: Expression) -> None:
    if dimension in bound and all(other in bound for other in value.dimensions):
        expected = to_integer(value, bound, dimension)
        if bound[dimension] != expected:
            from symparams.expressions.printing import plain

            raise DimensionError(
                f"{dimension.name} = {bound[dimension]} contradicts "
                f"{dimension.name} = {plain(value)} = {expected}: leave it out."
            )


def _positive(dimension: Dimension, value: int, what: str) -> int:
    if value <= 0:
        raise DimensionError(f"{what} must be a positive integer: {dimension.name} counts something.")
    if value >= 10**MOST_DIGITS:
        raise DimensionError(f"{what} has more than {MOST_DIGITS} digits, which no model has.")
    return value

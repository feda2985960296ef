"""Laws: what holds between dimensions. A builder brings those that it needs; a family adds what it has by default."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from graphlib import CycleError, TopologicalSorter

from symparams.errors import DefinitionError, quoted
from symparams.expressions.closed_form import multiply_out
from symparams.expressions.extent import measured
from symparams.expressions.nodes import Dimension, Expression, Operand, as_expression
from symparams.records import frozen


class Binding(Enum):
    """The kind of a law."""

    DEFAULT = "default"  # holds unless a model has a value of its own
    ALWAYS = "always"
    DIVIDES = "divides"
    AT_MOST = "at most"
    EQUALS = "equals"


@frozen
class Law:
    """A law between a subject, which is a single letter in a relation, and an expression in other letters."""

    binding: Binding
    subject: Expression
    value: Expression


def default(dimension: Operand, value: Operand) -> Law:
    """dimension = value, unless a model sets the dimension: d_ff = 4·h."""
    return Law(Binding.DEFAULT, letter_of(dimension), measured(value))


def always(dimension: Operand, value: Operand) -> Law:
    """dimension = value in every model: d_head = h / n_heads, so n_heads·d_head is h."""
    return Law(Binding.ALWAYS, letter_of(dimension), measured(value))


def divides(divisor: Operand, value: Operand) -> Law:
    """divisor divides value: n_kv_heads divides n_heads."""
    return Law(Binding.DIVIDES, measured(divisor), measured(value))


def at_most(part: Operand, value: Operand) -> Law:
    """part ≤ value: n_active of n_experts."""
    return Law(Binding.AT_MOST, measured(part), measured(value))


def equals(left: Operand, right: Operand) -> Law:
    """left = right for two sums: layers with and without attention, and layers with and without experts."""
    return Law(Binding.EQUALS, measured(left), measured(right))


def letter_of(value: Operand) -> Dimension:
    """The dimension that a relation or a value is about; DefinitionError where it is not a single letter."""
    if isinstance(value, str):
        raise DefinitionError(f"{quoted(value)} is a text, not a letter: write symbols.h or sympy.Symbol('h').")
    expression = as_expression(value)
    if not isinstance(expression, Dimension):
        raise DefinitionError(f"{quoted(value)} is not a single letter: only a letter can have a relation.")
    return expression


def values_of(laws: Iterable[Law], *bindings: Binding) -> dict[Dimension, Expression]:
    """Return the values of dimensions by the laws of these bindings; the first law on a dimension holds."""
    values: dict[Dimension, Expression] = {}
    for law in laws:
        if law.binding in bindings and isinstance(law.subject, Dimension):
            values.setdefault(law.subject, law.value)
    return values


def refuse_contradictions(laws: Iterable[Law], known: Mapping[Dimension, Expression], name: str) -> None:
    """DefinitionError where a dimension always has a value and is given another, as one d_head for two widths is."""
    for law in laws:
        if law.binding is Binding.ALWAYS and isinstance(law.subject, Dimension):
            other = known[law.subject]
            if other != law.value and multiply_out(other, {}) != multiply_out(law.value, {}):
                raise DefinitionError(
                    f"{name}: {law.subject.name} is {law.value!r} and {other!r}: give one of the two a letter of its own."
                )


def in_order(relations: Mapping[Dimension, Expression], name: str) -> dict[Dimension, Expression]:
    """The relations, each after those that its own value speaks of; DefinitionError names a circle."""
    behind = {d: [other for other in value.dimensions if other in relations] for d, value in relations.items()}
    try:
        return {dimension: relations[dimension] for dimension in TopologicalSorter(behind).static_order()}
    except CycleError as error:
        circle = ", ".join(f"{d.name} = {relations[d]!r}" for d in dict.fromkeys(reversed(error.args[1])))
        raise DefinitionError(f"{name}: the relations {circle} are circular: leave one of them out.") from None

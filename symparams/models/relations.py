"""Relations that hold: of a family's and of those that somebody gave, the ones that no value of a model contradicts."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from symparams.components.laws import in_order
from symparams.expressions.closed_form import Relations
from symparams.expressions.nodes import Dimension, Expression
from symparams.expressions.written import evaluate


def combined(known: Relations, own: Relations, name: str) -> Relations:
    """Return a family's relations and those that somebody gave, each after what it needs.

    What is given replaces the family's relation for the same dimension, and those with which it would go round in a circle:
    of d_head = h/n_heads and a given h = n_heads·d_head, the latter.
    """
    if not own:
        return known
    both = {**known, **own}
    return in_order({d: value for d, value in both.items() if d in own or d not in _behind(d, both)}, name)


def _behind(dimension: Dimension, relations: Relations) -> set[Dimension]:
    """Return every dimension on which the value of a dimension depends."""
    found: set[Dimension] = set()
    pending = [dimension]
    while pending:
        value = relations.get(pending.pop())
        others = {*value.dimensions} - found if value else set()
        found |= others
        pending += others
    return found


def agreeing(known: Relations, values: Mapping[Dimension, int], broken: Collection[Dimension]) -> Relations:
    """The relations whose dimension has no value, or one that agrees, and that are not ``broken`` already."""
    return {d: value for d, value in known.items() if d not in broken and _agrees(d, value, values)}


def _agrees(dimension: Dimension, value: Expression, values: Mapping[Dimension, int]) -> bool:
    if dimension not in values:
        return True
    if any(d not in values for d in value.dimensions):
        return False
    try:
        return evaluate(value, values) == values[dimension]
    except ArithmeticError:  # h / n_heads leaves a remainder, and no whole d_head is that
        return False

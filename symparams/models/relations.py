"""Relations that hold: of those that a family knows, the ones that no value of a model contradicts."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from symparams.expressions.closed_form import Relations
from symparams.expressions.nodes import Dimension, Expression
from symparams.expressions.written import evaluate


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

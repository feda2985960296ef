"""Letters: a tree that stands within a larger one, in letters that tell its sizes from those of the other parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from symparams.components.facts import AttentionFacts, Heads, Indexer, Latent, Multiplication, StateSpaceFacts, Tiles
from symparams.components.laws import Law
from symparams.components.tree import Component, Tensor
from symparams.expressions.nodes import Dimension, Expression

Letters = Mapping[Dimension, Dimension]
RECORDS = (Component, Tensor, Heads, AttentionFacts, Latent, Indexer, Tiles, StateSpaceFacts, Multiplication, Law)


def in_letters(component: Component, letters: Letters) -> Component:
    """Return a component in other letters: with {h: h_text} an h × d_ff is an h_text × d_ff, and so are its laws."""
    other: Component = _value(component, letters)
    return other


def written_in(expression: Expression, letters: Letters) -> Expression:
    """Return a formula in other letters."""
    if isinstance(expression, Dimension):
        return letters.get(expression, expression)
    return expression.of(*(written_in(operand, letters) for operand in expression.operands))


def _value(value: Any, letters: Letters) -> Any:
    if isinstance(value, Expression):
        return written_in(value, letters)
    if isinstance(value, RECORDS):
        return replace(value, **{field.name: _value(getattr(value, field.name), letters) for field in fields(value)})
    return tuple(_value(inner, letters) for inner in value) if isinstance(value, tuple) else value

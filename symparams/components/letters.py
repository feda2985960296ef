"""Letters: a tree that stands within a larger one, in letters that tell its sizes from those of the other parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from types import MappingProxyType
from typing import Any

from symparams.components.facts import (
    Adjustment,
    AttentionFacts,
    Blocks,
    Heads,
    Indexer,
    Latent,
    Multiplication,
    StateSpaceFacts,
    Tiles,
)
from symparams.components.laws import Law
from symparams.components.tree import Component, Tensor
from symparams.expressions.nodes import Dimension, Expression
from symparams.features import Feature

Letters = Mapping[Dimension, Dimension]
Features = Mapping[str, Feature]
RECORDS = (
    Component, Tensor, Heads, AttentionFacts, Latent, Indexer, Tiles, Blocks, StateSpaceFacts, Multiplication, Adjustment, Law,
)  # fmt: skip


def in_letters(component: Component, letters: Letters, features: Features = MappingProxyType({})) -> Component:
    """Return a component in other letters: with {h: h_text} an h × d_ff is an h_text × d_ff, and so are its laws.

    ``features`` are those that have another name there, by their name here.
    """
    other: Component = _value(component, letters, features)
    return other


def feature_in(feature: Feature, features: Features) -> Feature:
    """Return a feature, or its complement, as it is called where some have other names."""
    return replace(features.get(feature.name, feature), negated=feature.negated)


def written_in(expression: Expression, letters: Letters) -> Expression:
    """Return a formula in other letters."""
    if isinstance(expression, Dimension):
        return letters.get(expression, expression)
    return expression.of(*(written_in(operand, letters) for operand in expression.operands))


def _value(value: Any, letters: Letters, features: Features) -> Any:
    if isinstance(value, Expression):
        return written_in(value, letters)
    if isinstance(value, Feature):
        return feature_in(value, features)
    if isinstance(value, RECORDS):
        return replace(value, **{own.name: _value(getattr(value, own.name), letters, features) for own in fields(value)})
    return tuple(_value(inner, letters, features) for inner in value) if isinstance(value, tuple) else value

"""A reason: a question about a count by its key, and what its answer speaks of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from typing import Union

from symparams.components.kinds import Role
from symparams.derivations.steps import Step, StepName, in_inner_size
from symparams.expressions.nodes import Dimension, Expression
from symparams.expressions.symbols import h
from symparams.models.model import Model
from symparams.records import frozen


@frozen
class Count:
    """A count that is saved, added or dropped: its step, and its fraction of the model's count where there are values."""

    step: Step
    share: Fraction | None


@frozen
class Reason:
    """A question of the catalogues by its key, with what stands for the placeholders of its answer."""

    key: str
    terms: Mapping[str, Union[Expression, StepName, Count]] = field(default_factory=dict)


def counted(model: Model, change: Step) -> Count:
    """A step with its part of the count."""
    share = Fraction(change.value, model.count()) if change.value is not None and not model.unbound else None
    return Count(in_inner_size(change), share)


def width(model: Model) -> Dimension | None:
    """The width of the layers, where the model has one alone: that of their norms, or h where these have no gains."""
    norms = [
        leaf.component for leaf in model.leaves if leaf.component.role is Role.NORM and leaf.is_in_layer and not leaf.sublayer
    ]
    widths = {norm.tensors[0].shape[0] for norm in norms if norm.tensors}
    size = widths.pop() if len(widths) == 1 else None if widths else h
    return size if isinstance(size, Dimension) and size in model.dimensions else None

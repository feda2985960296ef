"""A reason: a question about a count by its key, and what its answer speaks of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Union

from symparams.components.kinds import Role
from symparams.derivations.steps import Step, StepName, in_inner_size
from symparams.expressions.nodes import Dimension, Expression
from symparams.expressions.symbols import h
from symparams.models.model import Model


@dataclass(frozen=True)
class Count:
    """What is saved, added or dropped: its formula and its number, where the model has values, as a part of the count."""

    step: Step
    share: Fraction | None


@dataclass(frozen=True)
class Reason:
    """A question of the catalogues by its key, with what stands for the placeholders of its answer."""

    key: str
    terms: Mapping[str, Union[Expression, StepName, Count]] = field(default_factory=dict)


def counted(model: Model, each: Step) -> Count:
    """A step with its part of the count."""
    share = Fraction(each.value, model.count()) if each.value is not None and not model.unbound else None
    return Count(in_inner_size(each), share)


def width(model: Model) -> Dimension | None:
    """The width of the layers, where the model has one alone: that of their norms, or h where these have no gains."""
    norms = [
        leaf.component for leaf in model.leaves if leaf.component.role is Role.NORM and leaf.is_in_layer and not leaf.sublayer
    ]
    widths = {norm.tensors[0].shape[0] for norm in norms if norm.tensors}
    found = widths.pop() if len(widths) == 1 else None if widths else h
    return found if isinstance(found, Dimension) and found in model.dimensions else None

"""What is asked to come to a total: the number of parameters, or a cost with its inputs and choices."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from symparams.expressions.nodes import Dimension
from symparams.models.functions import vectorised
from symparams.models.model import Model
from symparams.models.vectorised import Function
from symparams.quantities.cost import NUMBERS, Cost, find
from symparams.quantities.parameters import PARAMETERS


@dataclass(frozen=True)
class Asked:
    """What is to come to a total: the number of parameters, or a cost with its inputs and choices."""

    quantity: str = PARAMETERS.name
    inputs: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def cost(self) -> Cost | None:
        """The cost; None of the parameters."""
        return None if self.quantity == PARAMETERS.name else find(self.quantity)

    @property
    def unit(self) -> str:
        """What is counted: bytes, FLOPs, parameters."""
        return self.cost.unit if self.cost else NUMBERS

    @property
    def noun(self) -> str:
        """What it is called in an error."""
        return self.cost.name if self.cost else "count"

    @property
    def letters(self) -> tuple[Dimension, ...]:
        """The inputs, which may be solved for as well."""
        return self.cost.letters if self.cost else ()

    def function(self, model: Model, free: Collection[Dimension]) -> Function:
        """The closed form as a function of what is free."""
        found = vectorised(model, self.quantity, self.inputs)
        if isinstance(found, Function):
            return found
        return found.over(free)

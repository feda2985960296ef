"""Derivations: a model worked out in ordered steps, which every sheet is a rendering of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from symparams.architectures import Architecture
from symparams.components import Component, Tensor, block
from symparams.derivations.conventions import Convention, conventions
from symparams.derivations.rule_of_thumb import RuleOfThumb, rule_of_thumb
from symparams.derivations.shares import Share, shares
from symparams.derivations.steps import FUSED, PER_HEAD, TOTAL, Step, Workings
from symparams.errors import OptionError, quoted
from symparams.expressions.config_keys import BY_KEY
from symparams.expressions.parsing import parse
from symparams.expressions.written import ZERO, total
from symparams.models.model import Model, load

EXPRESSION = "expression"
VIEWS = ("module", "kind", "weights")


@dataclass(frozen=True)
class Derivation:
    """A model worked out: its sections, their total, where the parameters are, and what other counts there are."""

    model: Model
    view: str
    attention: str
    sections: tuple[Step, ...]
    total: Step
    active: Step | None
    shares: tuple[Share, ...]
    conventions: tuple[Convention, ...]
    rule_of_thumb: RuleOfThumb | None

    @property
    def is_expression(self) -> bool:
        """Whether this works out a bare formula, not a model."""
        return self.model.architecture.name == EXPRESSION

    def walk(self) -> Iterator[Step]:
        """Every step of the count in reading order, the total last."""
        for section in self.sections:
            yield from section.walk()
        yield self.total


def derive(model: Model, *, view: str = "module", attention: str = FUSED) -> Derivation:
    """Work a model out step by step.

    ``view`` groups its leaves; ``attention`` writes attention over whole matrices ("fused") or head by head
    ("per-head"). Raises OptionError for a view or a way that there is not.
    """
    if view not in VIEWS:
        raise OptionError(f"Unknown view {quoted(view)}: choose one of {', '.join(VIEWS)}.")
    if attention not in (FUSED, PER_HEAD):
        raise OptionError(f"Unknown attention {quoted(attention)}: choose {FUSED} or {PER_HEAD}.")
    workings = Workings(model, attention)
    sections, addends = import_module(f"symparams.derivations.views.{view}").work(workings)
    whole = total([step.quantity for step in addends if step.written != ZERO])
    return Derivation(
        model,
        view,
        attention,
        tuple(sections),
        workings.step("", "total", whole, kind=TOTAL),
        workings.step("", "active", model.active_formula, kind=TOTAL) if model.has_experts else None,
        tuple(shares(workings)),
        tuple(conventions(workings)),
        rule_of_thumb(workings),
    )


def derive_expression(text: str, **values: Any) -> Derivation:
    """Work out a bare formula ("12*L*h**2 + 13*L*h"): as written, multiplied out, substituted, and its value.

    Raises ExpressionError where it is none, and DimensionError for a value that is no positive integer.
    """
    expression = parse(text, BY_KEY)
    formula = Component("expression", tensors=(Tensor("value", (expression,), "weight"),))
    model = load(Architecture(EXPRESSION, title="The expression", source="", tree=block(expression=formula)), **values)
    step = Workings(model, FUSED).step("", "total", expression, kind=TOTAL)
    return Derivation(model, "module", FUSED, (), step, None, (), (), None)

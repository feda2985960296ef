"""Steps: one line of reasoning each, with its formula, its numbers, its closed form and its value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Union

from symparams.expressions import closed_form
from symparams.expressions.marks import Quantity
from symparams.expressions.nodes import Expression, Number
from symparams.expressions.polynomial import Polynomial
from symparams.expressions.written import ZERO, substitute, total
from symparams.models.model import Model
from symparams.models.values import to_integer

if TYPE_CHECKING:
    import sympy

FUSED, PER_HEAD = "fused", "per-head"

# What a step is: a formula of its own, a part that counts 0, a block of steps, copies of a block, a heading without a sum.
STEP, ABSENT, TIED, BLOCK, STACK, GROUP, TOTAL = "step", "absent", "tied", "block", "stack", "group", "total"


@dataclass(frozen=True)
class Note:
    """A sentence of the catalogues: the first of ``keys`` that they hold, with expressions for its placeholders."""

    keys: tuple[str, ...]
    terms: Mapping[str, Union[Expression, str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Step:
    """One line of reasoning: where, what, the formula as written, with numbers, multiplied out, and its value.

    ``steps`` are worked out before it, on lines of their own; ``parts`` are named within its formula.
    """

    path: str
    name: str
    kind: str
    written: Expression
    substituted: Expression | None
    polynomial: Polynomial
    value: int | None
    notes: tuple[Note, ...] = ()
    steps: tuple[Step, ...] = ()
    parts: tuple[Step, ...] = ()

    @cached_property
    def closed(self) -> Expression:
        """The closed form as people write it."""
        return closed_form.as_written(self.polynomial)

    @cached_property
    def closed_form(self) -> sympy.Expr:
        """The closed form as a sympy expression."""
        return closed_form.as_sympy(self.polynomial)

    @property
    def by_parts(self) -> Expression | None:
        """The values of several parts as a sum: 12,589,056 + 4,196,352."""
        values = [part.value for part in self.parts]
        if len(values) < 2 or any(value is None for value in values):
            return None
        return total([Number(value) for value in values if value is not None])

    @property
    def quantity(self) -> Quantity:
        """This step's result, to be referred to by name in a later one."""
        return Quantity(self.name, self.written)

    def walk(self) -> Iterator[Step]:
        """Every step that leads to this one, in reading order, and then itself."""
        for step in (*self.steps, *self.parts):
            yield from step.walk()
        yield self


@dataclass(frozen=True)
class Workings:
    """What a view works with: the model, and how attention is to be written."""

    model: Model
    attention: str

    def step(
        self,
        path: str,
        name: str,
        written: Expression,
        *,
        kind: str = STEP,
        notes: Sequence[Note] = (),
        steps: Sequence[Step] = (),
        parts: Sequence[Step] = (),
    ) -> Step:
        """A step worked out: substituted as far as there are values, and multiplied out under the model's relations."""
        values = self.model.values
        used = written.dimensions
        known = [dimension for dimension in used if dimension in values]
        return Step(
            path,
            name,
            kind,
            written,
            substituted=substitute(written, values) if known else None,
            polynomial=closed_form.multiply_out(written, self.model.relations),
            value=to_integer(written, values) if len(known) == len(used) else None,
            notes=tuple(notes),
            steps=tuple(steps),
            parts=tuple(parts),
        )

    def sum(self, path: str, name: str, steps: Sequence[Step], kind: str) -> Step:
        """The step that adds up the results of others, by name."""
        return self.step(path, name, total([step.quantity for step in steps if step.written != ZERO]), kind=kind, steps=steps)

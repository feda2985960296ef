"""Kept tensors: what a forward pass keeps for the backward pass, each tensor once, however many operations need it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from symparams.components.tree import Component
from symparams.errors import OptionError
from symparams.expressions.nodes import Expression, Number, factors_of
from symparams.expressions.symbols import e
from symparams.expressions.written import ONE, times
from symparams.quantities.implementations import OUTPUT, Implementation
from symparams.quantities.quantity import Term
from symparams.quantities.setting import Setting

FULL = Number(4)  # bytes of a number in fp32
INDEX = Number(8)  # bytes of an index, int64
BYTES: Mapping[str, int] = MappingProxyType({"fp32": 4, "fp16": 2, "bf16": 2})  # of a number


@dataclass(frozen=True, eq=False)
class Value:
    """A tensor as it flows: how many numbers, of how many bytes each. Two of one size are two tensors."""

    numbers: Expression
    width: Expression = e


class Tape:
    """The saved tensors in the order of data; a tensor that is saved already is not saved again.

    ``copies`` is how many the model has of the layer where the pass is; ``drops_sum`` says that it is in one of the branches
    of whose sum is dropped, and not of what each gives.
    """

    def __init__(self, setting: Setting, how: Implementation) -> None:
        self.setting, self.how = setting, how
        self.each: Expression = Number(BYTES[setting.dtype]) if setting.dtype in BYTES else e
        self.copies: Expression = ONE
        self.drops_sum = False
        self._kept: dict[Value, Term] = {}

    @property
    def terms(self) -> tuple[Term, ...]:
        """Everything that is kept, a term each."""
        return tuple(self._kept.values())

    def keep(
        self,
        value: Value,
        path: str,
        name: str,
        note: str = "",
        *,
        copies: Expression | None = None,
        about: Mapping[str, Expression] | None = None,
    ) -> Value:
        """The same tensor, which is kept from now on under this name; ``note`` is the key of the sentence that says why."""
        written = product(value.numbers, self.each if value.width == e else value.width)
        reason = f"kept.{note}" if note else ""
        self._kept.setdefault(
            value, Term(path, name, written, self.copies if copies is None else copies, note=reason, about=about or {})
        )
        return value

    @property
    def is_full(self) -> bool:
        """True if the model's own number type is fp32."""
        return self.each == FULL

    def in_full(self, value: Value) -> Value:
        """The same numbers in fp32: the tensor itself where it is in fp32, a copy where it is not.

        OptionError where no number type says which.
        """
        if not self.setting.dtype:
            raise OptionError(
                f"What {self.setting.model or 'this model'} saves depends on the number type, because a part is computed"
                f" in fp32: give dtype ({', '.join(self.how.dtypes)})."
            )
        return value if self.is_full else replace(value, width=FULL)

    def of_type(self, value: Value) -> Value:
        """The same numbers in the model's number type: the tensor itself, or a copy of what is in fp32."""
        return value if value.width == e else replace(value, width=e)

    def dropout(self, value: Value, path: str, where: str, name: str = "") -> Value:
        """Return a tensor after dropout, whose mask is saved; the tensor itself without dropout."""
        if not self.setting.dropout or where not in self.how.dropouts or (where == OUTPUT and self.drops_sum):
            return value
        mask = Number(self.setting.dropout_mask)
        self.keep(replace(value, width=mask), path, name or f"mask_of:{path.rpartition('.')[2]}", "mask")
        return replace(value)


def product(*factors: Expression) -> Expression:
    """Factors in a row, without parentheses, numbers first: 2·b·s·h."""
    flat = [side for factor in factors for side in factors_of(factor)]
    return times(*sorted(flat, key=lambda side: not isinstance(side, Number)))


def width_of(component: Component, side: int) -> Expression:
    """One side of a layer's matrix: 0 its inputs, 1 its outputs."""
    return component.tensors[0].shape[side]

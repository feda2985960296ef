"""The grammar of ``--expr``: 3*(h*h + h), 12*L*h**2 + 13*L*h. What this prints, ``parsing`` reads back."""

from __future__ import annotations

from typing import ClassVar

from symparams.expressions.marks import Ceiling, Decimal, Named
from symparams.expressions.nodes import Dimension, Expression, Floor, Number, Power, Product, Quotient
from symparams.expressions.printing.form import POWER, PRODUCT
from symparams.expressions.printing.printer import Printer


class PlainPrinter(Printer):
    """Python's operators, no digit grouping; a named quantity is written out, since the grammar knows no names."""

    signs: ClassVar = {**Printer.signs, "×": "*", "·": "*"}

    def node(self, expression: Expression) -> str:
        return self.parenthesis(self(expression.definition)) if isinstance(expression, Named) else super().node(expression)

    def dimension(self, dimension: Dimension) -> str:
        return dimension.name

    def number(self, number: Number) -> str:
        return str(number.value)

    def tight(self, inner: Expression, around: int) -> str:
        # A side such as n_heads·d_head is one factor of its shape; the grammar has no other way to say so.
        written = super().tight(inner, around)
        return self.parenthesis(written) if isinstance(inner, Product) and around == PRODUCT else written

    def brace(self, inner: str, label: str) -> str:
        return inner

    def floor(self, rounded: Floor) -> str:
        return f"floor({self(rounded.inner)})"

    def ceiling(self, rounded: Ceiling) -> str:
        return f"ceil({self(rounded.inner)})"

    def decimal(self, decimal: Decimal) -> str:
        return f"({decimal.value})"

    def power(self, power: Power) -> str:
        return f"{self.write(power.base, POWER)}**{power.exponent}"

    def quotient(self, quotient: Quotient) -> str:
        return f"{self.write(quotient.numerator, PRODUCT)}/{self.write(quotient.denominator, PRODUCT)}"


def plain(expression: Expression) -> str:
    """The expression in the grammar of ``--expr``."""
    return PlainPrinter({})(expression)

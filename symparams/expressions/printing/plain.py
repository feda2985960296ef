"""The grammar of ``--expr``: 3*(h*h + h), 12*L*h**2 + 13*L*h. What this prints, ``parsing`` reads back."""

from __future__ import annotations

from symparams.expressions.marks import Quantity
from symparams.expressions.nodes import Expression, Product
from symparams.expressions.notation import NOTATIONS
from symparams.expressions.printing.printer import PRODUCT, Printer


class PlainPrinter(Printer):
    """Python's operators, no digit grouping; a named quantity is written out, since the grammar knows no names."""

    cross = "*"

    def node(self, expression: Expression) -> str:
        return self.parenthesis(self(expression.definition)) if isinstance(expression, Quantity) else super().node(expression)

    def number(self, value: int) -> str:
        return str(value)

    def juxtapose(self, factors: list[str]) -> str:
        return "*".join(factors)

    def tight(self, inner: Expression, around: int) -> str:
        # A side such as n_heads·d_head is one factor of its shape; the grammar has no other way to say so.
        written = super().tight(inner, around)
        return self.parenthesis(written) if isinstance(inner, Product) and around == PRODUCT else written

    def rounded(self, way: str, inner: str) -> str:
        return f"{way}({inner})"

    def power(self, base: str, exponent: int) -> str:
        return f"{base}**{exponent}"

    def quotient(self, numerator: Expression, denominator: Expression) -> str:
        return f"{self.write(numerator, PRODUCT)}/{self.write(denominator, PRODUCT)}"


PLAIN = PlainPrinter(NOTATIONS["hidden"], str)


def plain(expression: Expression) -> str:
    """The expression in the grammar of ``--expr``."""
    return PLAIN(expression)

"""The base of every printer, a form whose nodes are text; and the plainest printer, the grammar of ``--expr``."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import ClassVar

from symparams.expressions.nodes import (
    Ceiling,
    Decimal,
    Dimension,
    Equality,
    Expression,
    Floor,
    Minimum,
    Named,
    Number,
    Power,
    Product,
    Quotient,
)
from symparams.expressions.printing.form import BETWEEN, FIRST, POWER, PRODUCT, SUM, Form
from symparams.expressions.printing.nodes import Measured, Remark, Scaled, Strong, Words
from symparams.expressions.written import half_up


def rounded_half_up(value: Fraction, decimals: int) -> str:
    """A non-negative fraction with so many decimals, its thousands apart: 13.04, 1,303.1."""
    whole, rest = divmod(half_up(value, decimals), 10**decimals)
    return f"{whole:,}.{rest:0{decimals}}" if decimals else f"{whole:,}"


def shortest(value: Fraction) -> str:
    """A non-negative fraction with at most two decimals and no zeros at the end: 14, 6.5, 13.04."""
    return rounded_half_up(value, 2).rstrip("0").rstrip(".")


class Printer(Form[str]):
    """Writes an expression in one format; signs are looked up by where they stand."""

    signs: ClassVar[Mapping[str, str]] = {"+": " + ", "-": " - ", "×": " × ", "·": "·", "=": " = ", "≈": " ≈ "}

    def join(self, parts: list[str]) -> str:
        return "".join(parts)

    def sign(self, sign: str, where: str) -> str:
        written = self.signs[sign]
        return written if where == BETWEEN else written.strip() if where == FIRST else written.lstrip()

    def bracket(self, bracket: str) -> str:
        return bracket

    def grouped(self, digits: str) -> str:
        """Digits with the language's mark between thousands."""
        return digits if self.grouping == "," else digits.replace(",", self.grouping)

    def number(self, number: Number) -> str:
        return self.grouped(f"{number.value:,}")

    def dimension(self, dimension: Dimension) -> str:
        return self.letters[dimension].text

    def juxtapose(self, factors: tuple[Expression, ...]) -> str:
        return self.signs["·"].join([self.write(factor, PRODUCT) for factor in factors])

    def quotient(self, quotient: Quotient) -> str:
        return f"{self.write(quotient.numerator, SUM)} / {self.below(quotient)}"

    def equality(self, equality: Equality) -> str:
        return f"{self(equality.left)}{self.signs['=']}{self(equality.right)}"

    def floor(self, rounded: Floor) -> str:
        return f"⌊{self(rounded.inner)}⌋"

    def ceiling(self, rounded: Ceiling) -> str:
        return f"⌈{self(rounded.inner)}⌉"

    def minimum(self, least: Minimum) -> str:
        return f"min({', '.join(map(self, least.choices))})"

    def strong(self, strong: Strong) -> str:
        return self(strong.inner)

    def decimal(self, decimal: Decimal) -> str:
        is_exact = (decimal.value * 100).denominator == 1
        if is_exact:
            return self.grouped(shortest(decimal.value))
        return self.signs["≈"].lstrip() + self.grouped(rounded_half_up(decimal.value, 2))

    def scaled(self, scaled: Scaled) -> str:
        digits = rounded_half_up(scaled.value, scaled.decimals)
        if not scaled.word:
            return self.grouped(digits)
        mark = self.grouping if scaled.word.strip().isascii() else ""  # 1,234 B, but 1234亿
        return self.words(digits.replace(",", mark) + scaled.word)

    def remark(self, remark: Remark) -> str:
        words = remark.bracketed
        return f"{self(remark.inner)}{' ' * words.startswith(' ')}{self.words(words.lstrip())}"

    def worded(self, words: Words) -> str:
        return self.words(words.text)

    def rule(self, width: float, number: str) -> str:
        return f"{number}{'_' * (round(width) - len(number))}"

    def boxed(self, written: str, number: str) -> str:
        return f"[{number}{' ' if number else ''}{written}]"

    def measured(self, measured: Measured) -> str:
        return self(measured.inner) + self.words(f" {measured.unit}")

    def words(self, words: str) -> str:
        """Words within a formula."""
        return words

    def power(self, power: Power) -> str:
        raise NotImplementedError

    def brace(self, inner: str, label: str) -> str:
        return inner

    def quantity(self, quantity: Named) -> str:
        raise NotImplementedError


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

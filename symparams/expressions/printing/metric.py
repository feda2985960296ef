"""Metrics: how wide a formula or a text is, in the unit of a format's lines, added up from its nodes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import ClassVar
from unicodedata import east_asian_width

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
    Quotient,
)
from symparams.expressions.printing.form import BETWEEN, FIRST, LINE, POWER, PRODUCT, SUM, Form, terms
from symparams.expressions.printing.nodes import Measured, Remark, Scaled, Strong, Words
from symparams.expressions.printing.printer import rounded_half_up, shortest


def is_wide(character: str) -> bool:
    """True if a character takes two columns, as a Chinese one does."""
    return east_asian_width(character) in "WF"


def columns(written: str) -> int:
    """Return the terminal columns of a text."""
    return len(written) if written.isascii() else sum(2 if is_wide(character) else 1 for character in written)


class Metric(Form[float]):
    """The width of a formula: the sum of its children's and of the signs between them.

    ``quad`` is how far a line is set in, ``joint`` the space
    behind a name before it. ``signs`` are the widths of the signs between two terms, ``first`` of those before all terms.
    """

    quad: float
    joint: float
    slash: float
    bracket_width: float
    least_width: float = 3.0
    comma_width: float = 2.0
    frame: float = 2.0
    signs: ClassVar[Mapping[str, float]]
    first: ClassVar[Mapping[str, float]]

    def join(self, parts: list[float]) -> float:
        return sum(parts)

    def sign(self, sign: str, where: str) -> float:
        return self.first[sign] if where == FIRST else self.signs[sign]

    def bracket(self, bracket: str) -> float:
        return self.bracket_width

    def quotient(self, quotient: Quotient) -> float:
        return self.write(quotient.numerator, SUM) + self.slash + self.below(quotient)

    def equality(self, equality: Equality) -> float:
        return self(equality.left) + self.sign("=", BETWEEN) + self(equality.right)

    def floor(self, rounded: Floor) -> float:
        return self(rounded.inner) + 2 * self.bracket_width

    def ceiling(self, rounded: Ceiling) -> float:
        return self(rounded.inner) + 2 * self.bracket_width

    def minimum(self, least: Minimum) -> float:
        commas = self.comma_width * (len(least.choices) - 1)
        return self.least_width + 2 * self.bracket_width + commas + sum(map(self, least.choices))

    def strong(self, strong: Strong) -> float:
        return self(strong.inner)

    def decimal(self, decimal: Decimal) -> float:
        if (decimal.value * 100).denominator == 1:
            return self.digits(shortest(decimal.value))
        return self.first["≈"] + self.digits(rounded_half_up(decimal.value, 2))

    def number(self, number: Number) -> float:
        return self.digits(f"{number.value:,}")

    def scaled(self, scaled: Scaled) -> float:
        digits = rounded_half_up(scaled.value, scaled.decimals)
        if not scaled.word:
            return self.digits(digits)
        return self.text((digits if scaled.word.strip().isascii() else digits.replace(",", "")) + scaled.word)

    def remark(self, remark: Remark) -> float:
        return self(remark.inner) + self.text(remark.bracketed)

    def worded(self, words: Words) -> float:
        return self.text(words.text)

    def rule(self, width: float, number: str) -> float:
        return width

    def boxed(self, written: float, number: str) -> float:
        return written + self.frame

    def measured(self, measured: Measured) -> float:
        return self(measured.inner) + self.text(f" {measured.unit}")

    def widest_term(self, expression: Expression) -> float:
        """The width of the widest term with its sign: where a line may break at every sign, it needs no more."""
        return max([self.signed(term, LINE) for term in terms(expression)])

    def code(self, text: str) -> float:
        """The width of a name as a program spells it."""
        return self.text(text)

    @abstractmethod
    def text(self, text: str) -> float:
        """The width of words."""

    @abstractmethod
    def digits(self, digits: str) -> float:
        """The width of a number as it is written, the marks between thousands with it."""


class ColumnMetric(Metric):
    """Columns of a terminal."""

    quad, joint, slash, bracket_width = 2, 1, 3, 1
    signs: ClassVar = {"+": 3, "-": 3, "×": 3, "·": 1, "=": 3, "≈": 3}
    first: ClassVar = {"+": 1, "-": 1, "≈": 2}

    def sign(self, sign: str, where: str) -> float:
        # At the beginning of a line the space before a sign is gone.
        return super().sign(sign, where) - (1 if where not in (FIRST, BETWEEN) and sign != "·" else 0)

    def boxed(self, written: float, number: str) -> float:
        return written + self.frame + (len(number) + 1 if number else 0)

    def text(self, text: str) -> float:
        return columns(text)

    def digits(self, digits: str) -> float:
        return len(digits)

    def dimension(self, dimension: Dimension) -> float:
        return columns(self.letters[dimension].text)

    def juxtapose(self, factors: tuple[Expression, ...]) -> float:
        return sum([self.write(factor, PRODUCT) for factor in factors]) + len(factors) - 1

    def power(self, power: Power) -> float:
        return self.write(power.base, POWER) + len(str(power.exponent))

    def brace(self, inner: float, label: str) -> float:
        return inner + columns(label) + 3

    def part(self, written: float, label: str, *, is_last: bool) -> float:
        return self.brace(written, label) if is_last else written

    def quantity(self, quantity: Named) -> float:
        label = self.named(quantity)
        return columns(label) + 3 if label else 1

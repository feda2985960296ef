"""Runs of letters: a formula for whoever sets or measures letters itself, cut where their style changes.

12·L·h² is "12" upright, "L" italic, "h" italic, "²" upright; d_ff is "d" italic and "ff" as an index.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple

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
from symparams.expressions.notation import Letter
from symparams.expressions.printing.form import POWER, PRODUCT, SUM, Form
from symparams.expressions.printing.latex import CHARACTERS, LatexPrinter, readable
from symparams.expressions.printing.nodes import Measured, Remark, Scaled, Strong, Words
from symparams.expressions.printing.text import SUPERSCRIPTS, TextPrinter
from symparams.records import frozen


class Style(StrEnum):
    """The style of a run."""

    ITALIC = "italic"  # a letter of a formula
    UPRIGHT = "upright"  # its digits, signs and words
    INDEX = "index"  # upright, small and lowered


class Run(NamedTuple):
    """Letters of one style."""

    text: str
    style: Style


@frozen
class Runs:
    """Letters side by side; two of one style that meet are one run."""

    runs: tuple[Run, ...] = ()

    def __add__(self, other: Any) -> Runs:
        if not self.runs or not other.runs or self.runs[-1].style != other.runs[0].style:
            return Runs(self.runs + other.runs)
        joined = Run(self.runs[-1].text + other.runs[0].text, other.runs[0].style)
        return Runs((*self.runs[:-1], joined, *other.runs[1:]))


def upright(text: str) -> Runs:
    """Letters that are not letters of a formula."""
    return Runs((Run(text, Style.UPRIGHT),)) if text else Runs()


class RunPrinter(Form[Runs]):
    """Formulas as runs; what has no letter of its own is as a text prints it."""

    def __init__(self, letters: Mapping[Dimension, Letter], *known: Any) -> None:
        super().__init__(letters, *known)
        self._as_tex, self._as_text = LatexPrinter(letters, *known), TextPrinter(letters, *known)

    def join(self, parts: list[Runs]) -> Runs:
        return sum(parts, Runs())

    def sign(self, sign: str, where: str) -> Runs:
        return upright(self._as_text.sign(sign, where))

    def bracket(self, bracket: str) -> Runs:
        return upright(bracket)

    def number(self, number: Number) -> Runs:
        return upright(self._as_text.number(number))

    def dimension(self, dimension: Dimension) -> Runs:
        letter = self.letters[dimension]
        return Runs(letter_of(letter.latex, letter.text))

    def juxtapose(self, factors: tuple[Expression, ...]) -> Runs:
        dots = ["·" if space else "" for space in self._as_tex.spaces(factors)]
        return self.join([upright(dot) + self.write(factor, PRODUCT) for dot, factor in zip(["", *dots], factors, strict=True)])

    def power(self, power: Power) -> Runs:
        return self.write(power.base, POWER) + upright(str(power.exponent).translate(SUPERSCRIPTS))

    def quotient(self, quotient: Quotient) -> Runs:
        return self.write(quotient.numerator, SUM) + upright(" / ") + self.below(quotient)

    def brace(self, inner: Runs, label: str) -> Runs:
        return inner

    def quantity(self, quantity: Named) -> Runs:
        label = self.named(quantity)
        counted = Runs((Run(self.counted(quantity), Style.ITALIC),))
        return counted + Runs((Run(label, Style.INDEX),)) if label else counted

    def floor(self, rounded: Floor) -> Runs:
        return upright("⌊") + self(rounded.inner) + upright("⌋")

    def ceiling(self, rounded: Ceiling) -> Runs:
        return upright("⌈") + self(rounded.inner) + upright("⌉")

    def minimum(self, least: Minimum) -> Runs:
        first, *others = map(self, least.choices)
        return self.join([upright("min("), first, *[upright(", ") + other for other in others], upright(")")])

    def equality(self, equality: Equality) -> Runs:
        return self(equality.left) + upright(" = ") + self(equality.right)

    def strong(self, strong: Strong) -> Runs:
        return self(strong.inner)

    def decimal(self, decimal: Decimal) -> Runs:
        return upright(self._as_text.decimal(decimal))

    def scaled(self, scaled: Scaled) -> Runs:
        return upright(self._as_text.scaled(scaled))

    def remark(self, remark: Remark) -> Runs:
        return self(remark.inner) + upright(remark.bracketed)

    def worded(self, words: Words) -> Runs:
        return upright(words.text)

    def rule(self, width: float, number: str) -> Runs:
        return upright(self._as_text.rule(width, number))

    def boxed(self, written: Runs, number: str) -> Runs:
        return upright("[") + written + upright("]")

    def measured(self, measured: Measured) -> Runs:
        return self(measured.inner) + upright(f" {measured.unit}")


@lru_cache(maxsize=4096)
def letter_of(latex: str, text: str) -> tuple[Run, ...]:
    r"""A letter that is said in LaTeX: d_{\text{ff}} is d with the index ff; said in no way that we know it is its name."""
    spelled = readable(latex)
    greek = CHARACTERS.get(spelled.command, "") if spelled else ""
    if spelled is None or (spelled.command and not greek):
        return (Run(text, Style.UPRIGHT),)
    is_italic = not spelled.style and not greek.isupper()  # TeX sets capital Greek letters upright
    base = Run(spelled.letter or spelled.words or greek, Style.ITALIC if is_italic else Style.UPRIGHT)
    return (base, Run(spelled.subscript, Style.INDEX)) if spelled.subscript else (base,)

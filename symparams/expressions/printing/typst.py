r"""Typst: 3 times (h times h + h), 12 L h^2 + 13 L h. Words and grouped digits are strings, which nothing in them ends."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, ClassVar

from symparams.expressions.nodes import SPELLED, Ceiling, Dimension, Expression, Floor, Named, Power, Quotient
from symparams.expressions.notation import COUNT, Letter
from symparams.expressions.printing.em import WIDE_SCRIPT, EmMetric, script_width
from symparams.expressions.printing.form import FIRST, LINE, POWER, PRODUCT, SUM
from symparams.expressions.printing.latex import LatexPrinter, readable
from symparams.expressions.printing.metric import is_wide
from symparams.expressions.printing.nodes import Strong
from symparams.expressions.printing.printer import Printer

BRACES = (0.52, 1.022, 1.524, 2.026, 2.528, 3.03, 3.532, 4.036)  # em; a longer one is put together
STRUT = "#box(height: 0.75em, baseline: 0.2em)"  # makes all braces of a line equally low
SCRIPT_OF_TYPST = 0.7
# TeX's letters that Typst calls otherwise, or that are the other shape of one.
OTHERWISE = {"epsilon": "epsilon.alt", "varepsilon": "epsilon", "phi": "phi.alt", "varphi": "phi"}
SPACES: Mapping[str, str] = {"": " ", r"\,": " thin ", r" \cdot ": " dot "}
GROUPED = re.compile(r"\d[\d,.]*,[\d,.]*")
# What means something to Typst somewhere in a text: a dash that joins two words and an apostrophe do not, nor does one dot.
MARKS = re.compile(r"""[\\#$*_`<>@\[\]~"=+/]|-(?![^\W_])|(?<![^\W_])-|(?<![^\W_])'|\.(?=\.)|(?<=\.)\.""")
NUMBERED = re.compile(r"^(\d+)\.")


class TypstPrinter(Printer):
    """Formulas as Typst reads them."""

    signs: ClassVar = {**Printer.signs, "×": " times ", "·": " dot ", "≈": " approx "}

    def __init__(self, letters: Mapping[Dimension, Letter], *known: Any) -> None:
        super().__init__(letters, *known)
        self._as_tex = LatexPrinter(letters, *known)

    def sign(self, sign: str, where: str) -> str:
        if where == LINE:  # the empty text before the operator keeps it binary
            return f'"" {super().sign(sign, LINE)}'
        return self.signs[sign].lstrip() if where == FIRST and sign == "≈" else super().sign(sign, where)

    def parenthesis(self, written: str) -> str:
        return f"({written})"

    def bracket(self, bracket: str) -> str:
        return f"\\{bracket}"  # its other half may stand on another line

    def grouped(self, digits: str) -> str:
        return GROUPED.sub(lambda match: string(match[0].replace(",", self.grouping)), digits)

    def dimension(self, dimension: Dimension) -> str:
        letter = self.letters[dimension]
        return letter_of(letter.latex, letter.text)

    def juxtapose(self, factors: tuple[Expression, ...]) -> str:
        printed = [self.write(factor, PRODUCT) for factor in factors]
        spaces = [SPACES[space] for space in self._as_tex.spaces(factors)]
        # A space between a string and a letter is one that is seen.
        tight = ["" if space == " " and left[-1] == '"' else space for space, left in zip(spaces, printed, strict=False)]
        return printed[0] + "".join([space + factor for space, factor in zip(tight, printed[1:], strict=True)])

    def power(self, power: Power) -> str:
        exponent = str(power.exponent)
        return f"{self.write(power.base, POWER)}^{exponent if exponent.isdecimal() else f'({exponent})'}"

    def quotient(self, quotient: Quotient) -> str:
        return rf"{self.write(quotient.numerator, SUM)} \/ {self.below(quotient)}"

    brackets_braces = False

    def brace(self, inner: str, label: str) -> str:
        return f"underbrace({inner}{STRUT}, {string(label)})"

    def quantity(self, quantity: Named) -> str:
        label = self.named(quantity)
        return f"{self.counted(quantity)}_{string(label)}" if label else COUNT

    def floor(self, rounded: Floor) -> str:
        return f"floor({self(rounded.inner)})"

    def ceiling(self, rounded: Ceiling) -> str:
        return f"ceil({self(rounded.inner)})"

    def strong(self, strong: Strong) -> str:
        return f"bold({self(strong.inner)})"

    def rule(self, width: float, number: str) -> str:
        return f"#blank({width:.2f}em, {string(number)})"

    def boxed(self, written: str, number: str) -> str:
        return f"#answer(${written}$, {string(number)})"

    def words(self, words: str) -> str:
        return string(words)


class TypstMetric(EmMetric):
    """Em of the same font, as Typst sets it: a short brace has one of a few widths, and Chinese in an index is larger."""

    monospace = 0.485
    joint = 0.278  # a line that goes on begins below a sign of equality, and not below the space before that

    def brace(self, inner: float, label: str) -> float:
        written = next((width for width in BRACES if width >= inner), inner)
        return max(super().brace(written, label), script_width(label) + _wide(label))

    def quantity(self, quantity: Named) -> float:
        return super().quantity(quantity) + _wide(self.named(quantity))


def _wide(label: str) -> float:
    return (SCRIPT_OF_TYPST - WIDE_SCRIPT) * sum(map(is_wide, label))


def string(text: str) -> str:
    """A text as Typst writes one: what it holds is never a command."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


@lru_cache(maxsize=4096)
def letter_of(latex: str, text: str) -> str:
    r"""A letter that is said in LaTeX: d_{\text{ff}} is d_"ff"; one that is said in no way that we know is its name."""
    spelled = readable(latex)
    if spelled is None or (spelled.command and spelled.command not in {*OTHERWISE, *SPELLED}):
        return string(text)
    base = string(spelled.words) if spelled.style else OTHERWISE.get(spelled.command, spelled.letter or spelled.command)
    return f"{base}_{string(spelled.subscript)}" if spelled.subscript else base


def escape(text: str) -> str:
    """Text from outside, with the characters that mean something to Typst made harmless; an apostrophe stays one."""
    return NUMBERED.sub(r"\1\\.", MARKS.sub(r"\\\g<0>", text))

"""MathML, of the part that every browser sets (MathML Core): letters, indices, powers, braces drawn by the page's styles."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar

from symparams.expressions.nodes import Ceiling, Dimension, Expression, Floor, Minimum, Named, Power, Quotient
from symparams.expressions.notation import COUNT, Letter
from symparams.expressions.printing.form import BETWEEN, POWER, PRODUCT, SUM
from symparams.expressions.printing.latex import CHARACTERS, LatexPrinter, readable
from symparams.expressions.printing.nodes import Remark, Strong
from symparams.expressions.printing.printer import Printer

SPACE = "\N{NO-BREAK SPACE}"  # a browser leaves out another at either end
TIMES = "<mo>\N{INVISIBLE TIMES}</mo>"
SPACES: Mapping[str, str] = {"": TIMES, r"\,": f'{TIMES}<mspace width="0.16em"></mspace>', r" \cdot ": "<mo>·</mo>"}
ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})


class MathmlPrinter(Printer):
    """Formulas as a browser sets them."""

    signs: ClassVar = {sign: f"<mo>{'−' if sign == '-' else sign}</mo>" for sign in "+-×·=≈"}
    brackets_braces = False

    def __init__(self, letters: Mapping[Dimension, Letter], *known: Any) -> None:
        super().__init__(letters, *known)
        self._as_tex = LatexPrinter(letters, *known)

    def sign(self, sign: str, where: str) -> str:
        form = "" if where == BETWEEN else ' form="infix"' if where == "line" else ' form="prefix"'
        return self.signs[sign].replace("<mo>", f"<mo{form}>")

    def bracket(self, bracket: str) -> str:
        return f'<mo stretchy="false">{bracket}</mo>'

    def parenthesis(self, written: str) -> str:
        return f"<mrow>{self.bracket('(')}{written}{self.bracket(')')}</mrow>"

    def grouped(self, digits: str) -> str:
        return f"<mn>{super().grouped(digits)}</mn>"

    def dimension(self, dimension: Dimension) -> str:
        base, index = halves(self.letters[dimension].latex)
        return f"<msub><mi>{escape(base)}</mi><mtext>{escape(index)}</mtext></msub>" if index else f"<mi>{escape(base)}</mi>"

    def juxtapose(self, factors: tuple[Expression, ...]) -> str:
        printed = [self.write(factor, PRODUCT) for factor in factors]
        spaces = [SPACES[space] for space in self._as_tex.spaces(factors)]
        return printed[0] + "".join([space + factor for space, factor in zip(spaces, printed[1:], strict=True)])

    def power(self, power: Power) -> str:
        return f"<msup>{self.write(power.base, POWER)}<mn>{power.exponent}</mn></msup>"

    def quotient(self, quotient: Quotient) -> str:
        return f"{self.write(quotient.numerator, SUM)}<mo>/</mo>{self.below(quotient)}"

    def brace(self, inner: str, label: str) -> str:
        return f'<munder><mrow class="ub">{inner}</mrow>{self.words(label)}</munder>'

    def quantity(self, quantity: Named) -> str:
        label = self.named(quantity)
        count = f"<mi>{self.counted(quantity)}</mi>"
        return f"<msub>{count}{self.words(label)}</msub>" if label else f"<mi>{COUNT}</mi>"

    def floor(self, rounded: Floor) -> str:
        return f"<mrow>{self.bracket('⌊')}{self(rounded.inner)}{self.bracket('⌋')}</mrow>"

    def ceiling(self, rounded: Ceiling) -> str:
        return f"<mrow>{self.bracket('⌈')}{self(rounded.inner)}{self.bracket('⌉')}</mrow>"

    def minimum(self, least: Minimum) -> str:
        within = '<mo separator="true">,</mo>'.join(map(self, least.choices))
        return f"<mi>min</mi>{self.parenthesis(within)}"

    def strong(self, strong: Strong) -> str:
        return f'<mrow class="res">{self(strong.inner)}</mrow>'

    def remark(self, remark: Remark) -> str:
        return f"{self(remark.inner)}{self.words(remark.bracketed)}"

    def words(self, words: str) -> str:
        return f"<mtext>{escape(re.sub('^ ', SPACE, words))}</mtext>"


def halves(latex: str) -> tuple[str, str]:
    r"""A letter and its index as they are read: d and ff of d_{\text{ff}}, λ and nothing of \lambda."""
    spelled = readable(latex)
    if spelled is None:
        return latex, ""
    return spelled.letter or spelled.words or CHARACTERS.get(spelled.command, spelled.command), spelled.subscript


def escape(text: str) -> str:
    """Text from outside, with the characters that mean something to a browser made harmless."""
    return text.translate(ESCAPES)

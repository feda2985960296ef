r"""LaTeX that pdflatex, KaTeX, MathJax and pandoc all read: 3 \times (h \times h + h), 12Lh^{2} + 13Lh."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple

from symparams.expressions.nodes import GREEK, Ceiling, Dimension, Expression, Floor, Minimum, Named, Power
from symparams.expressions.notation import COUNT
from symparams.expressions.printing.form import LINE, POWER, PRODUCT
from symparams.expressions.printing.nodes import Remark, Scaled, Strong, Words
from symparams.expressions.printing.printer import Printer

SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
    "←": r"$\leftarrow$", "×": r"$\times$", "≈": r"$\approx$",
}  # fmt: skip
TABLE = str.maketrans(SPECIAL)
# Within \text MathJax reads no commands: what has to be escaped stands between two such texts.
APART, AS_MATH = re.compile(r"([%#&_<>])"), {**{sign: f"\\{sign}" for sign in "%#&_"}, "<": "{<}", ">": "{>}"}
COUNT_BEFORE = re.compile(r"[\d.,{}]+")
LETTER_POWER = re.compile(r"[A-Za-z]\^\{\d+\}")
SPELLING = re.compile(
    r"(?:(?P<letter>[A-Za-z])|\\(?P<style>text|mathrm)\{(?P<words>[^{}]*)\}|\\(?P<command>[A-Za-z]+))(?:_\{(?P<index>.*)\})?"
)
WORDS = re.compile(r"\\(?:text|mathrm)\{([^{}]*)\}")
CHARACTERS = {word: letter for letter, word in GREEK.items() if len(letter) == 1}  # lambda is λ


class LatexPrinter(Printer):
    """Formulas as TeX reads them."""

    signs: ClassVar = {**Printer.signs, "×": r" \times ", "·": r" \cdot ", "≈": r" \approx "}

    def sign(self, sign: str, where: str) -> str:
        # The empty group before the operator keeps it binary, and keeps the line from looking like a Markdown list.
        return f"{{}} {super().sign(sign, LINE)}" if where == LINE else super().sign(sign, where)

    def grouped(self, digits: str) -> str:
        return digits.replace(",", f"{{{self.grouping}}}")

    def dimension(self, dimension: Dimension) -> str:
        return self.letters[dimension].latex

    def juxtapose(self, factors: tuple[Expression, ...]) -> str:
        printed = [self.write(factor, PRODUCT) for factor in factors]
        return printed[0] + "".join([between(*pair) + pair[1] for pair in pairwise(printed)])

    def spaces(self, factors: Sequence[Expression]) -> list[str]:
        """Return the space between two factors; other formats may write a sign."""
        return [between(*pair) for pair in pairwise([self.write(factor, PRODUCT) for factor in factors])]

    def power(self, power: Power) -> str:
        return f"{self.write(power.base, POWER)}^{{{power.exponent}}}"

    brackets_braces = False
    strut: ClassVar[str] = ""  # what makes all braces of a line equally low; pandoc knows none

    def brace(self, inner: str, label: str) -> str:
        # The braces around it keep the space beside it: TeX takes it for an operator. That before the label's brace keeps
        # Markdown from reading two underscores as emphasis.
        return rf"{{\underbrace{{{inner}{self.strut}}}_ {{{self.words(label)}}}}}"

    def quantity(self, quantity: Named) -> str:
        label = self.named(quantity)
        return f"{self.counted(quantity)}_{{{self.words(label)}}}" if label else COUNT

    def floor(self, rounded: Floor) -> str:
        return rf"\lfloor {self(rounded.inner)} \rfloor"

    def ceiling(self, rounded: Ceiling) -> str:
        return rf"\lceil {self(rounded.inner)} \rceil"

    def minimum(self, least: Minimum) -> str:
        return rf"\min({', '.join(map(self, least.choices))})"

    def strong(self, strong: Strong) -> str:
        written = self(strong.inner)
        if isinstance(strong.inner, Words) or (isinstance(strong.inner, Scaled) and strong.inner.word):
            return written.replace(r"\text{", r"\textbf{")
        return rf"\mathbf{{{written}}}"

    def remark(self, remark: Remark) -> str:
        return f"{self(remark.inner)}{self.words(remark.bracketed)}"

    def rule(self, width: float, number: str) -> str:
        written = rf"\underline{{\hspace{{{width:.1f}em}}}}"
        return rf"\underset{{\text{{{number}}}}}{{{written}}}" if number else written

    def boxed(self, written: str, number: str) -> str:
        box = rf"\boxed{{{written}}}"  # without a colour, which not every reader of such formulas has
        return rf"\underset{{\text{{{number}}}}}{{{box}}}" if number else box

    def words(self, words: str) -> str:
        return "".join(AS_MATH.get(part) or rf"\text{{{escape(part)}}}" for part in APART.split(words) if part)


@lru_cache(maxsize=16_384)
def between(left: str, right: str) -> str:
    """Return what separates two factors: nothing, a thin space, as behind an index, or a dot where words would run together."""
    if r"\mathrm" in left or r"\mathrm" in right:
        return r" \cdot "
    is_letter = LETTER_POWER.fullmatch(right) and "_" not in left
    if COUNT_BEFORE.fullmatch(left) or len(left) == len(right) == 1 or is_letter:
        return ""
    return r"\,"


class Spelling(NamedTuple):
    r"""The LaTeX of a letter: a single ``letter``, ``words`` in a style, or a ``command``, \lambda; and its index."""

    letter: str
    words: str
    command: str
    subscript: str
    style: str


@lru_cache(maxsize=4096)
def spelling(latex: str) -> Spelling | None:
    r"""The spelling of a letter: d and ff of d_{\text{ff}}; None for LaTeX of another form."""
    match = SPELLING.fullmatch(latex)
    if match is None:
        return None
    letter, style, words, command, index = match.groups(default="")
    return Spelling(letter, words.replace("\\", ""), command, WORDS.sub(r"\1", index).replace("\\", ""), style)


def readable(latex: str) -> Spelling | None:
    """The spelling of a letter whose index is plain words, as formats without TeX set it; None for LaTeX of another form."""
    spelled = spelling(latex)
    return None if spelled is None or "{" in spelled.subscript else spelled


def escape(text: str) -> str:
    """Text from outside, with the characters that mean something to LaTeX made harmless."""
    return text.translate(TABLE)


def reached(text: str, head: Mapping[str, Any]) -> str:
    """A text in which each character that the language's fonts lack is its number: 模 is U+6A21 in English, not an error."""
    if text.isascii():
        return text
    lacking = rf"[^\x00-\x7f{head['latex.characters']}]+"
    return re.sub(lacking, lambda match: " ".join([f"U+{ord(character):04X}" for character in match[0]]), text)

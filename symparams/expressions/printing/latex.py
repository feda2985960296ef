r"""LaTeX that pdflatex, KaTeX, MathJax and pandoc all read: 3 \times (h \times h + h), 12Lh^{2} + 13Lh."""

from __future__ import annotations

import re
from unicodedata import east_asian_width

from symparams.expressions.nodes import Dimension
from symparams.expressions.printing.printer import Printer

SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
}  # fmt: skip
NARROW = {",": 0.28, ".": 0.28, "(": 0.39, ")": 0.39, "[": 0.28, "]": 0.28, " ": 0.28, "i": 0.3, "l": 0.3, "t": 0.39, "m": 0.85}
SCRIPT = 0.75
MACROS = {r"\times": 1.25, r"\cdot": 0.75, r"\quad": 1.0, r"\,": 0.17, r"\approx": 1.35}
WORDS = {r"\mathbf": 1.15, r"\mathrm": 1.04, r"\texttt": 1.08}
TOKEN = re.compile(r"\\underbrace|\\(?:text|mathrm|mathbf|texttt)\b|\\[a-zA-Z]+|\\.|\{,\}|.", re.DOTALL)


class LatexPrinter(Printer):
    """One em of the text font is the unit of width; widths are a little more than the true ones, never less."""

    minus, cross, dot = " - ", r" \times ", r" \cdot "
    quad, approximately = r"\quad ", r"\approx"

    def number(self, value: int) -> str:
        return f"{value:,}".replace(",", "{,}")

    def dimension(self, dimension: Dimension) -> str:
        return self.letters[dimension].latex

    def juxtapose(self, factors: list[str]) -> str:
        written = factors[0]
        for left, right in zip(factors, factors[1:], strict=False):
            if r"\mathrm" in left + right:
                written += self.dot + right
            elif left[0].isdigit() or len(left) == len(right) == 1 or _is_letter_power(right):
                written += right
            else:
                written += r"\," + right
        return written

    def power(self, base: str, exponent: int) -> str:
        return f"{base}^{{{exponent}}}"

    def brace(self, inner: str, label: str) -> str:
        # The space before the label's brace keeps Markdown from reading two underscores as emphasis.
        return rf"\underbrace{{{inner}}}_ {{\text{{{escape(label)}}}}}"

    def quantity(self, label: str) -> str:
        return rf"N_{{\text{{{escape(label)}}}}}" if label else "N"

    def decimal(self, digits: str, *, is_exact: bool) -> str:
        return super().decimal(digits.replace(",", "{,}"), is_exact=is_exact)

    def rounded(self, way: str, inner: str) -> str:
        return rf"\l{way} {inner} \r{way}"

    def prose(self, words: str) -> str:
        return rf"\text{{{escape(words)}}}"

    def continuation(self, indent: str, piece: str) -> str:
        # The empty group before the operator keeps it binary, and keeps the line from looking like a Markdown list.
        return f"{indent}{{}} {piece.lstrip()}"

    def width(self, written: str) -> float:
        return _Ruler(written).measure()


def escape(text: str) -> str:
    """Text from outside, with the characters that mean something to LaTeX made harmless."""
    return "".join(SPECIAL.get(character, character) for character in text)


def _is_letter_power(written: str) -> bool:
    return re.fullmatch(r"[A-Za-z]\^\{\d+\}", written) is not None


class _Ruler:
    """Adds up the widths of the glyphs of a formula."""

    def __init__(self, written: str) -> None:
        self.tokens = TOKEN.findall(written)
        self.next = 0

    def measure(self) -> float:
        width = 0.0
        while self.next < len(self.tokens) and self.tokens[self.next] != "}":
            width += self.token()
        return width

    def token(self) -> float:
        token = self.take()
        if token in ("_", "^"):
            return SCRIPT * self.group()
        if token == "{":
            return self.closed(self.measure())
        if token == r"\underbrace":
            inner, label = self.group(), self.underlabel()
            return max(inner, label)
        if token in (r"\text", *WORDS):
            return self.group() * WORDS.get(token, 1.0)
        return self.glyph(token)

    def underlabel(self) -> float:
        if self.next < len(self.tokens) and self.tokens[self.next] == "_":
            self.take()
            return SCRIPT * self.group()
        return 0.0

    def group(self) -> float:
        while self.tokens[self.next] == " ":
            self.take()
        return self.token()

    def closed(self, width: float) -> float:
        if self.next < len(self.tokens):
            self.take()
        return width

    def take(self) -> str:
        self.next += 1
        return str(self.tokens[self.next - 1])

    @staticmethod
    def glyph(token: str) -> float:
        if token in ("$", r"\allowbreak"):
            return 0.0
        if token in MACROS:
            return MACROS[token]
        if token in "+-=":
            return 1.25
        if token == "{,}":
            return 0.28
        if len(token) == 1 and east_asian_width(token) in "WF":
            return 1.0
        return NARROW.get(token, 0.58 if token.isalpha() else 0.5)

r"""The metric of TeX: widths in em of Computer Modern at 10 points, as \settowidth measures them; at 11 points, and in
ctex, a little more than the true ones, for the small letters of indices are wider at 10.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import pairwise
from string import ascii_letters, ascii_lowercase, ascii_uppercase
from typing import Any, ClassVar

from symparams.expressions.nodes import Dimension, Expression, Named, Number, Power, Product, Size
from symparams.expressions.notation import COUNT
from symparams.expressions.printing.form import POWER, PRODUCT
from symparams.expressions.printing.latex import Spelling, between, spelling
from symparams.expressions.printing.metric import Metric, is_wide
from symparams.expressions.printing.nodes import Scaled, Strong, Words


def _table(characters: str, thousandths: str) -> Mapping[str, float]:
    return {character: int(width) / 1000 for character, width in zip(characters, thousandths.split(), strict=True)}


# A letter of a formula with its italic correction, and that correction, which an index does without.
LETTERS = _table(
    ascii_uppercase + ascii_lowercase,
    "750 809 787 856 796 782 787 913 519 651 921 681 1080 913 791 781 791 767 671 724 792 806 1084 907 803 755 "
    "529 430 433 521 466 598 513 577 345 469 553 319 878 601 485 504 483 479 469 362 573 521 743 572 527 509",
)
CORRECTIONS = _table(
    ascii_uppercase + ascii_lowercase,
    "0 50 72 28 57 138 0 81 79 96 71 0 109 109 28 139 0 7 57 139 109 222 139 78 222 72 "
    "0 0 0 0 0 108 36 0 0 57 32 20 0 0 0 0 36 27 0 0 0 36 27 0 36 43",
)
TEXT = _table(
    " " + "".join(map(chr, range(33, 127))),
    "334 278 374 834 500 834 778 278 389 389 500 778 278 334 278 500 500 500 500 500 500 500 500 500 500 500 278 278 778 "
    "778 778 473 778 750 709 723 764 681 653 785 750 362 514 778 625 917 750 778 681 778 737 556 723 750 750 1028 750 750 "
    "612 278 500 278 556 750 278 500 556 445 556 445 306 500 556 278 306 528 278 834 556 500 556 528 392 395 389 556 528 "
    "723 528 528 445 500 278 500 556",
)
GREEK = {
    "alpha": 0.644, "beta": 0.619, "gamma": 0.574, "delta": 0.483, "epsilon": 0.406, "varepsilon": 0.467,
    "zeta": 0.512, "eta": 0.533, "theta": 0.498, "iota": 0.354, "kappa": 0.577, "lambda": 0.584,
    "mu": 0.603, "nu": 0.558, "xi": 0.484, "pi": 0.606, "rho": 0.517, "sigma": 0.608,
    "tau": 0.551, "upsilon": 0.577, "phi": 0.596, "varphi": 0.655, "chi": 0.626, "psi": 0.688,
    "omega": 0.659, "Gamma": 0.625, "Delta": 0.834, "Theta": 0.778, "Lambda": 0.695, "Xi": 0.667,
    "Pi": 0.750, "Sigma": 0.723, "Upsilon": 0.778, "Phi": 0.723, "Psi": 0.778, "Omega": 0.723,
}  # fmt: skip
BOLD_WORDS = 1.17  # bold words, as a part of others' width
KERNED, KERN = re.compile(r"[bop](?=[cdeoqj])"), 0.028  # the round letters that stand a little apart
UNKNOWN, WIDE, BOLD = 0.8, 1.0, 0.075
SCRIPT, WIDE_SCRIPT = 0.806, 0.67  # an index, as a part of the text's size
SCRIPT_SPACE, THIN, DOT = 0.05, 0.167, 0.723
NARROWEST_BRACE = 1.8
OTHER = "()"
GAP = 0.334  # what ctex puts between a Chinese and a Latin letter


class EmMetric(Metric):
    """Em of the text's font."""

    def __init__(self, *known: Any) -> None:
        super().__init__(*known)
        self._shapes: dict[int, str] = {}

    monospace = 0.525
    quad, joint, slash, bracket_width = 1.0, 0.0, 0.5, 0.389
    least_width, comma_width, frame = 1.67, 0.45, 0.7
    signs: ClassVar = {"+": 1.223, "-": 1.223, "×": 1.223, "·": DOT, "=": 1.334, "≈": 1.334}
    first: ClassVar = {"+": 0.778, "-": 0.778, "≈": 1.056}

    def text(self, text: str) -> float:
        return text_width(text, 1.0, WIDE)

    def code(self, text: str) -> float:
        return self.monospace * len(text)

    def digits(self, digits: str) -> float:
        return digits_width(digits)

    def dimension(self, dimension: Dimension) -> float:
        return letter_width(self._latex(dimension))

    def juxtapose(self, factors: tuple[Expression, ...]) -> float:
        shapes = tuple([self._shape(factor) for factor in factors])
        if OTHER in shapes:
            spaces = [_space(left, right) for left, right in pairwise(shapes)]
            return sum([self.write(factor, PRODUCT) for factor in factors]) + sum(spaces)
        return monomial_width(shapes)

    def _shape(self, factor: Expression) -> str:
        """Return the print of a factor; of one that is not a monomial as much as the space beside it needs."""
        match factor:
            case Number(value):
                return f"{value:,}"
            case Dimension():
                return self._latex(factor)
            case Power(base, exponent) if isinstance(base, Dimension):
                return f"{self._latex(base)}^{{{exponent}}}"
            case Size(inner) if not isinstance(inner, Product):
                return self._shape(inner)
        return OTHER

    def _latex(self, dimension: Dimension) -> str:
        latex = self._shapes.get(id(dimension))
        if latex is None:
            latex = self._shapes[id(dimension)] = self.letters[dimension].latex
        return latex

    def power(self, power: Power) -> float:
        if isinstance(power.base, Dimension):
            return letter_width(self._latex(power.base), len(str(power.exponent)))
        return self.write(power.base, POWER) + 0.5 * SCRIPT * len(str(power.exponent)) + SCRIPT_SPACE

    brackets_braces = False

    def brace(self, inner: float, label: str) -> float:
        return max(inner, script_width(label), NARROWEST_BRACE)

    def quantity(self, quantity: Named) -> float:
        label = self.named(quantity)
        width = LETTERS[self.counted(quantity)] - CORRECTIONS[self.counted(quantity)]
        return width + script_width(label) + SCRIPT_SPACE if label else LETTERS[COUNT]

    def strong(self, strong: Strong) -> float:
        if isinstance(strong.inner, Scaled | Words):
            return self(strong.inner) * BOLD_WORDS
        value = strong.inner.value if isinstance(strong.inner, Number) else 0
        return self(strong.inner) + BOLD * len(str(value))


@lru_cache(maxsize=4096)
def text_width(text: str, size: float, wide: float) -> float:
    """The width of words in letters of a size; Chinese ones are as wide as they are high."""
    if text.isascii():
        return size * (sum([TEXT.get(character, UNKNOWN) for character in text]) + KERN * len(KERNED.findall(text)))
    gaps = sum((_is_ideograph(left) and right in ascii_letters) or (left in ascii_letters and _is_ideograph(right))
               for left, right in pairwise(text))  # fmt: skip
    return sum([wide if is_wide(c) else size * TEXT.get(c, UNKNOWN) for c in text]) + size * GAP * gaps


@cache
def script_width(text: str) -> float:
    """The width of words in an index."""
    return text_width(text, SCRIPT, WIDE_SCRIPT)


@lru_cache(maxsize=16_384)
def monomial_width(shapes: tuple[str, ...]) -> float:
    """The width of numbers, letters and powers of letters side by side."""
    width = sum([_space(left, right) for left, right in pairwise(shapes)])
    for shape in shapes:
        letter, _, exponent = shape.partition("^")
        width += digits_width(shape) if shape[0].isdigit() else letter_width(letter, max(len(exponent) - 2, 0))
    return width


def digits_width(digits: str) -> float:
    """The width of a number as it is written."""
    return 0.5 * len(digits) - 0.222 * (digits.count(",") + digits.count("."))


@cache
def letter_width(latex: str, raised: int = 0) -> float:
    """The width of a dimension's letter, which may have an index, and above it an exponent of so many digits."""
    spelled, exponent = spelling(latex), 0.5 * SCRIPT * raised
    if spelled is None:
        return UNKNOWN * len(latex) + exponent
    base, correction = _base_width(spelled)
    index = script_width(re.sub(r"[{}]", "", spelled.subscript)) if spelled.subscript else 0.0
    if not index:
        correction = 0.0
    scripts = max(index, exponent + correction)
    return base - correction + scripts + (SCRIPT_SPACE if scripts else 0.0)


def _base_width(spelled: Spelling) -> tuple[float, float]:
    if spelled.letter:
        return LETTERS[spelled.letter], CORRECTIONS[spelled.letter]
    if spelled.style:
        return text_width(spelled.words, 1.0, WIDE) + (0.007 * len(spelled.words) if spelled.style == "mathrm" else 0.0), 0.0
    return GREEK.get(spelled.command, UNKNOWN), 0.0


def _is_ideograph(character: str) -> bool:
    return is_wide(character) and character.isalpha()


@lru_cache(maxsize=16_384)
def _space(left: str, right: str) -> float:
    return {"": 0.0, r"\,": THIN}.get(between(left, right), DOT)

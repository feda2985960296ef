"""Faces: how large the letters of a drawing are, how far its lines are apart, and how wide what is set in them.

A width is that of Helvetica's letters, a sixth more: DejaVu Sans, the widest that stands in for it where it is missing, is as
wide as that. A Chinese character is as wide as it is high, in SVG or in TeX, wherever it is higher: TeX sets many faces larger,
and only its Latin letters are narrower. Every format breaks lines by this one measure.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from types import MappingProxyType
from typing import Any, ClassVar

from symparams.drawings.marks import Drawing, Face, TextLine, TextPiece, texts
from symparams.drawings.theme import theme
from symparams.expressions.nodes import Dimension, Expression, Named, Number, Power
from symparams.expressions.printing.em import letter_width
from symparams.expressions.printing.form import POWER, PRODUCT
from symparams.expressions.printing.latex import spelling
from symparams.expressions.printing.metric import Metric, is_wide

# The size of each face, the height of its lines, how wide a Chinese character is, in points; of a letter's index and exponent.
SIZES: Mapping[Face, float] = MappingProxyType({face: font.size for face, font in theme().faces.items()})
PITCHES: Mapping[Face, float] = MappingProxyType({face: font.pitch for face, font in theme().faces.items()})
SQUARES: Mapping[Face, float] = MappingProxyType({face: max(font.size, font.tex) for face, font in theme().faces.items()})
BOLD = frozenset(face for face, font in theme().faces.items() if font.bold)
INDEX = theme().formulas["index"]
LEAST = 6.5  # below which no letter but an index is set
LEAST_LETTER = 5.0  # points on paper, below which a letter is hard to read
WIDEST, BOLDER, UNKNOWN = 1.16, 1.06, 0.8
# Computer Modern is wider the smaller it is: a letter at 7 points, with its index at 5, beside one at 10; and how much wider
# than Helvetica's its signs are, alone at the end of a line and with the spaces around them.
TEX_LETTER, SIGNS, SPACED = theme().faces[Face.FORMULA].tex * 1.22, 1.22, 1.05

_CHARACTERS = "".join(map(chr, range(32, 127))) + "×·…–—’“”≈−⊗²³⁰¹⁴⁵⁶⁷⁸⁹"
_THOUSANDTHS = (
    "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 584 "
    "584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 "
    "278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 "
    "500 500 334 260 334 584 584 278 1000 556 1000 222 333 333 549 584 768" + " 333" * 10
)
HELVETICA: Mapping[str, float] = MappingProxyType(
    {character: int(width) / 1000 for character, width in zip(_CHARACTERS, _THOUSANDTHS.split(), strict=True)}
)


@cache
def text_width(text: str) -> float:
    """The width of words in em."""
    return sum(1.0 if is_wide(sign) else WIDEST * HELVETICA.get(sign, UNKNOWN) for sign in text)


class FaceMetric(Metric):
    """The width of a formula in points, as a drawing sets it: in Helvetica's letters or in TeX's, whichever are wider."""

    size, small = SIZES[Face.FORMULA] * SIGNS, INDEX
    quad, joint, slash, bracket_width = size, 0.0, text_width("/") * size, text_width("(") * size
    least_width, comma_width, frame = text_width("min") * size, text_width(", ") * size, 0.0
    signs: ClassVar = {sign: text_width(f" {sign} ") * SIZES[Face.FORMULA] * SPACED for sign in "+-×=≈"} | {
        "·": text_width("·") * SIZES[Face.FORMULA]
    }
    first: ClassVar = {sign: text_width(sign) * SIZES[Face.FORMULA] * SIGNS for sign in "+-≈"}
    brackets_braces = False

    def text(self, text: str) -> float:
        return text_width(text) * SIZES[Face.FORMULA]

    def digits(self, digits: str) -> float:
        return self.text(digits)

    def dimension(self, dimension: Dimension) -> float:
        return max(self._in_helvetica(dimension), letter_width(self.letters[dimension].latex) * TEX_LETTER)

    def _in_helvetica(self, dimension: Dimension) -> float:
        letter = spelling(self.letters[dimension].latex)
        if letter is None:
            return self.text(self.letters[dimension].text)
        index = letter.subscript.translate({ord(sign): None for sign in "{}"})
        return self.text(letter.letter or letter.words or letter.command[:1]) + text_width(index) * self.small

    def juxtapose(self, factors: tuple[Expression, ...]) -> float:
        dots = sum(not isinstance(left, Number) or isinstance(right, Number) for left, right in pairwise(factors))
        return sum([self.write(factor, PRODUCT) for factor in factors]) + dots * self.signs["·"]

    def power(self, power: Power) -> float:
        return self.write(power.base, POWER) + text_width(str(power.exponent)) * self.small

    def brace(self, inner: float, label: str) -> float:
        return inner

    def quantity(self, quantity: Named) -> float:
        return self.text(self.counted(quantity)) + text_width(self.named(quantity)) * self.small


class TextMeasure:
    """The widths of the pieces of a drawing, in the letters that it uses."""

    def __init__(self, letters: Any) -> None:
        self.formulas = FaceMetric(letters)

    def piece(self, piece: TextPiece) -> float:
        """The width of words or of a formula."""
        if isinstance(piece.value, Expression):
            return self.formulas(piece.value)
        is_sign = piece.face is Face.FORMULA and not piece.is_word
        wider = BOLDER if piece.face in BOLD else SIGNS if is_sign else 1.0
        squares = sum(map(is_wide, piece.value))
        return (text_width(piece.value) - squares) * SIZES[piece.face] * wider + squares * SQUARES[piece.face]

    def key(self, written: Expression) -> str:
        """The config's key that a dimension is written as, num_experts_per_tok; "" for a letter and for anything else."""
        if not isinstance(written, Dimension):
            return ""
        letter = self.formulas.letters[written]
        spelled = spelling(letter.latex)
        return letter.text if spelled is not None and spelled.style else ""

    def __call__(self, pieces: TextLine) -> float:
        """The width of a line: of its pieces side by side, with the spaces that their words have."""
        return sum([self.piece(piece) for piece in pieces])


def letter_size(drawing: Drawing) -> float:
    """The size of the smallest letters of a drawing as it is printed, in points; indices are smaller."""
    lines = [line for mark in drawing.marks for line in texts(mark)]
    least = min((line.scale * SIZES[piece.face] for line in lines for piece in line.pieces), default=SIZES[Face.NAME])
    return least * (drawing.printed.points / drawing.width if drawing.printed else 1.0)


def base_line(face: Face) -> float:
    """Return the distance of the base line from the top of its line, which puts the letters in the middle."""
    return PITCHES[face] / 2 + 0.35 * SIZES[face]

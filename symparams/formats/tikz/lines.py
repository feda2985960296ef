r"""Lines: the text of a drawing as TeX sets it, words escaped, formulas in its own mathematics.

Commands of the picture's own, such as ``\drawnname``, choose size and weight; no package is needed for any of it.
"""

from __future__ import annotations

import re

from symparams.drawings.marks import Anchor, Drawing, Face, Text, TextPiece, unslotted
from symparams.drawings.theme import theme
from symparams.errors import printable
from symparams.expressions.nodes import GREEK, Expression, Named
from symparams.expressions.notation import COUNT
from symparams.expressions.printing.latex import LatexPrinter, escape
from symparams.expressions.printing.text import TextPrinter
from symparams.formats.svg.lines import printed_by
from symparams.formats.svg.paths import number

PLAIN = 7.0  # the size of the picture, which needs no command
WORDS = re.compile(r"\\text(\{(?:[^{}]|\\[{}])*\})")
# What the fonts of words lack, and mathematics has.
GREEK_LETTERS = {letter: rf"$\{name}$" for letter, name in GREEK.items() if len(letter) == 1}
SIGNS = str.maketrans(
    {
        **{raised: f"$^{digit}$" for digit, raised in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
        "≈": r"$\approx$",
        "→": r"$\to$",
        "·": r"$\cdot$",
        "−": "$-$",
        "±": r"$\pm$",
        "√": r"$\surd$",
        "÷": r"$\div$",
        "…": r"\dots{}",
        "⊗": r"$\otimes$",
        "⊕": r"$\oplus$",
    }
    | GREEK_LETTERS
)
IN_COMMENTS = str.maketrans({"→": "->", "−": "-", "±": "+-", "÷": "/", "√": "root "})
SPACES = re.compile(r"^ +| +$| (?= )")
ANCHORS = {Anchor.MIDDLE: "", Anchor.START: ", anchor=base west", Anchor.END: ", anchor=base east"}


class DrawnPrinter(LatexPrinter):
    """Formulas in which words stand in a box of their own."""

    def quantity(self, quantity: Named) -> str:
        label = self.named(quantity)
        return rf"{self.counted(quantity)}_{{\hbox{{\drawnindex {words(label)}}}}}" if label else COUNT

    def words(self, words_: str) -> str:
        return rf"\hbox{{{words(words_)}}}"


class TikzLines:
    """Sets the texts of a drawing."""

    def __init__(self, drawing: Drawing) -> None:
        self.formula, self.text = printed_by(DrawnPrinter, drawing), printed_by(TextPrinter, drawing)

    def line(self, text: Text) -> str:
        """A line of text as a node at its place."""
        is_soft = all(theme().faces[piece.face].soft for piece in text.pieces)
        soft = ", text=soft" if is_soft else ", text=marked" if text.is_marked else ""
        scale = f", scale={text.scale:.3f}" if text.scale != 1 else ""
        content = "".join(self.piece(piece) for piece in unslotted(text.pieces))
        return rf"\node[line{ANCHORS[text.anchor]}{scale}{soft}] at {point(text.x, text.y)} {{{content}}};"

    def piece(self, piece: TextPiece) -> str:
        """Words in their face, or a formula; numbers outside a formula are set as the words beside them."""
        if not isinstance(piece.value, Expression):
            word = words(piece.value)
            return faced(upright(word) if piece.is_word else word, piece.face)
        if piece.face is not Face.FORMULA and not piece.value.dimensions:
            return faced(words(self.text(piece.value)), piece.face)
        return f"${without_amsmath(self.formula(piece.value))}$"


def without_amsmath(formula: str) -> str:
    r"""A formula whose words are letters of mathematics, of the picture's font: \text would need a package."""
    return WORDS.sub(lambda match: r"\mathsf" + match[1].replace(" ", r"\ "), formula)


def faced(text: str, face: Face) -> str:
    """Words with the command of their face, where they are not as the picture sets all others."""
    lettering = theme().faces[face]
    return rf"{{\drawn{face} {text}}}" if lettering.bold or lettering.tex != PLAIN else text


def upright(text: str) -> str:
    """A word of a key as mathematics sets the whole key."""
    return rf"{{\rmfamily {text}}}"


def words(text: str) -> str:
    """Text from outside as TeX prints it; spaces at its ends are kept."""
    return SPACES.sub(lambda match: r"\ " * len(match[0]), escape(printable(text)).translate(SIGNS))


def comment(text: str) -> str:
    """Text from outside as a comment, which ends with its line."""
    return f"% {printable(text).translate(IN_COMMENTS)}"


def point(x: float, y: float) -> str:
    """A place."""
    return f"({number(x)},{number(y)})"

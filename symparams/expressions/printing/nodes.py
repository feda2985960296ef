"""Nodes that only a sheet has: a signed difference, a strong result, a count as people say it."""

from __future__ import annotations

from fractions import Fraction
from unicodedata import east_asian_width

from symparams.expressions.nodes import Expression
from symparams.records import frozen


@frozen
class Signed(Expression):
    """A difference: it begins with its sign, a plus too."""

    inner: Expression


@frozen
class Strong(Expression):
    """A result that is carried on."""

    inner: Expression


@frozen
class Scaled(Expression):
    """A count in the words of a language: so many digits of ``value``, then the word for its power of ten, if any."""

    value: Fraction
    decimals: int
    word: str


@frozen
class Words(Expression):
    """Words in the place of a formula: 31.02%."""

    text: str


@frozen
class Blank(Expression):
    """A blank to fill in: an answer line in the place of ``inner``; ``number`` is the blank's own, 3a."""

    inner: Expression
    number: str


@frozen
class Answer(Expression):
    """The answer to a blank in the key: in a box, and in colour."""

    inner: Expression
    number: str


@frozen
class Rule(Expression):
    """A rule to write on, of a width in the metric's unit."""

    width: float
    number: str = ""


@frozen
class Measured(Expression):
    """A number with its unit behind it: 131,072 bytes."""

    inner: Expression
    unit: str


@frozen
class Remark(Expression):
    """A formula with words behind it, in parentheses."""

    inner: Expression
    words: str

    @property
    def bracketed(self) -> str:
        """The words with their parentheses and the space before them; around Chinese words they are wide and need none."""
        return f"（{self.words}）" if east_asian_width(self.words[0]) == "W" else f" ({self.words})"

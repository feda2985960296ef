"""Values: what sentences and cells are, before any language: keys, names, formulas, numbers as people say them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from typing import Any, Union

from symparams.expressions.nodes import Decimal, Expression
from symparams.expressions.printing.nodes import Scaled
from symparams.expressions.printing.printer import rounded_half_up
from symparams.expressions.written import half_up, number
from symparams.records import frozen


@frozen
class Sentence:
    """A sentence of the catalogues by its key, with what stands for its placeholders."""

    key: str
    terms: Mapping[str, Value] = field(default_factory=dict)


@frozen
class Name:
    """The name of a step or a component, by its key; ``qualifier`` is the key of what tells it from another."""

    key: str
    qualifier: str = ""


@frozen
class Prose:
    """Words that come from outside: the name of a model, of a class."""

    text: str


class ProperName(str):
    """The name of a model, which no catalogue has, that tells its count from others."""

    __slots__ = ()


@frozen
class Code:
    """A name as a program spells it: a key of a config, a shape."""

    text: str


@frozen
class Percentage:
    """A part of the whole, with so many decimals."""

    part: Fraction
    decimals: int


@frozen
class Capital:
    """A value that begins a heading, a paragraph or a cell."""

    value: Value


@frozen
class Listed:
    """Values one after another; ``mark`` is the key of what the language puts between them."""

    values: tuple[Value, ...]
    mark: str = "explain.joint"


@frozen
class Phrase:
    """Words of a record's own, which stand in it in each language, with the values between them."""

    parts: tuple[Union[str, Value], ...]


@frozen
class Branch:
    """A line of a tree: for it and each of its ancestors whether it is the last of its siblings; its name, its copies."""

    lasts: tuple[bool, ...]
    name: str
    copies: Expression | None = None


# An int is set as a number, a Fraction as a percentage, None as nothing.
Value = Union[Expression, Sentence, Name, Prose, Code, Capital, Percentage, Listed, Phrase, Branch, int, Fraction, None]


def enumerated(values: Sequence[Value]) -> Listed:
    """Return values as a sentence lists them: a, b and c."""
    *first, last = values
    head: Value = Listed(tuple(first), "signs.list") if len(first) > 1 else first[0] if first else None
    return Listed((head, last) if first else (last,), "signs.and")


def amount(value: int | Fraction | None) -> Value:
    """Return a number for a cell; half a byte is a decimal, since a bare Fraction would be a percentage."""
    return Decimal(value) if isinstance(value, Fraction) else value


SIGNIFICANT = 3
FINER = 4  # digits of counts that are told apart
PERCENT = 2  # decimals
Words = Sequence[Mapping[str, Any]]  # for powers of ten or of two, the largest first: {power = 9, word = " billion"}
BINARY: Words = [{"power": 10 * i, "word": f" {prefix}iB"} for i, prefix in ((4, "T"), (3, "G"), (2, "M"), (1, "K"))]


def rounded(value: int | Fraction, words: Words, digits: int = SIGNIFICANT, base: int = 10) -> tuple[Scaled, bool] | None:
    """Return a number as people say it, and whether that is all of it; None below the smallest unit.

    It is rounded to so many digits, none before the point lost, and then has its unit: 999,885,952 is 1.00 billion, 10.0 亿.
    """
    units = [(base ** word["power"], str(word["word"])) for word in words]
    place = next((place for place, (unit, _) in enumerate(units) if value >= unit), None)
    if place is None:
        return None
    unit, _ = units[place]
    if place and _nearest(Fraction(value) / unit, digits) * unit >= units[place - 1][0]:
        place -= 1
    unit, word = units[place]
    exact = Fraction(value) / unit
    return Scaled(exact, decimals(exact, digits), word), exact == _nearest(exact, digits)


def decimals(value: Fraction, digits: int) -> int:
    """Return how many digits stand after the point where a number is rounded to so many: 2 of 9.99 and 1 of 9.999, of 3."""
    places = max(0, digits - len(str(int(value))))
    return places - 1 if places and _half_up(value, places) >= 10 ** (digits - places) else places


def _nearest(value: Fraction, digits: int) -> Fraction:
    return _half_up(value, decimals(value, digits))


def _half_up(value: Fraction, places: int) -> Fraction:
    return Fraction(half_up(value, places), 10**places)


def short(value: int | Fraction, words: Words, digits: int = SIGNIFICANT) -> Expression:
    """Return a number as people say it, and a small one as it is."""
    scaled = rounded(value, words, digits)
    return scaled[0] if scaled else number(value)


def share(part: Fraction, pattern: str, decimals: int) -> str:
    """A part of the whole as it stands in a table: 7.3%; what rounds to nothing is <0.1%."""
    return percent(part, pattern, decimals).replace("< ", "<")


def percent(part: Fraction, pattern: str, decimals: int = PERCENT) -> str:
    """A part of the whole with two decimals, halves away from zero: 7.25%; what rounds to nothing is < 0.01%."""
    least = Fraction(1, 10**decimals)
    if 0 < part * 100 < least / 2:
        return "< " + pattern.format(number=rounded_half_up(least, decimals))
    return pattern.format(number=rounded_half_up(part * 100, decimals))

"""Values: what the sentences and the cells of a document are, before any language: keys, names, formulas, numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Union

from symparams.expressions.marks import Decimal
from symparams.expressions.nodes import Expression


@dataclass(frozen=True)
class Sentence:
    """A sentence of the catalogues by its key, with what stands for its placeholders."""

    key: str
    terms: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class Name:
    """The name of a step or a component, by its key; ``qualifier`` is the key of what tells it from another."""

    key: str
    qualifier: str = ""


@dataclass(frozen=True)
class Prose:
    """Words that come from outside: the name of a model, of a class."""

    text: str


class ProperName(str):
    """The name of a model, which no catalogue has, that tells its count from others."""

    __slots__ = ()


@dataclass(frozen=True)
class Code:
    """A name as a program spells it: a key of a config, a shape."""

    text: str


@dataclass(frozen=True)
class Percentage:
    """A part of the whole, with so many decimals."""

    part: Fraction
    decimals: int


@dataclass(frozen=True)
class Capital:
    """A value that begins a heading, a paragraph or a cell."""

    value: Value


@dataclass(frozen=True)
class Listed:
    """Values one after another; ``mark`` is the key of what the language puts between them."""

    values: tuple[Value, ...]
    mark: str = "explain.joint"


@dataclass(frozen=True)
class Phrase:
    """Words of a record's own, which stand in it in each language, with the values between them."""

    parts: tuple[Union[str, Value], ...]


@dataclass(frozen=True)
class Branch:
    """A line of a tree: for it and each of its ancestors whether it is the last of its siblings; its name, its copies."""

    lasts: tuple[bool, ...]
    name: str
    copies: Expression | None = None


# An int is set as a number, a Fraction as a percentage, None as nothing.
Value = Union[Expression, Sentence, Name, Prose, Code, Capital, Percentage, Listed, Phrase, Branch, int, Fraction, None]


def amount(value: int | Fraction | None) -> Value:
    """Return a number for a cell; half a byte is a decimal, since a bare Fraction would be a percentage."""
    return Decimal(value) if isinstance(value, Fraction) else value

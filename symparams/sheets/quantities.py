"""What a sheet calls a quantity: its title, its unit and the words for large numbers; one of a user's own by its own name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from symparams.expressions.nodes import Expression
from symparams.expressions.printing.nodes import Measured, Strong
from symparams.models.calculation import Calculation
from symparams.quantities.quantity import BYTES, LETTERS, Quantity
from symparams.sheets.catalogue import Catalogue
from symparams.sheets.document import Block, Equation, Link
from symparams.sheets.values import BINARY, Prose, Sentence, Value, Words, rounded


def sentence_of(quantity: Quantity, name: str, words: Catalogue, terms: Mapping[str, Value] | None = None) -> Sentence:
    """Return a sentence in the quantity's own words, or in those for a quantity of any name, which may say its name."""
    key = f"costs.{quantity.name}.{name}"
    if key in words.entries and not quantity.is_own:
        return Sentence(key, terms or {})
    return Sentence(f"costs.own.{name}", {"quantity": _name(quantity), **(terms or {})})


def meaning_of(quantity: Quantity, words: Catalogue, calculation: Calculation | None = None) -> list[Sentence]:
    """Return the sentence that says what it is; none for what everybody knows, and for one of a user's own.

    There may be one for just the kinds of terms that a model has.
    """
    kinds = "_and_".join(sorted({term.kind for term in calculation.terms} if calculation else ()))
    key = f"costs.{quantity.name}.what_of.{kinds}"
    key = key if key in words.entries else f"costs.{quantity.name}.what"
    return [Sentence(key)] if key in words.entries and not quantity.is_own else []


def noun_of(quantity: Quantity) -> Value:
    """Return what it is called within a sentence: the KV cache."""
    return _name(quantity) if quantity.is_own else Sentence(f"costs.{quantity.name}.noun")


def column_of(quantity: Quantity) -> Value:
    """Return the heading of a column of its numbers: Bytes."""
    return Sentence(f"units.{quantity.unit}.column") if quantity.unit in LETTERS else Prose(quantity.unit)


def unit_of(quantity: Quantity, words: Catalogue) -> str:
    """Return what stands after its numbers: bytes; nothing after a number of parameters."""
    return str(words.entry(f"units.{quantity.unit}.name")) if quantity.unit in LETTERS else quantity.unit


def rounding_of(quantity: Quantity, words: Catalogue, *, is_short: bool = False) -> Words:
    """Return the words for its large numbers, the largest first: GB, million; in letters where that ``is_short``."""
    entries: Words | None = words.entries.get(f"units.{quantity.unit}.rounding")
    return entries or (words.short_rounding if is_short else words.rounding)


def in_unit(value: Expression, quantity: Quantity, words: Catalogue) -> Expression:
    """A number with what it counts; parameters are counted without a word."""
    unit = unit_of(quantity, words)
    return Measured(value, unit) if unit else value


def rounded_links(value: int | Fraction, quantity: Quantity, words: Catalogue, *, is_short: bool = False) -> list[Link]:
    """A number as people say it: in the largest unit, of bytes by powers of ten and of two; none for a small one."""
    scaled = rounded(value, rounding_of(quantity, words, is_short=is_short))
    links = [Link(scaled[0], relation="=" if scaled[1] else "≈")] if scaled else []
    return links + (_binary(value) if quantity.unit == BYTES else [])


def _binary(value: int | Fraction) -> list[Link]:
    """Bytes by powers of two; so many of them exactly have no decimals."""
    scaling = rounded(value, BINARY, base=2)
    if scaling is None:
        return []
    scaled, is_exact = scaling
    is_whole = scaled.value.denominator == 1
    return [Link(replace(scaled, decimals=0) if is_whole else scaled, relation="=" if is_exact else "≈")]


def measured(block: Block, quantity: Quantity, words: Catalogue) -> Block:
    """An equation that closes a block, with the unit of the quantity; what is worked out within the block goes without."""
    if not isinstance(block, Equation) or not block.chain:
        return block
    last = block.chain[-1]
    if not isinstance(last.content, Strong):
        return block
    return replace(block, chain=[*block.chain[:-1], replace(last, content=in_unit(last.content, quantity, words))])


def _name(quantity: Quantity) -> Prose:
    return Prose(quantity.name.replace("_", " "))

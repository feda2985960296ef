"""What a sheet calls a quantity: its title, its unit and the words for large numbers; one of a user's own by its own name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from symparams.quantities.quantity import LETTERS, NUMBERS, Quantity
from symparams.sheets.catalogue import Catalogue
from symparams.sheets.values import Prose, Sentence, Value


def title_of(quantity: Quantity, model: Value) -> Sentence:
    """Return the title of its sheet: How large is the KV cache of gpt2?"""
    if quantity.is_own:
        return Sentence("costs.own.title", {"quantity": _name(quantity), "model": model})
    return Sentence(f"costs.{quantity.name}.title", {"model": model})


def comparison_title_of(quantity: Quantity, models: Value) -> Sentence:
    """Return the title of its comparison."""
    if quantity.is_own:
        return Sentence("costs.own.compare", {"quantity": _name(quantity), "models": models})
    return Sentence(f"costs.{quantity.name}.compare", {"models": models})


def meaning_of(quantity: Quantity, words: Catalogue) -> list[Sentence]:
    """Return the sentence that says what it is; none for what everybody knows, and for one of a user's own."""
    key = f"costs.{quantity.name}.what"
    return [Sentence(key)] if key in words.entries and not quantity.is_own else []


def sentence_of(quantity: Quantity, name: str, words: Catalogue, terms: Mapping[str, Value] | None = None) -> Sentence:
    """Return a sentence in the quantity's own words, or in those for a quantity of any name."""
    key = f"costs.{quantity.name}.{name}"
    return Sentence(key if key in words.entries and not quantity.is_own else f"costs.own.{name}", terms or {})


def noun_of(quantity: Quantity) -> Value:
    """Return what it is called within a sentence: the KV cache."""
    return _name(quantity) if quantity.is_own else Sentence(f"costs.{quantity.name}.noun")


def column_of(quantity: Quantity) -> Value:
    """Return the heading of a column of its numbers: Bytes."""
    return Sentence(f"units.{quantity.unit}.column") if quantity.unit in LETTERS else Prose(quantity.unit)


def unit_of(quantity: Quantity, words: Catalogue) -> str:
    """Return what stands after its numbers: bytes; nothing after a number of parameters."""
    return str(words.entry(f"units.{quantity.unit}.name")) if quantity.unit in LETTERS else quantity.unit


def rounding_of(quantity: Quantity, words: Catalogue) -> Sequence[Mapping[str, Any]]:
    """Return the words for its large numbers, the largest first: GB, million."""
    unit = quantity.unit if quantity.unit in LETTERS else NUMBERS
    entries: Sequence[Mapping[str, Any]] = words.entry(f"units.{unit}.rounding")
    return entries


def _name(quantity: Quantity) -> Prose:
    return Prose(quantity.name.replace("_", " "))

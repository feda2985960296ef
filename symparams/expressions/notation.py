"""Notations: the letters that a field or a paper uses for the dimensions; ``hidden`` (V, h, L) is the default."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from symparams.errors import OptionError, UnknownNameError, quoted, suggestion
from symparams.expressions.symbols import BY_KEY, BY_NAME, DIMENSIONS, L, V, h, max_pos, n_heads
from symparams.expressions.written import Dimension


@dataclass(frozen=True)
class Letter:
    """How a dimension is written: in text, and in LaTeX."""

    text: str
    latex: str


def indexed(base: str, index: str) -> Letter:
    """A letter with a word as its index: d_model."""
    return Letter(f"{base}_{index}", rf"{base}_{{\text{{{index}}}}}")


def word(name: str) -> Letter:
    """A whole word, upright: hidden_size."""
    escaped = name.replace("_", r"\_")
    return Letter(name, rf"\mathrm{{{escaped}}}")


HF = "hf"
COUNT = "N"
LETTER = re.compile(r"(?:(?P<letter>[A-Za-z])_(?P<index>[A-Za-z0-9]{1,20}))|[A-Za-z][A-Za-z0-9_]{0,40}")
OWN = {dimension: Letter(dimension.name, dimension.latex) for dimension in DIMENSIONS}
NOTATIONS: Mapping[str, Mapping[Dimension, Letter]] = MappingProxyType(
    {
        "hidden": OWN,
        "bert": OWN | {h: Letter("H", "H"), n_heads: Letter("A", "A")},
        "gpt3": OWN
        | {
            L: indexed("n", "layers"),
            V: indexed("n", "vocab"),
            max_pos: indexed("n", "ctx"),
            h: indexed("d", "model"),
        },
        "megatron": OWN | {L: Letter("l", "l"), V: Letter("v", "v"), max_pos: Letter("s", "s"), n_heads: Letter("a", "a")},
        HF: OWN | {dimension: word(dimension.config_keys[0]) for dimension in DIMENSIONS if dimension.config_keys},
    }
)


def letters(
    name: str, own: Mapping[str, str], dimensions: Sequence[Dimension], keys: Mapping[Dimension, str]
) -> Mapping[Dimension, Letter]:
    """The letters of a notation with one's ``own`` put over them, for a sheet that uses these dimensions.

    ``keys`` are the config keys that a family has in place of the usual ones: GPT-2's n_embd in the notation hf. Raises
    UnknownNameError, and OptionError where a letter is none or two dimensions would share one.
    """
    if name not in NOTATIONS:
        raise UnknownNameError(f"Unknown notation {quoted(name)}. {suggestion(name, NOTATIONS)}")
    chosen = dict(NOTATIONS[name])
    if name == HF:
        chosen |= {dimension: word(key) for dimension, key in keys.items() if key}
    renamed: set[Dimension] = set()
    for dimension_name, letter in own.items():
        dimension = BY_KEY.get(dimension_name)
        if dimension is None:
            raise UnknownNameError(f"No dimension {quoted(dimension_name)} to rename. {suggestion(dimension_name, BY_NAME)}")
        if dimension in renamed:
            raise OptionError(f"{dimension.name} is given twice, once as {quoted(dimension_name)}: give it once.")
        renamed.add(dimension)
        chosen[dimension] = read_letter(letter)
    _refuse_clashes(chosen, dimensions)
    return chosen


def read_letter(text: str) -> Letter:
    """A letter as a user writes it: d, d_model, hidden_size."""
    match = LETTER.fullmatch(text)
    if match is None:
        raise OptionError(f"{quoted(text)} is not a symbol: write a letter, a letter with an index (d_model) or a word.")
    if len(text) == 1:
        return Letter(text, text)
    return indexed(match["letter"], match["index"]) if match["letter"] else word(text)


def _refuse_clashes(chosen: Mapping[Dimension, Letter], dimensions: Sequence[Dimension]) -> None:
    taken: dict[str, str] = {COUNT: "the number of parameters"}
    for dimension in dimensions:
        text = chosen[dimension].text
        if text in taken:
            raise OptionError(f"The symbol {quoted(text)} would stand for {taken[text]} and for {dimension.name}: rename one.")
        taken[text] = dimension.name

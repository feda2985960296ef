"""Notations: the letters that a field or a paper uses for the dimensions; ``hidden`` (V, h, L) is the default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from symparams.errors import UnknownNameError, quoted, suggestion
from symparams.symbols import DIMENSIONS, L, V, h, max_pos, n_heads
from symparams.written import Dimension


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
        "hf": OWN | {dimension: word(dimension.config_keys[0]) for dimension in DIMENSIONS if dimension.config_keys},
    }
)


def notation(name: str) -> Mapping[Dimension, Letter]:
    """The letters of a notation by its name; UnknownNameError suggests the nearest."""
    if name not in NOTATIONS:
        raise UnknownNameError(f"Unknown notation {quoted(name)}. {suggestion(name, NOTATIONS)}")
    return NOTATIONS[name]

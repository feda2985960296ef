"""Variations: a model of the same family in sizes that nobody published, so that no answer of a worksheet can be looked up.

Widths and heads grow or shrink together, so that h = n_heads·d_head stays and d_ff has its usual form; stacks by one ratio, so
that their sums stay; vocabularies and positions are among the usual ones. What cannot be of a family is drawn anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache

from symparams.architectures import Architecture, architecture, architecture_names
from symparams.errors import OptionError, SymparamsError
from symparams.expressions.nodes import Dimension
from symparams.models.load import complete
from symparams.models.model import Model
from symparams.models.sources import member
from symparams.practice.chance import ordered

OF_A_PART = r"(_text|_vision|_enc|_dec)?"
WIDTHS = re.compile(rf"(h|d_ff|d_expert|d_shared|d_emb|d_proj|d_pool|d_classifier|d_features|r_q|r_kv|d_inner){OF_A_PART}")
HEADS = re.compile(rf"(n_heads|n_ssm_heads){OF_A_PART}")
GROUPS = re.compile(rf"n_kv_heads{OF_A_PART}")
LAYERS = re.compile(r"L(_.*)?")
VOCABULARY = re.compile(r"V(_dec)?")
POSITIONS, EXPERTS = re.compile("max_pos"), re.compile("n_experts")

RATIOS = tuple(Fraction(*pair) for pair in ((1, 2), (2, 3), (3, 4), (5, 6), (7, 6), (5, 4), (4, 3), (3, 2), (5, 3), (2, 1)))
DOUBLED = (Fraction(1), Fraction(1, 2), Fraction(2))
VOCABULARIES = (
    30_000, 32_000, 32_768, 40_000, 48_000, 50_304, 51_200, 64_000, 65_024, 65_536, 96_000, 100_352, 128_000, 152_064,
)  # fmt: skip
STEP = 8  # of which a width is a multiple
MOST = 400  # draws, after which a family has no other sizes


def varied(model: Model, seed: int) -> Model:
    """A model of the family in other sizes, drawn by the seed; of a family without sizes those of its first model are varied.

    Raises OptionError where there is nothing to vary: no sizes, or none that could be others.
    """
    start = model if model.values else _first(model)
    free = {dimension: value for dimension, value in start.values.items() if dimension not in start.relations}
    taken = _counts()
    for sizes in _draws(free, seed, start.name):
        try:
            other = complete(replace(start, values={}), sizes)
            count = other.count()
        except SymparamsError:  # heads that do not divide, more experts for a token than there are
            continue
        if count not in taken and other.relations.keys() == start.relations.keys():
            return other
    raise OptionError(f"{model.name} has no other sizes that it could have: leave out --vary.")


def _first(model: Model) -> Model:
    """The first published model of a family, with the features that were chosen."""
    first = next(iter(model.architecture.models.items()), None)
    if first is None:
        raise OptionError(f"{model.name} has no sizes to vary: give them values with --set, or name a published model.")
    return replace(member(first[0], model.architecture, first[1]), present=model.present)


def _draws(free: Mapping[Dimension, int], seed: int, model: str) -> Iterator[dict[Dimension, int]]:
    """Sizes, one way after another: a ratio of widths, one of layers, a vocabulary, how many positions and experts."""
    for often in range(MOST):
        of = {name: ordered(choices, seed, model, often, name)[0] for name, choices in CHOICES.items()}
        sizes = {dimension: _drawn(dimension, value, of) for dimension, value in free.items()}
        if all(size is not None for size in sizes.values()):
            yield {dimension: size for dimension, size in sizes.items() if size is not None}


CHOICES: Mapping[str, tuple[Fraction | int, ...]] = {
    "widths": RATIOS,
    "layers": RATIOS,
    "vocabulary": VOCABULARIES,
    "positions": DOUBLED,
    "experts": DOUBLED,
}


def _drawn(dimension: Dimension, value: int, of: Mapping[str, Fraction | int]) -> int | None:
    """Another size of a dimension; None where the ratio leaves a fraction."""
    name = dimension.name
    if VOCABULARY.fullmatch(name):
        return int(of["vocabulary"])
    if GROUPS.fullmatch(name):
        return _times(value, of["widths"]) or value
    for pattern, choice, step in SCALED:
        if pattern.fullmatch(name):
            return _times(value, of[choice], step if value % step == 0 else 1)
    return value


SCALED = (
    (WIDTHS, "widths", STEP),
    (HEADS, "widths", 1),
    (LAYERS, "layers", 1),
    (POSITIONS, "positions", 1),
    (EXPERTS, "experts", 1),
)


def _times(value: int, ratio: Fraction | int, step: int = 1) -> int | None:
    product = value * ratio
    return int(product) if Fraction(product).denominator == 1 and product % step == 0 else None


@cache
def _counts() -> frozenset[int]:
    """The count of every published model, official or ours."""
    return frozenset(count for name in architecture_names() for count in _of(architecture(name)))


def _of(family: Architecture) -> Iterator[int]:
    for name, published in family.models.items():
        if published.count is not None:
            yield published.count
        yield complete(member(name, family, published), {}).count()

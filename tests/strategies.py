"""Random models and random written expressions, small enough to enumerate."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import reject
from hypothesis import strategies as st

from symparams import architectures, load, published_models
from symparams.architectures import architecture
from symparams.errors import DimensionError, OptionError
from symparams.expressions.nodes import (
    Ceiling,
    Dimension,
    Expression,
    Floor,
    Labelled,
    Minimum,
    Named,
    Negative,
    Number,
    Power,
    Product,
    Quotient,
    Size,
    Sum,
)
from symparams.expressions.symbols import DIMENSIONS
from symparams.models.model import Model


@st.composite
def features(draw: st.DrawFn, family: str) -> dict[str, list[str]]:
    """Every feature of the family switched on or off."""
    names = [*architecture(family).features, *architecture(family).switches]
    chosen = draw(st.sets(st.sampled_from(names))) if names else set()
    return {"include": sorted(chosen), "exclude": sorted(set(names) - chosen)}


@st.composite
def dimensions(draw: st.DrawFn, family: str, most: int = 6) -> dict[str, int]:
    """Values for the dimensions of a family: relations kept or overridden, identities kept, heads that divide the width."""
    known = architecture(family)
    n_kv_heads = draw(st.integers(1, 2))
    n_heads = n_kv_heads * draw(st.integers(1, 2))
    chosen = {"n_kv_heads": n_kv_heads, "n_heads": n_heads, "h": n_heads * draw(st.integers(1, most // 2))}
    values: dict[str, int] = {}
    for dimension in known.dimensions:
        is_free = dimension not in known.identities and (dimension not in known.relations or draw(st.booleans()))
        if is_free:
            values[dimension.name] = chosen.get(dimension.name) or draw(st.integers(1, most))
    return values


@st.composite
def models(draw: st.DrawFn, *, bound: bool = True, most: int = 6) -> Model:
    """A model of any family with any features, and with values, at ``most`` so large, for all of its dimensions or none."""
    family = draw(st.sampled_from([name for name in architectures() if name not in published_models()]))
    chosen = draw(features(family))
    try:
        return load(family, **chosen, **(draw(dimensions(family, most)) if bound else {}))
    except (DimensionError, OptionError):  # sizes that do not divide, or no part left
        reject()


def expressions(
    letters: Sequence[Dimension] = DIMENSIONS, *, names: bool = False, divided: bool = False, rounded: bool = False
) -> st.SearchStrategy[Expression]:
    """Written expressions: with labels and quantities, which the grammar has not, with divisions, with what is rounded."""
    numbers = st.one_of(st.integers(0, 99), st.just(10**40), st.just(10**40 + 1)) if divided else st.integers(0, 99)
    leaves = st.one_of(numbers.map(Number), st.sampled_from(letters))
    products = st.lists(st.sampled_from(letters), min_size=2, max_size=2).map(lambda pair: Product(tuple(pair)))
    divisors = st.one_of(st.integers(1, 9).map(Number), st.sampled_from(letters), products)

    def grow(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
        several = st.lists(inner, min_size=2, max_size=3).map(tuple)
        kinds = [several.map(Sum), several.map(Product), st.builds(Power, inner, st.integers(0, 3)), inner.map(Negative)]
        if names:
            kinds += [inner.map(Size), st.builds(Labelled, inner, st.just("up")), st.builds(Named, st.just("up"), inner)]
        if divided:
            kinds.append(st.builds(Quotient, inner, divisors))
        if rounded:
            kinds += [inner.map(Floor), inner.map(Ceiling), several.map(Minimum)]
        return st.one_of(kinds)

    return st.recursive(leaves, grow, max_leaves=8)


def values() -> st.SearchStrategy[dict[Dimension, int]]:
    """A value for every dimension."""
    return st.fixed_dictionaries({dimension: st.integers(1, 10**6) for dimension in DIMENSIONS})

"""Random models and random written expressions, small enough to enumerate."""

from __future__ import annotations

from hypothesis import strategies as st

from symparams import architectures, load
from symparams.architectures import architecture
from symparams.models import Model
from symparams.symbols import BY_NAME, DIMENSIONS
from symparams.written import Dimension, Expression, Labelled, Negative, Number, Power, Product, Quantity, Size, Sum

SMALL = {"L": 3, "V": 40, "max_pos": 12, "n_types": 3}


@st.composite
def features(draw: st.DrawFn, family: str) -> dict[str, list[str]]:
    """Every feature of the family switched on or off."""
    names = list(architecture(family).features)
    chosen = draw(st.sets(st.sampled_from(names)))
    if family == "transformer" and not chosen & {"encoder", "decoder"}:
        chosen.add("encoder")  # without its stacks there is nothing to count
    return {"include": sorted(chosen), "exclude": sorted(set(names) - chosen)}


@st.composite
def dimensions(draw: st.DrawFn, family: str) -> dict[str, int]:
    """Values for the dimensions of a family, its relations kept or overridden, h a multiple of n_heads."""
    n_heads, d_head = draw(st.integers(1, 4)), draw(st.integers(1, 5))
    values = {"h": n_heads * d_head, "n_heads": n_heads}
    names = {dimension.name for dimension in architecture(family).dimensions}
    for name in names & SMALL.keys():
        values[name] = draw(st.integers(1, SMALL[name]))
    if "d_ff" not in {d.name for d in architecture(family).relations} or draw(st.booleans()):
        values["d_ff"] = draw(st.integers(1, 50))
    if "n_kv_heads" in names and draw(st.booleans()):
        values["n_kv_heads"] = draw(st.sampled_from([number for number in range(1, n_heads + 1) if n_heads % number == 0]))
    if BY_NAME["d_head"] in architecture(family).relations and draw(st.booleans()):
        values["d_head"] = draw(st.integers(1, 6))
    return values


@st.composite
def models(draw: st.DrawFn, *, bound: bool = True) -> Model:
    """A model of any family with any features, and with values for all of its dimensions or none."""
    family = draw(st.sampled_from([name for name in architectures() if name != "gpt2"]))
    chosen = draw(features(family))
    return load(family, **chosen, **(draw(dimensions(family)) if bound else {}))


def expressions(*, names: bool = False) -> st.SearchStrategy[Expression]:
    """Written expressions over the dimensions; with ``names`` also labels and quantities, which the grammar has not."""
    leaves = st.one_of(st.integers(0, 99).map(Number), st.sampled_from(DIMENSIONS))

    def grow(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
        several = st.lists(inner, min_size=2, max_size=3).map(tuple)
        kinds = [several.map(Sum), several.map(Product), st.builds(Power, inner, st.integers(0, 3)), inner.map(Negative)]
        if names:
            kinds += [inner.map(Size), st.builds(Labelled, inner, st.just("up")), st.builds(Quantity, st.just("up"), inner)]
        return st.one_of(kinds)

    return st.recursive(leaves, grow, max_leaves=8)


def values() -> st.SearchStrategy[dict[Dimension, int]]:
    """A value for every dimension."""
    return st.fixed_dictionaries({dimension: st.integers(1, 10**6) for dimension in DIMENSIONS})

"""What a tree says of its data's flow is what feeding data through it gives."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from itertools import count

from hypothesis import given, settings
from hypothesis import strategies as st

from symparams import Component, attention, block, feed_forward, linear, parallel, post_norm, pre_norm, residual, rms_norm
from symparams.components.flow import equations, formulas, is_layer
from symparams.components.kinds import Role
from symparams.components.norms import (
    NormPlace,
    layer_scale,
    norm_place,
    normed_after,
    sandwiched,
    scaled_pre_norm,
    side_by_side,
)
from symparams.expressions.symbols import d_ff, h, n_heads

Function = Callable[[Fraction], Fraction]


@st.composite
def flows(draw: st.DrawFn) -> Component:
    """Random nestings of residual sums, branches and blocks, every named part another function."""
    names = (f"f{number}" for number in count())

    def grow(depth: int) -> Component:
        parts: dict[str, Component] = {}
        for _ in range(draw(st.integers(1, 3))):
            name = next(names)
            parts[name] = grow(depth - 1) if depth and draw(st.booleans()) else linear(2, 2)
        return draw(st.sampled_from([block, residual, parallel]))(**parts)

    return block(layer=grow(3), last=linear(2, 2))


def function(name: str) -> Function:
    """Some affine function, another for each name."""
    slope, shift = Fraction(hash(("slope", name)) % 1_009 + 2), Fraction(hash(("shift", name)) % 997 + 1, 7)
    return lambda x: slope * x + shift


def fed(component: Component, x: Fraction) -> Fraction:
    """Data passed through a tree; a part with a name is some function."""

    def through(name: str, part: Component, value: Fraction) -> Fraction:
        return function(name)(value) if name else fed(part, value)

    if component.role is Role.PARALLEL:
        return sum((through(name, part, x) for name, part in component.body), Fraction(0))
    value = x
    for name, part in component.body:
        value = through(name, part, value)
    return x + value if component.role is Role.RESIDUAL else value


@given(layer=flows(), x=st.fractions(-3, 3, max_denominator=5))
@settings(max_examples=100, deadline=None)
def test_equations_and_formulas_mean_what_data_passed_through_comes_to(layer, x):
    expected = fed(layer, x)
    known = {"x": x}
    for name, reads, *_ in equations(layer):
        taken = sum((known[read] for read in reads), Fraction(0))
        known[name] = taken if name == "out" else function(name)(taken)
    assert known["out"] == expected
    assert textbook(formulas(layer), x) == expected


def textbook(lines: list[str], x: Fraction) -> Fraction:
    """The lines that ``show`` prints, worked out one after another."""
    for line in lines:
        x = eval(line.removeprefix("x ← "), {"__builtins__": {}}, {**_named(line), "x": x})  # noqa: S307 - lines of this test
    return x


def _named(line: str) -> dict[str, Function]:
    return {name: function(name) for name in re.findall(r"[a-z]\w*(?=\()", line)}


def test_a_block_with_a_name_is_a_layer_whatever_the_name_is():
    assert is_layer(block("block", own=linear(2, 2)))
    assert is_layer(block("layer", own=linear(2, 2)))
    assert not is_layer(block(own=linear(2, 2)))


def test_where_the_norms_of_a_layer_stand():
    norm, parts = rms_norm(h), {"attention": attention(h, n_heads), "feed_forward": feed_forward(h, d_ff)}
    for flow, place in (
        (pre_norm(norm, **parts), NormPlace.BEFORE),
        (post_norm(norm, **parts), NormPlace.AFTER_SUM),
        (normed_after(norm, **parts), NormPlace.AFTER),
        (sandwiched(norm, **parts), NormPlace.AROUND),
        ((side_by_side(norm, **parts),), NormPlace.BEFORE),
        (scaled_pre_norm(norm, layer_scale(h), **parts), NormPlace.BEFORE),
        (
            (residual(attention=parts["attention"], attention_norm=norm), *pre_norm(norm, feed_forward=parts["feed_forward"])),
            None,
        ),
    ):
        layer = block("layer", *flow)
        match = norm_place(layer, [name for name, part in layer.children if part.role is Role.NORM])
        assert match == (None if place is None else (place, ("attention", "feed_forward")))

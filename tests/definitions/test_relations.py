"""Relations bind the same values in whatever order they are written, and go round in no circle."""

from __future__ import annotations

from fractions import Fraction
from math import floor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symparams import Architecture, Dimension, SymparamsError, derive, linear, load
from symparams.expressions.nodes import Expression
from symparams.expressions.written import Numbers, exact, fold

LETTERS = tuple(Dimension(f"a{number}") for number in range(6))


@st.composite
def systems(draw: st.DrawFn) -> dict[Dimension, Expression]:
    """Each letter but the first by those before it: a polynomial, a fraction, a fraction rounded down."""
    relations = {}
    for place, letter in enumerate(LETTERS[1:], 1):
        one, two = (draw(st.sampled_from(LETTERS[:place])) for _ in range(2))
        number = draw(st.integers(1, 4))
        forms = [number * one + two, one * two, number * one / 2, one * two / one, (one + number) // number, number * one / two,
                 Fraction(3, 2) * one, (one + two) / number]  # fmt: skip
        relations[letter] = draw(st.sampled_from(forms))
    return relations


def by_hand(relations: dict[Dimension, Expression], start: int) -> dict[Dimension, int] | None:
    """The values one after another; None where one is no positive whole number."""
    values = {LETTERS[0]: start}
    for letter in LETTERS[1:]:
        value = fold(relations[letter], Numbers(values))
        if value != floor(value) or value < 1:
            return None
        values[letter] = int(value)
    return values


@given(relations=systems(), start=st.integers(1, 12), data=st.data())
@settings(max_examples=60, deadline=None)
def test_relations_bind_the_same_values_in_any_order(relations, start, data):
    order = data.draw(st.permutations(list(relations)))
    family = Architecture(
        "tiny",
        **{f"p{letter.name}": linear(letter, 2, bias=False) for letter in LETTERS},
        relations={d: relations[d] for d in order},
    )
    expected = by_hand(relations, start)
    if expected is None:
        with pytest.raises(SymparamsError):
            load(family, a0=start)
        return
    model = load(family, a0=start)
    assert model.values == expected
    assert model.count() == 2 * sum(expected.values()) == derive(model).total.value
    assert exact(derive(model).total.closed, expected) == model.count()
    symbolic = model.symbolic()
    assert symbolic.polynomial() == model.polynomial() == derive(symbolic).total.polynomial


@given(data=st.data(), length=st.integers(1, 5))
@settings(max_examples=30, deadline=None)
def test_a_circle_is_refused_and_named(data, length):
    around = data.draw(st.permutations(LETTERS))[:length]
    relations = {letter: 2 * after for letter, after in zip(around, (*around[1:], around[0]), strict=True)}
    with pytest.raises(SymparamsError, match="circular") as error:
        Architecture("tiny", low=linear(LETTERS[0], LETTERS[1]), relations=relations)
    assert all(f"{letter.name} = 2*" in str(error.value) for letter in around)


@given(start=st.integers(2, 9), other=st.integers(1, 99))
@settings(max_examples=30, deadline=None)
def test_a_relation_that_a_value_breaks_stays_broken_without_values(start, other):
    a, b = LETTERS[:2]
    model = load(Architecture("tiny", low=linear(a, b, bias=False), relations={b: 4 * a}), a0=start, a1=other)
    is_kept = other == 4 * start
    assert str(model.closed_form()) == str(model.symbolic().closed_form()) == ("4*a0**2" if is_kept else "a0*a1")

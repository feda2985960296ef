"""Written expressions keep what a person wrote, and mean what sympy says they mean."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from symparams.expressions.nodes import Named, Negative, Number, Size
from symparams.expressions.printing.printer import plain
from symparams.expressions.symbols import L, V, d_ff, d_head, h, n_heads
from symparams.expressions.sympy_forms import to_sympy
from symparams.expressions.written import ONE, evaluate, substitute, tight, times
from tests.strategies import expressions, values


def test_order_and_grouping_are_kept():
    for expression, kept in (
        (3 * (h * h + h), "3*(h*h + h)"),  # not 3*h**2 + 3*h
        (2 * (h + 1), "2*(h + 1)"),  # not 2*h + 2
        ((h * d_ff + d_ff) + (d_ff * h + h), "h*d_ff + d_ff + (d_ff*h + h)"),  # the right-hand group stays a group
        (V * h + 2 * h + 512 * h + 2 * h, "V*h + 2*h + 512*h + 2*h"),  # like terms stay apart
        (L * (12 * h**2), "L*(12*h**2)"),
        (h - V - 2, "h - V - 2"),
        (h / n_heads, "h/n_heads"),
        (h * Size(3 * h) + Size(3 * h), "h*(3*h) + 3*h"),
        (times(ONE, 2 * h, L), "2*h*L"),  # no factor of 1, and no brackets
    ):
        assert plain(expression) == kept, expression
    assert tight(2 * (2 * h) + h) == Size(4 * h) + h  # side by side the two would read as another number


def test_substitution_keeps_the_shape_of_the_formula():
    for expression, substituted in (
        (3 * (h * h + h), "3*(768*768 + 768)"),
        (h * Size(3 * h), "768*2304"),  # one side of a matrix is one number
        (V * h, "V*768"),  # what has no value stays a symbol
        (L * Named("encoder_layer", h * h), "12*589824"),  # a result derived before is its number
    ):
        assert plain(substitute(expression, {h: 768, L: 12})) == substituted, expression
    assert substitute(Size(L - h), {h: 768, L: 12}) == Negative(Number(756))  # printed with a minus, not a hyphen


def test_a_quotient_is_exact_or_an_error():
    assert evaluate(h / n_heads * d_head, {h: 10, n_heads: 4, d_head: 2}) == 5
    with pytest.raises(ArithmeticError, match="5/2 is not an integer"):
        evaluate(h / n_heads, {h: 10, n_heads: 4})


@settings(max_examples=50)
@given(expressions(names=True), values())
def test_evaluating_is_what_sympy_computes(expression, chosen):
    by_symbol = {dimension.symbol: value for dimension, value in chosen.items()}
    assert evaluate(expression, chosen) == to_sympy(expression).xreplace(by_symbol)


@settings(max_examples=50)
@given(expressions(names=True), values())
def test_substituting_changes_the_form_and_not_the_value(expression, chosen):
    numbers = substitute(expression, chosen)
    assert numbers.dimensions == ()
    assert evaluate(numbers, {}) == evaluate(expression, chosen)

"""Closed forms: multiplied out, relations applied, terms in the order in which people write them."""

from __future__ import annotations

import re

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from symparams import load
from symparams.expressions.closed_form import as_sympy, as_written, multiply_out
from symparams.expressions.extent import MOST_DIGITS
from symparams.expressions.nodes import (
    Ceiling,
    Dimension,
    Floor,
    Minimum,
    Number,
    Sum,
)
from symparams.expressions.notation import NOTATIONS
from symparams.expressions.parsing import parse
from symparams.expressions.printing.text import TextPrinter
from symparams.expressions.symbols import L, V, d_ff, d_head, h, letter, n_heads, n_kv_heads
from symparams.expressions.written import exact
from tests.strategies import expressions

TEXT = TextPrinter(NOTATIONS["hidden"], str)

CLOSED_FORMS = {
    ("bert", "-pooler"): "12·L·h² + 13·L·h + V·h + max_pos·h + n_types·h + 2·h",
    ("bert",): "12·L·h² + h² + 13·L·h + V·h + max_pos·h + n_types·h + 3·h",
    ("bert", "-pooler", "+mlm_head"): "12·L·h² + h² + 13·L·h + V·h + max_pos·h + n_types·h + 5·h + V",
    ("gpt2",): "12·L·h² + 13·L·h + V·h + max_pos·h + 2·h",
    ("gpt2", "-tying"): "12·L·h² + 13·L·h + 2·V·h + max_pos·h + 2·h",
    ("gpt3",): "12·L·h² + 13·L·h + V·h + max_pos·h + 2·h",
    ("bloom",): "12·L·h² + 13·L·h + V·h + 4·h",
    ("llama",): "4·L·h² + 3·L·h·d_ff + 2·L·h + 2·V·h + h",
    ("llama-3-8b",): "2·L·h² + 2·L·h·n_kv_heads·d_head + 3·L·h·d_ff + 2·L·h + 2·V·h + h",
    ("t5-small",): "28·L_enc·h² + 5·L_enc·h + V·h + 2·h + 2·n_buckets·n_heads",  # L_dec = L_enc
    ("mt5",): "12·L_enc·h·n_heads·d_head + 6·L_enc·h·d_ff + 5·L_enc·h + 2·V·h + 2·h + 2·n_buckets·n_heads",
    ("transformer",): "28·L·h² + 32·L·h + V·h",
    ("transformer", "-embeddings", "+final_layer_norm"): "28·L·h² + 32·L·h + 4·h",
}


@pytest.mark.parametrize(("target", "written"), CLOSED_FORMS.items(), ids=" ".join)
def test_closed_forms_read_as_people_write_them(target, written):
    name, *switches = target
    include = [switch[1:] for switch in switches if switch[0] == "+"]
    exclude = [switch[1:] for switch in switches if switch[0] == "-"]
    assert TEXT(as_written(load(name, include=include, exclude=exclude).polynomial())) == written


def test_relations_and_order():
    for expression, relations, closed in (
        (2 * h * d_ff, {d_ff: 4 * h}, "8·h²"),
        (n_heads * (h * d_head), {d_head: h / n_heads}, "h²"),
        (h * d_head, {d_head: h / n_heads}, "h·d_head"),  # one head by itself stays one head
        ((n_heads * d_head) ** 2, {d_head: h / n_heads}, "h²"),
        (n_kv_heads * d_head, {n_kv_heads: n_heads, d_head: h / n_heads}, "h"),
        (V * h / n_heads, {}, "V·h / n_heads"),
        (h / 2 - V, {}, "h / 2 − V"),
        (h - h, {}, "0"),
        (L * (h + V) ** 2, {}, "L·h² + 2·L·V·h + L·V²"),
    ):
        assert TEXT(as_written(multiply_out(expression, relations))) == closed, expression


def test_a_relation_holds_only_where_the_model_agrees():
    assert load("bert-base-uncased").closed_form() == load("bert").closed_form()
    assert d_ff.symbol in load("bert-base-uncased", d_ff=1000).closed_form().free_symbols
    assert d_ff.symbol not in load("bert-base-uncased", d_ff="4*h").closed_form().free_symbols


LETTERS = (h, L, V, d_ff, n_heads, Dimension("N"), Dimension("lambda"), Dimension("r"), Dimension("层"))


exact_formulas = expressions(LETTERS, divided=True)


@given(formula=exact_formulas)
@settings(max_examples=100, deadline=None)
def test_multiplied_out_is_what_sympy_expands(formula):
    polynomial = multiply_out(formula, {})
    assert as_sympy(polynomial) == sympy.expand(sympy.sympify(formula))
    assert multiply_out(as_written(polynomial), {}) == polynomial
    assert not (polynomial - polynomial).terms
    text = repr(as_written(polynomial))
    if all(len(number) <= MOST_DIGITS for number in re.findall(r"\d+", text)):
        assert multiply_out(parse(text, letter), {}) == polynomial


@given(
    formula=expressions(LETTERS, divided=True, rounded=True),
    values=st.fixed_dictionaries({letter: st.integers(1, 7) for letter in LETTERS}),
)
@settings(max_examples=100, deadline=None)
def test_a_closed_form_has_the_value_of_its_formula(formula, values):
    polynomial = multiply_out(formula, {})
    assert exact(as_written(polynomial), values) == exact(formula, values)
    assert repr(as_written(multiply_out(as_written(polynomial), {}))) == repr(as_written(polynomial))
    expected = sympy.sympify(formula).subs({letter.symbol: value for letter, value in values.items()})
    assert exact(formula, values) == expected


@given(formula=exact_formulas)
@settings(max_examples=50, deadline=None)
def test_terms_stand_from_the_highest_power_down(formula):
    written = as_written(multiply_out(formula, {}))
    degrees = [_degree(multiply_out(term, {})) for term in (written.terms if isinstance(written, Sum) else (written,))]
    assert degrees == sorted(degrees, reverse=True)


def _degree(term: object) -> int:
    return max((sum(power for letter, power in monomial if letter != n_heads) for monomial in term.terms), default=0)  # type: ignore[attr-defined]


def test_the_least_of_several_stays_rounded_where_one_is_a_fraction():
    for formula, multiplied_out in (
        (Ceiling(Minimum((Number(10**40), h / 2))), f"ceil(min({10**40}, h/2))"),
        (Floor(2 * Minimum((L, h / 2))), "floor(2*min(L, h/2))"),
        (Ceiling(Minimum((L, 2 * h))), "min(L, 2*h)"),
        (Floor(Minimum((L, Minimum((h / V, d_ff))))), "floor(min(L, min(h/V, d_ff)))"),
        (Floor(Minimum((L, Floor(h / 2)))), "min(L, floor(h/2))"),
    ):
        assert repr(as_written(multiply_out(formula, {}))) == multiplied_out, formula

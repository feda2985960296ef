"""Closed forms: multiplied out, relations applied, terms in the order in which people write them."""

from __future__ import annotations

import pytest
import sympy
from hypothesis import given

from symparams import load
from symparams.expressions.closed_form import as_sympy, as_written, multiply_out
from symparams.expressions.notation import NOTATIONS
from symparams.expressions.printing.text import TextPrinter
from symparams.expressions.symbols import L, V, d_ff, d_head, h, n_heads, n_kv_heads
from symparams.expressions.sympy_forms import to_sympy
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
    ("transformer",): "28·L·h² + 32·L·h + V·h",
    ("transformer", "-embeddings", "+final_layer_norm"): "28·L·h² + 32·L·h + 4·h",
}


@pytest.mark.parametrize(("target", "written"), CLOSED_FORMS.items(), ids=" ".join)
def test_closed_forms_read_as_people_write_them(target, written):
    name, *switches = target
    include = [switch[1:] for switch in switches if switch[0] == "+"]
    exclude = [switch[1:] for switch in switches if switch[0] == "-"]
    assert TEXT(as_written(load(name, include=include, exclude=exclude).polynomial())) == written


@pytest.mark.parametrize(
    ("expression", "relations", "closed"),
    [
        (2 * h * d_ff, {d_ff: 4 * h}, "8·h²"),
        (n_heads * (h * d_head), {d_head: h / n_heads}, "h²"),
        (h * d_head, {d_head: h / n_heads}, "h·d_head"),  # one head by itself stays one head
        (n_kv_heads * d_head, {n_kv_heads: n_heads, d_head: h / n_heads}, "h"),
        (V * h / n_heads, {}, "V·h / n_heads"),
        (h / 2 - V, {}, "h / 2 − V"),
        (h - h, {}, "0"),
        (L * (h + V) ** 2, {}, "L·h² + 2·L·V·h + L·V²"),
    ],
)
def test_relations_and_order(expression, relations, closed):
    assert TEXT(as_written(multiply_out(expression, relations))) == closed


@given(expressions(names=True))
def test_a_closed_form_is_what_sympy_expands(expression):
    assert sympy.expand(as_sympy(multiply_out(expression, {})) - to_sympy(expression)) == 0


def test_a_relation_holds_only_where_the_model_agrees():
    assert load("bert-base-uncased").closed_form() == load("bert").closed_form()
    assert d_ff.symbol in load("bert-base-uncased", d_ff=1000).closed_form().free_symbols
    assert d_ff.symbol not in load("bert-base-uncased", d_ff="4*h").closed_form().free_symbols

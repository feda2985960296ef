"""Symbolic is true: leaving the numbers out changes no formula, whatever a model's values break and whatever is chosen."""

from __future__ import annotations

import json

import pytest

from symparams import derive, load, published_models, render
from symparams.expressions.written import exact

# The relation that the values of each break, and what the formula then keeps.
BROKEN = {
    "llama-3-8b": "n_kv_heads",
    "llama-2-70b": "n_kv_heads",
    "mistral-7b-v0.1": "n_kv_heads",
    "mixtral-8x7b": "n_kv_heads",
    "qwen3-8b": "n_kv_heads",
    "falcon-40b": "n_kv_heads",
}


def chosen(name):
    """A published model as it is, and with each of its features the other way round."""
    model = load(name)
    yield model
    for feature, present in model.features.items():
        yield load(name, **{"exclude" if present else "include": [feature]})


@pytest.mark.parametrize("name", published_models())
def test_formula_symbolic_sheet_sheet_and_count_are_one_polynomial(name):
    for model in chosen(name):
        symbolic = model.symbolic()
        forms = [model.polynomial(), symbolic.polynomial(), derive(model).total.polynomial, derive(symbolic).total.polynomial]
        assert all(form == forms[0] for form in forms), model.chosen
        if not model.unbound:
            assert exact(derive(symbolic).total.closed, model.values) == model.count(), model.chosen


@pytest.mark.parametrize("name", published_models())
def test_the_sheets_as_data_say_the_same(name):
    for model in chosen(name):
        sheet, symbols = (json.loads(render(derive(each), "json")) for each in (model, model.symbolic()))
        assert sheet["closed_form"] == symbols["closed_form"]
        assert sheet["by_blocks"] == symbols["by_blocks"]
        assert sheet["total"]["closed_form"] == symbols["total"]["closed_form"]
        assert symbols["value"] is None
        assert sheet["value"] == (None if model.unbound else model.count())


@pytest.mark.parametrize(("name", "letter"), BROKEN.items())
def test_a_relation_that_the_values_break_stays_broken(name, letter, cli):
    model = load(name)
    assert str(model.symbolic().closed_form()) == str(model.closed_form())
    assert letter in {symbol.name for symbol in model.symbolic().closed_form().free_symbols}
    formula = cli(["formula", name]).out.strip()
    assert letter in formula
    assert formula in " ".join(cli(["derive", name, "--symbolic"]).out.split())

"""Symbolic is true: leaving the numbers out changes no formula, whatever a model's values break and whatever is chosen."""

from __future__ import annotations

import json

import pytest

from symparams import derive, load, published_models, render
from symparams.expressions.written import exact
from tests.sweeps import FEW

# The values of these break a relation of their family, n_kv_heads = n_heads.
BROKEN = ("llama-3-8b", "mixtral-8x7b", "falcon-40b")


@pytest.mark.parametrize("name", sorted({*FEW, *BROKEN} & {*published_models()}))
def test_formula_symbolic_sheet_sheet_data_and_count_are_one_polynomial(name):
    """As the model is published, and with each of its features the other way round."""
    model = load(name)
    others = [load(name, **{"exclude" if has else "include": [feature]}) for feature, has in model.features.items()]
    for chosen in (model, *others):
        symbolic, sheet = chosen.symbolic(), derive(chosen)
        forms = [chosen.polynomial(), symbolic.polynomial(), sheet.total.polynomial, derive(symbolic).total.polynomial]
        assert all(form == forms[0] for form in forms), chosen.chosen
        assert chosen.unbound or exact(derive(symbolic).total.closed, chosen.values) == chosen.count(), chosen.chosen
    sheet, symbols = (json.loads(render(derive(either), "json")) for either in (model, model.symbolic()))
    for key in ("closed_form", "by_blocks"):
        assert sheet[key] == symbols[key]
    assert sheet["total"]["closed_form"] == symbols["total"]["closed_form"]
    assert (sheet["value"], symbols["value"]) == (model.count(), None)


@pytest.mark.parametrize("name", BROKEN)
def test_a_relation_that_the_values_break_stays_broken(name, cli):
    model = load(name)
    assert str(model.symbolic().closed_form()) == str(model.closed_form())
    formula = cli(["formula", name]).out.strip()
    assert "n_kv_heads" in formula
    assert formula in " ".join(cli(["derive", name, "--symbolic"]).out.split())

"""Symbolic is true: leaving the numbers out changes no formula, whatever a model's values break."""

from __future__ import annotations

import json

import pytest

from symparams import derive, load, render

# The values of these break a relation of their family, n_kv_heads = n_heads.
BROKEN = ("llama-3-8b", "mixtral-8x7b", "falcon-40b")


@pytest.mark.parametrize("name", BROKEN)
def test_a_relation_that_the_values_break_stays_broken(name, cli):
    model = load(name)
    assert str(model.symbolic().closed_form()) == str(model.closed_form())
    sheet, symbols = (json.loads(render(derive(either), "json")) for either in (model, model.symbolic()))
    assert (sheet["closed_form"], sheet["by_blocks"]) == (symbols["closed_form"], symbols["by_blocks"])
    assert (sheet["value"], symbols["value"]) == (model.count(), None)
    formula = cli(["formula", name]).out.strip()
    assert "n_kv_heads" in formula
    assert formula in " ".join(cli(["derive", name, "--symbolic"]).out.split())

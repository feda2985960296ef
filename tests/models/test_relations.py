"""A size that is given as a formula is a relation: it holds in every closed form, function, sheet and solution."""

from __future__ import annotations

import numpy as np
import pytest

from symparams import load, render, solve
from symparams.errors import MissingDimensionError, OptionError
from tests.refusals import refusal


def test_a_formula_is_put_into_the_closed_form_and_the_sheet_says_so():
    model = load("llama-7b", d_ff="3*h")
    assert str(model.closed_form()) == "13*L*h**2 + 2*L*h + 2*V*h + h"
    assert model.count() == load("llama-7b", d_ff=3 * 4096).count()
    assert "Since d_ff = 3·h:" in " ".join(render(model, "text").split())
    assert str(model.symbolic().closed_form()) == "13*L*h**2 + 2*L*h + 2*V*h + h"


def test_a_function_follows_it():
    follows = load("llama-7b", d_ff="4*h").function()
    assert follows.arguments == ("L", "V", "h")
    assert follows(h=np.array([512, 1024])).tolist() == [load("llama-7b", h=h, d_ff=4 * h).count() for h in (512, 1024)]


def test_what_it_speaks_of_need_not_have_a_value():
    model = load("llama", d_ff="4*h", V=32_000)
    assert str(model.closed_form(form="blocks")) == "L*(16*h**2 + 2*h) + 2*V*h + h"
    with pytest.raises(MissingDimensionError, match=r"^llama has no value for h \(.*\), L \(.*\), n_heads \(.*\): give"):
        model.count()


def test_of_a_circle_with_the_familys_relation_the_given_one_holds():
    """d_head = h/n_heads gives way, and stays a check: 2·n_heads·d_head would be another h."""
    assert str(load("gpt2", h="n_heads*d_head", d_head=64).closed_form(form="blocks")).count("d_head") > 0
    assert load("gpt2", h="n_heads*d_head", d_head=64).count() == load("gpt2").count()
    told = refusal(load, "gpt2", h="2*n_heads*d_head", d_head=64)
    assert "d_head = 64 contradicts d_head = h/n_heads = 128" in told
    assert refusal(load, "gpt2", d_ff="4*h", h="d_ff/4").startswith("No value follows for d_ff, h: d_ff needs h, h needs d_ff")


def test_it_holds_in_every_solution():
    for given, first in (
        ({"d_ff": "4*h"}, {"h": 3648}),
        ({"n_heads": "h/128"}, {"h": 4224}),  # heads of 128, whatever the width
        ({"d_ff": "4*h", "n_heads": "h/128"}, {"h": 3584}),
    ):
        solved = solve(load("llama-7b", **given), "7e9", "h")
        assert {d.name: value for d, value in solved[0].values.items()} == first, given
        for solution in solved:
            [h] = solution.values.values()
            values = {name: h * 4 if name == "d_ff" else h // 128 for name in given}
            assert load("llama-7b", h=h, **values).count() == solution.count


def test_it_holds_in_a_search_of_a_family():
    solved = solve(load("llama", d_ff="4*h", n_heads="h/128", V=32_000), "7e9", "L,h", between={"L": (24, 48)})
    for solution in solved:
        L, h = solution.values.values()
        assert load("llama", L=L, h=h, d_ff=4 * h, n_heads=h // 128, V=32_000).count() == solution.count
    with pytest.raises(OptionError, match=r"^d_ff = 4\*h is given: leave it out, or solve for h\.$"):
        solve(load("llama-7b", d_ff="4*h"), "7e9", "d_ff")

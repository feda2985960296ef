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


def test_sizes_given_to_solve_hold_in_every_solution_and_not_in_the_model_as_it_was():
    """8·4096 / 3 is no whole number, which of the h that is sought for does not matter."""
    for target, given, for_, first in (
        ("llama-7b", {"d_ff": "4*h"}, "h", {"h": 3648, "d_head": 114, "d_ff": 14592}),
        ("llama-7b", {"d_ff": "8*h/3"}, "h", {"h": 4224, "d_head": 132, "d_ff": 11264}),
        ("llama-7b", {"d_ff": "roundup(8*h/3, 256)"}, "h", {"h": 4160, "d_head": 130, "d_ff": 11264}),
        ("llama-7b", {"d_ff": "roundup(8*h/3, 256)", "d_head": 128}, "h",
         {"h": 4224, "n_heads": 33, "n_kv_heads": 33, "d_ff": 11264}),
        ("llama-3-8b", {"d_head": 128}, "h", {"h": 4096, "n_heads": 32}),
        ("llama", {"V": 32_000, "d_head": 128, "d_ff": "4*h"}, "L,h",
         {"L": 33, "h": 3584, "n_heads": 28, "n_kv_heads": 28, "d_ff": 14336}),
    ):  # fmt: skip
        between = {"h/L": (100, 128)} if for_ == "L,h" else None
        solved = solve(target, 7e9, for_, between=between, **given)
        assert {d.name: value for d, value in {**solved[0].values, **solved[0].follows}.items()} == first, (target, given)
        for solution in solved:
            sizes = {d.name: value for d, value in {**solution.values, **solution.follows}.items()}
            assert load(target, **given | sizes).count() == solution.count


def test_rounded_sizes_are_those_of_published_models():
    assert load("llama-7b", d_ff="roundup(8*h/3, 256)").values == load("llama-7b").values
    assert load("llama-13b", d_ff="256*ceil(8*h/768)").values == load("llama-13b").values


def test_bounds_of_ratios():
    """Held against every design, one by one; and of one dimension the nearest that they leave."""
    model = load("bloom", V=50)
    between = {"h/L": (2, "3.5"), "d_ff/h": (1.5, 4), "d_ff": (3, 40)}
    found = solve(model, 20_000, "L,h,d_ff", between=between, top=50)
    function = load("bloom", V=50, d_ff=7, h=5).function()
    every = sorted(
        abs(function(L=L, h=h, d_ff=d_ff) - 20_000)
        for L in range(1, 60)
        for h in range(2 * L, min(7 * L // 2, 90) + 1)
        for d_ff in range(max(3, -(-3 * h // 2)), min(4 * h, 40) + 1)
    )
    assert [abs(solution.difference) for solution in found] == every[:50]
    for ratio, nearest in (("h/L", 4096), ("n_heads", 4096), ("d_ff/h", 4224)):
        bounds = {"h/L": (64, 128), "n_heads": (1, 32), "d_ff/h": (2, 4)}[ratio]
        solved = solve("llama-7b", 7e9, "h", between={ratio: bounds}, d_head=128)
        assert next(iter(solved[0].values.values())) == nearest, ratio
    for between, told in (
        ({"d_ff/L": (1, 2)}, "between names d_ff and L, which are not solved for"),
        ({"h": (1, 2), "hidden_size": (3, 4)}, "h is given bounds twice, once as 'hidden_size': give them once."),
        (
            {"h/L": (1, float("inf"))},
            "between = '{'h/L': (1, inf)}' does not give bounds by dimension or ratio",
        ),
    ):
        assert refusal(solve, "llama-7b", 7e9, "h", between=between).startswith(told)

"""Sizes and inputs at which a cost comes to a total: exact, its neighbour beyond."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symparams import Quantity, SymparamsError, load, render, solve
from symparams.answers.totals import read_total
from symparams.expressions.symbols import L, b, h, s, t


@pytest.mark.parametrize(
    ("written", "unit", "value"),
    [
        ("80GB", "bytes", 80 * 10**9),
        ("40 GiB", "bytes", 40 * 2**30),
        ("1.5 TB", "bytes", 1_500_000_000_000),
        ("80e9", "bytes", 80 * 10**9),
        (12, "bytes", 12),
        ("140 TFLOP", "flops", 140 * 10**12),
        ("1e21", "flops", 10**21),
        ("3.14e23 FLOPs", "flops", 314 * 10**21),
        ("7B", "parameters", 7 * 10**9),
    ],
)
def test_totals_are_read_exactly(written, unit, value):
    assert read_total(written, unit) == value


@pytest.mark.parametrize(
    ("written", "unit", "said"),
    [
        ("140TFLOP", "bytes", "'140TFLOP' is not a number of bytes: write 80GB (10^9), 80GiB (2^30), or an integer."),
        ("80GB", "flops", "'80GB' is not a number of FLOPs: write 140TFLOP, 1e21, or an integer."),
        ("80GB", "parameters", "'80GB' is not a parameter count"),
        ("7B", "flops", "is not a number of FLOPs"),
        ("0.3B", "bytes", "is not a number of bytes"),
        ("0", "bytes", "is not a number of bytes"),
        (1.5, "flops", "is not a number of FLOPs"),
        (True, "bytes", "is not a number of bytes"),
    ],
)
def test_a_unit_that_does_not_fit_is_one_line(written, unit, said):
    with pytest.raises(SymparamsError) as error:
        read_total(written, unit)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("target", "total", "for_", "quantity", "inputs", "below"),
    [
        ("llama-3-8b", "80GB", "b", "kv-cache", {"t": 8192, "dtype": "bf16"}, 74),
        ("llama-3-8b", "16GiB", "t", "kv-cache", {"b": 1, "dtype": "bf16"}, 131_071),  # where 131,072 are just it
        ("gemma-2-9b", "40GiB", "t", "kv-cache", {"b": 8, "dtype": "bf16"}, 27_112),  # two lines, one up to the window
        ("gpt2", "80GB", "s", "training_memory", {"b": 8, "recipe": "fp32"}, 3_314),
        ("llama-3-8b", "1e24", "D", "training-flops", {"s": 8192}, 17_267_324_215_213),
        ("llama-3-8b", "140TFLOP", "s", "forward-flops", {"b": 1}, 7_409),
        ("llama-3-8b", "24GB", "L", "weight-memory", {"dtype": "bf16"}, 50),
        ("gpt2", "40GB", "h", "training-memory", {"recipe": "fp32"}, 3_984),
    ],
)
def test_the_nearest_below_and_above(target, total, for_, quantity, inputs, below):
    found = solve(target, total, for_, quantity=quantity, **inputs)
    values = sorted((next(iter(each.values.values())), each.count) for each in found)
    assert values[0][0] == below
    assert found.is_met
    for value, count in values:
        given = {for_: value}
        model = load(target, **given) if for_ in ("L", "h") else load(target)
        assert model.measure(quantity, **inputs, **({} if for_ in ("L", "h") else given)) == count


def is_full(model, cached, inputs):
    """Whether a cache of windows alone holds so much that no token more is kept."""
    return cached == model.measure("kv_cache", **inputs, t=4_095) == model.measure("kv_cache", **inputs, t=10**6)


def test_of_a_window_that_is_full_the_first_token_that_fills_it():
    [found] = solve("mistral-7b-v0.1", "80GB", "t", quantity="kv_cache", b=1)
    assert (dict(found.values), found.count) == ({t: 4_095}, 536_739_840)


@given(
    st.sampled_from(["gpt2", "llama-3-8b", "mistral-7b-v0.1", "gemma-2-9b", "t5-small"]),
    st.sampled_from(["kv_cache", "forward_flops", "training_flops"]),
    st.integers(1, 40),
    st.integers(1, 10**5),
    st.integers(-3, 3),
)
def test_a_solution_meets_the_total_and_its_neighbour_does_not(target, quantity, b, length, off):
    name = "t" if quantity == "kv_cache" else "s"
    inputs = {"b": b} | ({"s_src": 7} if target == "t5-small" else {}) | ({"dtype": "bf16"} if quantity == "kv_cache" else {})
    model = load(target)
    total = model.measure(quantity, **inputs, **{name: length}) + off
    for each in solve(model, total, name, quantity=quantity, **inputs):
        [value] = each.values.values()
        assert each.count == model.measure(quantity, **inputs, **{name: value})
        if each.difference < 0:
            assert model.measure(quantity, **inputs, **{name: value + 1}) >= total or is_full(model, each.count, inputs)
        elif each.difference > 0 and value > 1:
            assert model.measure(quantity, **inputs, **{name: value - 1}) <= total


@pytest.mark.parametrize("target", ["gemma-2-9b", "mistral-7b-v0.1", "gpt-oss-20b", "llama-3-8b"])
def test_the_layers_with_a_window_follow_from_those_that_are_solved_for(target):
    inputs = {"b": 1, "t": 5_000, "dtype": "bf16"}
    for each in solve(target, "1GB", "L", quantity="kv_cache", **inputs, between={"L": (1, 100)}):
        [layers] = each.values.values()
        assert load(target, L=layers).measure("kv_cache", **inputs) == each.count


def test_two_inputs_at_once():
    found = solve("llama-3-8b", "16GiB", "b,t", quantity="kv_cache", dtype="bf16", between={"b": (1, 8), "t": (1, 10**6)})
    assert found[0].difference == 0
    assert all(load("llama-3-8b").measure("kv_cache", dtype="bf16", **{d.name: v for d, v in each.values.items()}) == each.count
               for each in found)  # fmt: skip


def test_a_quantity_of_ones_own():
    sums = Quantity("residual_sums", unit="additions", inputs="bs", terms=lambda tree, setting: 2 * L * b * s * h)
    found = solve("gpt2", 2 * 12 * 3 * 1024 * 768, "s", quantity=sums, b=3)
    assert (dict(found[0].values), found[0].difference) == ({s: 1024}, 0)
    assert "At which s does the residual sums of gpt2 come to 56,623,104 additions?" in render(found, "text")


def test_the_command_line(cli):
    line = "solve llama-3-8b --quantity kv-cache --total 80GB --for b --set t=8192 --dtype bf16"
    assert "M(KV) = 2·b·t·L·n_kv_heads·d_head·e = 1,073,741,824·b = 80,000,000,000" in cli(line).out
    data = json.loads(cli(f"{line} --json").out)
    assert (data["quantity"], data["unit"], data["root"]["digits"]) == ("kv_cache", "bytes", "74.505806")
    for language in ("en", "zh"):
        for each in ("latex", "markdown", "typst"):
            assert render(solve("gpt2", "1GB", "b", quantity="kv_cache", t=9, dtype="bf16"), each, language=language)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("--total 80GB --for b", "kv_cache of llama-3-8b has no value for t: give"),
        ("--total 80GB --for b --set t=1 --set b=3 --dtype bf16", "b is solved for: give it no value."),
        ("--total 80GB --for s --set b=1 --set t=1 --dtype bf16", "'s'"),
        ("--total 80GB --for d_ff --set b=1 --set t=1 --dtype bf16", "d_ff does not occur in the kv_cache of llama-3-8b"),
        ("--total 7TFLOP --for b --set t=1 --dtype bf16", "'7TFLOP' is not a number of bytes"),
    ],
)
def test_a_mistake_is_one_line(line, said, mistake):
    assert said in mistake(f"solve llama-3-8b --quantity kv-cache {line}")

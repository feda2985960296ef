"""Functions of costs: what measure gives, for arrays of inputs and sizes at once."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symparams import Architecture, Dimension, SymparamsError, block, disentangled_attention, load
from symparams.errors import DimensionError, MissingDimensionError
from symparams.quantities.quantity import find
from tests.refusals import refusal
from tests.strategies import models

CHOSEN: dict[str, dict[str, Any]] = {
    "weight_memory": {"dtype": "bf16"},
    "kv_cache": {"dtype": "bf16"},
    "forward_flops": {},
    "backward_flops": {},
    "training_flops": {"checkpoint": True},
    "activations": {"dtype": "fp32"},
    "training_memory": {"recipe": "fp32"},
}


@pytest.mark.parametrize(
    ("target", "quantity", "inputs", "given", "value"),
    [
        ("llama-3-8b", "kv-cache", {"dtype": "bf16"}, {"b": 1, "t": 131_072}, 16 * 2**30),
        ("llama-3-8b", "forward_flops", {}, {"b": 1, "s": 1}, 15_009_841_152),
        ("llama-3-8b", "forward_flops", {}, {"b": 1, "s": 1, "t": 10}, 15_015_084_032),  # t makes a cache
        ("llama-3-8b", "forward_flops", {}, {"b": 1, "s": 1, "t": 0}, 15_009_841_152),
        ("llama-3-8b", "weight_memory", {"dtype": "bf16"}, {"L": 40}, 19_550_314_496),
        ("bert-base-uncased", "weight_memory", {"dtype": "int4"}, {"V": 30523}, 54_741_504),
        ("gpt2", "training_memory", {"recipe": "fp32"}, {}, 16 * 124_439_808),
        ("deepseek-v3", "kv_cache", {"dtype": "bf16"}, {"b": 1, "t": 1}, 70_272),
        ("gemma-2-9b", "kv_cache", {"dtype": "bf16"}, {"b": 1, "t": 5_000, "L": 7}, 257_064_960),  # ⌊(L + 1) / 2⌋ windows
        ("gpt2", "lora", {"targets": ["c_attn"]}, {"r": 8}, 294_912),
    ],
)
def test_values(target, quantity, inputs, given, value):
    assert load(target).function(quantity, **inputs)(**given) == value


@pytest.mark.parametrize("quantity", CHOSEN)
@settings(max_examples=8)
@given(models(), st.data())
def test_the_function_is_measure(quantity, model, data):
    """On random inputs, one after another, as integers and as arrays."""
    letters = [letter.name for letter in find(quantity).inputs if letter.name not in ("e", "r", "D")]
    least = {"t": 0, "b": 2 if quantity == "activations" else 1}  # of one sequence views are kept, which measure alone tells
    rows = [{name: data.draw(st.integers(least.get(name, 1), 9)) for name in letters} for _ in range(3)]
    chosen = CHOSEN[quantity]
    try:
        expected = [model.measure(quantity, **chosen, **row) for row in rows]
        function = model.function(quantity, **chosen)
    except SymparamsError:  # a family that has none, t where nothing decodes
        return
    rows = [{name: value for name, value in row.items() if name in _used(function, row)} for row in rows]
    assert [function(**row) for row in rows] == expected
    for row, value in zip(rows, expected, strict=True):
        apart = {name: np.array([size]) if size else 0 for name, size in row.items()}
        assert np.asarray(function(**apart)).tolist() in ([value], value)


def _used(function, row):
    """The inputs that a closed form speaks of; measure passes over the others."""
    return function.of([name for name, value in row.items() if value]).arguments


@pytest.mark.parametrize("quantity", ["kv_cache", "forward_flops"])
def test_sizes_that_change_are_those_of_a_model_with_them(quantity):
    """The layers with a window are as many as the library has of so many layers."""
    layers, chosen = list(range(1, 41)), CHOSEN[quantity]
    inputs = {"b": 2, "t" if quantity == "kv_cache" else "s": 5_000}
    for target in ("gpt2", "gemma-2-9b", "mistral-7b-v0.1", "gpt-neo-1.3b", "gpt-oss-20b"):
        found = load(target).function(quantity, **chosen)(**inputs, L=np.array(layers))
        assert found.tolist() == [load(target, L=number).measure(quantity, **chosen, **inputs) for number in layers], target


def test_inputs_broadcast_and_what_overflows_is_refused():
    function = load("llama-3-8b").function("training_flops")
    grid = function(b=np.arange(1, 4)[:, None], s=np.array([1, 2_048]))
    assert grid.tolist() == [[load("llama-3-8b").measure("training_flops", b=b, s=s) for s in (1, 2_048)] for b in (1, 2, 3)]
    with pytest.raises(SymparamsError, match=r"more than the 2\^63 - 1 of 64 bits"):
        function(b=np.array([2**20]), s=np.array([2**20]))
    huge = {"b": 2**20, "s": 2**20}
    assert function(**huge) == load("llama-3-8b").measure("training_flops", **huge)


def test_half_a_byte_is_exact():
    model = load("gpt2", V=50_258, h=1, n_heads=1)
    function = model.function("weight_memory", dtype="int4")
    assert function() == model.measure("weight_memory", dtype="int4")
    assert function(V=1) == Fraction(load("gpt2", V=1, h=1, n_heads=1).count(), 2)
    with pytest.raises(SymparamsError, match="is not an integer"):
        function(V=np.array([1, 2]))


REFUSED = [
    ("gpt2", "kv_cache", {"dtype": "bf16"}, {"b": 1, "t": -1}, "t = -1 must be 0 or a positive integer"),
    ("gpt2", "kv_cache", {"dtype": "bf16"}, {"b": 1, "t": 1.5}, "t = '1.5' is a float"),
    ("t5-small", "forward_flops", {}, {"b": 1, "s": 1, "s_src": 1, "t": np.array([0, 1])}, "t = 0 must be a positive"),
    ("gpt2", "kv_cache", {"dtype": "bf16"}, {"b": 1}, "gpt2 has no value for t"),
    ("gpt2", "kv_cache", {"dtype": "bf16"}, {"b": 1, "t": 1, "s": 1}, "gpt2 has no 's' in its closed form"),
    ("gpt2", "kv_cache", {"dtype": "bf16"}, {"e": 2}, "dtype sets e, the bytes of a number"),
    (
        "mistral-7b-v0.1",
        "kv_cache",
        {"e": 2},
        {"b": 1, "t": 1, "W": np.array([1, 2])},
        "W = 1: nothing is cached for a window of one token",
    ),
    ("bert-base-uncased", "kv_cache", {}, {}, "has no KV cache"),
    ("bert-base-uncased", "forward_flops", {}, {"b": 1, "s": 1, "t": 1}, "leave out t"),
]


def test_what_is_refused():
    for target, quantity, inputs, called_with, said in REFUSED:
        assert said in refusal(lambda: load(target).function(quantity, **inputs)(**called_with)), said  # noqa: B023


def test_layers_that_a_config_lists_have_no_formula():
    config = {"model_type": "qwen2", "num_hidden_layers": 4, "layer_types": ["sliding_attention"] + ["full_attention"] * 3}
    config |= {"use_sliding_window": True, "sliding_window": 16}
    function = load(config).function("kv_cache", dtype="bf16")
    assert function(b=1, t=100, L=np.array([4]), L_window=1).tolist() == [
        load(config).measure("kv_cache", dtype="bf16", b=1, t=100)
    ]
    with pytest.raises(SymparamsError, match="The config lists the layers with a window"):
        function(b=1, t=100, L=np.array([4, 5]))


def test_a_single_sequence_has_a_formula_of_its_own():
    model = load("llama-7b")
    kept = model.function("activations", s=8, dtype="fp32", scope="all")
    for sequences in (1, 2, 3):
        assert kept(b=sequences) == model.measure("activations", b=sequences, s=8, dtype="fp32", scope="all")
    with pytest.raises(DimensionError, match=r"^activations has another formula if b = 1: compute that value separately\.$"):
        kept(b=np.array([1, 2]))


def test_what_has_no_value_is_one_line_whoever_is_asked():
    for model, quantity, inputs in (
        (load("gpt2"), "forward_flops", {"s": 2}),
        (load("gpt2"), "kv_cache", {"b": 1}),
        (load("bloom", h=8), "weight_memory", {"dtype": "bf16"}),
        (load("bloom", h=8), "parameters", {}),
    ):
        assert refusal(model.function(quantity, **inputs)) == refusal(model.measure, quantity, **inputs)


def test_what_a_function_is_given_is_not_asked_for():
    with pytest.raises(MissingDimensionError, match=r"^kv-cache of bloom has no value for L, n_heads: give L=…, n_heads=…\.$"):
        load("bloom").function("kv_cache", dtype="bf16")(b=1, t=2, h=8)


@pytest.mark.parametrize("name", ["k", "r", "t"])
def test_the_number_of_distances_is_a_size_of_the_model_in_any_letter(name):
    h, distances = Dimension("h"), Dimension(name)
    family = Architecture("mine", tree=block(x=disentangled_attention(h, 2, 2 * distances, relative=True)))
    model = load(family, h=4)
    said = f"forward-flops of mine has no value for {name}: give {name}=…."
    assert refusal(model.measure, "forward_flops", b=1, s=2) == refusal(model.function("forward_flops", b=1, s=2)) == said
    number = load(family, h=4, **{name: 3}).measure("forward_flops", b=1, s=2)
    assert model.function("forward_flops", b=1, s=2)(**{name: 3}) == number

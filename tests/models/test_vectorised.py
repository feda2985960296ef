"""A closed form as a function: the count of many configurations at once, exact in 64 bits or refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symparams import Architecture, linear, load
from symparams.errors import DimensionError
from symparams.expressions.symbols import h, n_heads
from symparams.models.model import Model
from symparams.models.vectorised import BLOCK
from tests.refusals import refusal
from tests.strategies import models

LARGEST = 2**63 - 1


@pytest.mark.parametrize(
    ("target", "given", "count"),
    [
        ("gpt2", {}, 124439808),
        ("gpt2", {"h": 1024, "L": 24, "n_heads": 16}, 354823168),  # gpt2-medium
        ("gpt2", {"h": 3 * 2**40}, 1566767862390232746282713088),  # Python integers are exact at any size
        ("mamba-130m", {"h": 1000}, 202993000),  # r_dt = ⌈h / 16⌉ follows
        ("llama-3-8b", {"h": 8192, "n_heads": 64}, 18208006144),  # so does d_head = h / n_heads
        ("vit-base-patch16-224", {"image": 225}, 86567656),  # n_patches = ⌊image / patch⌋²
    ],
)
def test_integers(target, given, count):
    assert load(target).function()(**given) == count


def test_the_arguments_are_the_letters_of_the_closed_form():
    model = load("llama-7b")
    assert model.function().arguments == ("L", "V", "h", "d_ff")
    assert load("mixtral-8x7b").function("active")() == load("mixtral-8x7b").active_count()


@settings(max_examples=25)
@given(models(), st.integers(1, 40))
def test_numpy_gives_the_count_of_every_family(model, factor):
    """Each argument as an array of its own, over all others as they are."""
    function = model.function()
    assert function() == model.count()
    for letter in function.letters:
        values = np.array([model.values[letter], factor])
        try:
            function(**{letter.name: factor})
        except DimensionError:  # h / n_heads
            values = values[:1]
        found = function(**{letter.name: values})
        assert found.dtype == np.int64
        assert found.tolist() == [function(**{letter.name: value}) for value in values.tolist()]


def test_a_long_array_is_worked_out_in_blocks():
    values = np.arange(1, 3 * BLOCK)
    by_hand = values * (12 * (12 * values + 13) + 50257 + 1024 + 2)
    assert np.array_equal(load("gpt2").function(check_relations=False)(h=values), by_hand)


def test_smaller_and_unsigned_integers_are_widened():
    function = load("gpt2").function()
    for dtype in ("int8", "uint8", "int16", "uint32", "uint64", object):
        assert function(h=np.array([60, 96], dtype=dtype)).tolist() == [function(h=60), function(h=96)], dtype


def largest_width(model: Model) -> int:
    """The largest h whose count 64 bits hold."""
    low, high = 1, 2**62
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if model.function(check_relations=False)(h=middle) <= LARGEST else (low, middle)
    return low


@pytest.mark.parametrize("target", ["gpt2", "llama-7b", "deepseek-v3", "t5-small"])
def test_the_edge_of_64_bits(target):
    model = load(target)
    function, edge = model.function(check_relations=False), largest_width(model)
    assert function(h=np.array([edge])).tolist() == [function(h=edge)]
    for beyond in (np.array([1, edge + 1]), np.array([edge + 1], dtype="uint64")):
        with pytest.raises(DimensionError, match=r"more than the 2\^63 - 1 of 64 bits"):
            function(h=beyond)
    assert function(h=np.array([edge + 1], dtype=object)).tolist() == [function(h=edge + 1)]


def test_an_overflow_on_the_way_is_refused_too():
    """Of a count that is divided, what is divided has 64 bits as well; 2^63 has none."""
    twice = load(Architecture("twice", body=linear(h, 2, bias=False)), h=1).function()
    assert twice(h=np.array([2**62 - 1])).tolist() == [2**63 - 2]
    assert "64 bits" in refusal(twice, h=np.array([2**62]))
    function = load(Architecture("half", body=linear(h, h / n_heads, bias=False)), n_heads=2**20, h=2**30).function()
    assert function(h=np.array([2**30])).tolist() == [2**40]
    with pytest.raises(DimensionError, match="64 bits"):
        function(h=np.array([2**40]))


REFUSED = [
    ("gpt2", {"h": 768.0}, "h = '768.0' is a float: give an integer"),
    ("gpt2", {"h": True}, "is a bool"),
    ("gpt2", {"h": [768]}, "is a list"),
    ("gpt2", {"h": np.array([768.0])}, "h is a ndarray of float64: give integers."),
    ("gpt2", {"h": np.array([True])}, "h is a ndarray of bool"),
    ("gpt2", {"h": np.array([768, 1.5], dtype=object)}, "h = '1.5' is a float"),
    ("gpt2", {"h": np.ma.array([768])}, "h is a MaskedArray"),
    ("gpt2", {"h": 0}, "h = 0 must be a positive integer"),
    ("gpt2", {"h": np.array([768, -768])}, "h = -768 must be a positive integer"),
    ("gpt2", {"h": np.array([2**64 - 1], dtype="uint64")}, "h = 18,446,744,073,709,551,615 is more than the 2^63 - 1 of 64"),
    ("gpt2", {"h": np.arange(1, 4), "L": np.arange(1, 3)}, "These shapes do not broadcast: h (3,), L (2,)."),
    ("gpt2", {"d_ff": 1}, "gpt2 has no 'd_ff' in its closed form."),
    *(("gpt2", sizes, "d_head = h/n_heads is not an integer for h = 769, n_heads = 12: choose values") for sizes in (
        {"h": 769, "L": 12}, {"h": np.array([[768], [769], [770]]), "L": np.array([12, 24])},
        {"h": np.array([768, 769]), "n_heads": np.array([16, 12])}, {"h": np.array([769], dtype=object)})),
    *(("llama-3-8b", {"n_kv_heads": number}, "n_heads/n_kv_heads is not an integer for n_heads = 32, n_kv_heads = 7")
      for number in (7, np.array([8, 7]))),
    ("mixtral-8x7b", {"n_experts": np.array([8, 1])}, "n_active = 2 is more than n_experts = 1: choose a smaller one."),
    ("llama-3-8b", {"h": 8190}, "d_head = h/n_heads is not an integer"),
    ("llama-3-8b", {"h": np.array([8192, 8190])}, "d_head = h/n_heads is not an integer"),
    ("bloom", {"h": np.arange(1, 3)}, "bloom has no value for V (used in embeddings.token_embedding), L (used in"),
]  # fmt: skip


def test_what_is_refused():
    """What load refuses, too, unless somebody asks for the formula of sizes that no model has."""
    for target, sizes, message in REFUSED:
        assert message in refusal(load(target).function(), **sizes)
    assert refusal(load("gpt2").function(), h=769) == refusal(load, "gpt2", h=769)
    assert load("gpt2").function(check_relations=False)(h=769, L=12) == 124_712_575
    assert "Unknown quantity 'flops'" in refusal(load("bloom").function, "flops")


@settings(max_examples=20)
@given(models(bound=False))
def test_a_family_without_values_is_a_function_of_all_its_letters(model):
    function = model.function(check_relations=False)  # as in Gemma 3n L is a sum of four letters
    alike = dict.fromkeys(function.arguments, 48)  # which 16 divides, as DETR asks
    assert function(**alike) == function(**{name: np.array([48]) for name in alike})[0]

"""The page of all that a model costs: its figures, and that what fits is exact."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symparams import derive, load, render
from symparams.derivations.fitting import largest, serving, training
from tests.refusals import refusal

LLAMA = {"b": 1, "s": 8_192, "t": 131_072, "D": 15 * 10**12, "dtype": "bf16", "fits": "80GB"}


def page(target, *, brief=True, notation="hidden", **given):
    return render(derive(target, quantity="all", **given), brief=brief, width=120, notation=notation)


def test_the_figures_of_llama_3_8b():
    """Of decoding 83.73 G FLOPs, of a prompt 149.5 T, of 15 T tokens 868.7 Z, 20.20% more than 6·N·D; golden has the others."""
    shown = page("llama-3-8b", **LLAMA)
    figures = ("83.73 G", "149.5 T", "722.7 Z", "868.7 Z", "+20.20%", "772.1 Z", "+6.83%", "487,819", "579,718")
    assert [figure for figure in figures if figure not in shown] == []


def test_of_other_families_what_they_have():
    for target, figure in (
        ("deepseek-v3", "70,272 bytes"),  # the latent and the rotary key, 2 bytes a number
        ("llama-3-70b", "327,680 bytes"),
        ("bert-base-uncased", "has no KV cache"),
        ("mamba-130m", "2,654,208·b"),  # a state, whatever the number of tokens
        ("mamba-130m", "Activations are not derived"),
        ("t5-small", "No value is given for b, s, t, s_src"),
        ("vit-base-patch16-224", "33,464,254,464·b"),
    ):
        assert figure in " ".join(page(target, dtype="bf16").split()), target


def test_without_inputs_each_token_stands_in_symbols():
    shown = page("llama-3-8b")
    assert "2·L·n_kv_heads·d_head·e" in shown
    assert "2·num_hidden_layers·num_key_value_heads·head_dim·e" in page("llama-3-8b", notation="hf")
    assert "13,958,643,712·b·s" in shown
    assert "524,288·b·s·(s + t)" in shown


@settings(deadline=None, max_examples=4)
@given(st.integers(17 * 10**9, 10**13), st.integers(1, 200_000), st.sampled_from(["llama-3-8b", "gemma-2-2b", "mamba-130m"]))
def test_the_largest_batch_fits_and_one_more_does_not(room, t, target):
    model, cached = load(target), {} if target == "mamba-130m" else {"t": t}  # a state has no length
    found = derive(model, quantity="all", **cached, dtype="bf16", fits=f"{room}B")
    for use in serving(found, found.room):
        [fit] = [fit for fit in use.fits if fit.letter.name == "b"] or [None]
        for more in (0, 1) if fit and fit.largest else ():
            cache = model.measure("kv_cache", dtype="bf16", b=fit.largest + more, **cached)
            assert (model.measure("weight_memory", dtype=use.name) + cache > room) == bool(more)


@settings(deadline=None, max_examples=3)
@given(st.integers(65 * 10**9, 10**12), st.sampled_from(["eager", "flash"]))
def test_the_longest_sequence_trains_and_one_token_more_does_not(room, attention):
    how, model = {"b": 1, "recipe": "bf16", "attention": attention}, load("llama-3-8b")
    found = derive(model, quantity="all", dtype="bf16", fits=f"{room}B", **how)
    [use] = training(found, found.room)
    [fit] = [fit for fit in use.fits if fit.letter.name == "s"]
    assert fit.largest == 0 or model.measure("training_memory", s=fit.largest, scope="all", **how) <= room
    assert model.measure("training_memory", s=fit.largest + 1, scope="all", **how) > room


@given(st.integers(0, 10**6), st.integers(1, 10**6), st.integers(0, 10**12))
def test_halving_finds_what_division_finds(fixed, each, room):
    assert largest(lambda number: fixed + each * number, room) == max(0, (room - fixed) // each)
    assert largest(lambda number: fixed + min(number, each), fixed + each) is None  # what stays as it is fits any number


REFUSED = {
    "does not fit 1,000,000,000 bytes: its weights alone take 4,015,130,624": {"fits": "1GB", "dtype": "bf16"},
    "give dtype": {"model": "gpt2", "e": 2, "fits": "80GB"},
    "not a memory size": {"fits": "80"},
    "several GPUs": {"dtype": "bf16", "fits": "2 × 80 GB"},
    "b = 0": {"b": 0},
    "batches": {"batches": 1},
    "bf17": {"dtype": "bf17"},
    "fixed view and form": {"view": "kind"},
    "not an amount of memory": {"quantity": "forward_flops", "b": 1, "fits": "80GB"},
    "all but one": {"quantity": "kv_cache", "dtype": "bf16", "fits": "80GB"},
    "No input": {"quantity": "training_memory", "recipe": "bf16", "fits": "80GB"},
    "does not fit 80,000,000,000 bytes": {"quantity": "activations", "b": 10**6, "dtype": "bf16", "fits": "80GB"},
}


def test_what_cannot_be_said_is_an_error():
    for message, asked in REFUSED.items():
        assert message in refusal(derive, **{"model": "llama-3-8b", "quantity": "all", **asked})


def test_data_are_exact():
    found = json.loads(render(derive("llama-3-8b", quantity="all", recipe="fp32", **LLAMA), "json"))
    assert found["quantities"]["kv_cache"]["value"] == 131_072**2
    assert found["quantities"]["decode_flops"]["value"] == 83_729_317_888
    assert found["fits"]["serving"][2] == {
        "name": "bf16",
        "fixed": 16_060_522_496,
        "largest": {"t": {"largest": 487_819, "binds": "memory"}, "b": {"largest": 3, "binds": "memory"}},
        "needs": [],
    }
    assert {use["cards"] for use in found["fits"]["training"]} == {2}  # 16 bytes a parameter are 128 GB


@pytest.mark.parametrize(
    ("target", "given", "letter", "most"),
    [
        ("llama-3-8b", {"quantity": "kv_cache", "b": 1, "dtype": "bf16"}, "t", 80 * 10**9 // 131_072),
        ("llama-3-8b", {"quantity": "kv_cache", "t": 131_072, "dtype": "bf16"}, "b", 4),
        ("gpt2", {"quantity": "kv_cache", "b": 1, "dtype": "bf16"}, "t", 1_024),
        ("mamba-130m", {"quantity": "kv_cache", "dtype": "bf16"}, "b", 80 * 10**9 // (24 * 1_536 * (4 * 2 + 16 * 4))),
    ],
)
def test_one_quantity_by_itself(target, given, letter, most):
    [fit] = derive(target, fits="80GB", **given).fits
    assert (fit.letter.name, fit.largest) == (letter, most)

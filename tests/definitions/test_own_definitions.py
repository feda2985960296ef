"""A family of one's own has every quantity that a known one has, in every format and language, by the same formulas."""

from __future__ import annotations

import json
from typing import Any

import pytest

from symparams import derive, render
from symparams.quantities.quantity import names
from tests.definitions.own import OWN, own
from tests.refusals import refusal

ASKED = {
    "parameters": {},
    "weight_memory": {"dtype": "bf16"},
    "kv_cache": {"batch": 2, "context": 10, "dtype": "bf16"},
    "forward_flops": {"batch": 2, "tokens": 8},
    "backward_flops": {"batch": 2, "tokens": 8},
    "training_flops": {"batch": 2, "tokens": 8},
    "activations": {"batch": 2, "tokens": 8, "dtype": "fp32", "scope": "all"},
    "training_memory": {"recipe": "fp32"},
    "lora": {"rank": 2, "targets": ["all-linear"]},
}
ONE_MATRIX = {"lora": {"rank": 2, "targets": ["d"]}}  # which stands in no layer
b, s, t = 2, 8, 10
T, h, n, L, V, r = b * s, 16, 4, 3, 97, 5

# By hand. A layer of GPT has four matrices h × h, two h × 4h, a bias each, and two norms of 2h.
GPT_LAYERS = L * (12 * h**2 + 13 * h)
GPT_FLOPS = L * (24 * T * h**2 + 4 * b * s**2 * h)
# Kept for the backward pass: the inputs of two norms with their means and deviations, of QKV, of the output and of up; q, k
# and v; the weights; what comes into GELU, and what comes out.
GPT_SAVED = L * (16 * T * h + b * n * s**2 + 4 * T) * 4
# And outside of the layers: the indices, the last norm, what the head reads with the loss and its answers.
IDS, NORM, HEAD = 8 * T, (T * h + 2 * T) * 4, (T * h + T * V + 1) * 4 + 8 * T
CACHE = L * 2 * b * t * h * 2  # a key and a value of h numbers for each token, in two bytes
LOGITS = 2 * T * h * V
SQUARE, SQUARE_FLOPS = 4 * h**2, 2 * T * 4 * h**2 + 4 * b * s**2 * h  # attention without biases
SQUARE_SAVED = 9 * T * h + b * n * s**2 + 2 * T  # with its norm and that of what follows, an RMSNorm each, which keeps two


def mixture(n_experts: int, n_active: int, d_expert: int) -> tuple[int, int, int]:
    """Parameters, FLOPs and saved numbers of a mixture, of which each token passes so many experts, one after the other."""
    rows = n_active * T
    saved = T * h + T * n_experts + rows * (3 * h + 4 * d_expert + 1)
    return h * n_experts + 3 * n_experts * h * d_expert, 2 * T * h * n_experts + 6 * rows * h * d_expert, saved


FEW, MANY = mixture(4, 2, 24), mixture(16, 3, 8)
# Mamba 2: 32 inner numbers in 4 heads, 2 groups of states of 6, chunks of 4 tokens, a convolution over 3 of 56 channels.
MAMBA_IN, CHANNELS, INNER, STATE = 2 * 32 + 2 * 2 * 6 + 4, 32 + 2 * 2 * 6, 32, 6
MAMBA = h * MAMBA_IN + 4 * CHANNELS + 3 * 4 + INNER + INNER * h
CHUNKS_FLOPS = 2 * b * (2 * 4 * 4**2 * (STATE + 8) + 2 * 2 * 4 * INNER * STATE + 3**2 * INNER * STATE)

NUMBERS = {
    "low_rank": {
        "parameters": V * r + r * h + GPT_LAYERS + 2 * h + h * V,
        "kv_cache": CACHE,
        "forward_flops": 2 * T * r * h + GPT_FLOPS + LOGITS,
        "activations": IDS + T * r * 4 + GPT_SAVED + NORM + HEAD,
        "lora": L * 2 * ((h + 3 * h) + 2 * h + 2 * 5 * h),
    },
    "two_mixtures": {
        "parameters": 2 * V * h + h + L * (SQUARE + 3 * h + FEW[0] + MANY[0]),
        "kv_cache": CACHE,
        "forward_flops": L * (SQUARE_FLOPS + FEW[1] + MANY[1]) + LOGITS,
        "activations": IDS + L * (SQUARE_SAVED + 2 * T * h + T + FEW[2] + MANY[2]) * 4 + (2 * T * h + T) * 4 + HEAD,
        "lora": L * 2 * (4 * 2 * h + (h + 4) + (h + 16)),  # experts lie in one array, which has no adapter
    },
    "state_spaces": {
        "parameters": 2 * V * h + h + L * (h + MAMBA),
        "kv_cache": L * b * (3 * CHANNELS * 2 + INNER * STATE * 4),  # the state in four bytes, whatever else is in two
        "forward_flops": L * (2 * T * (h * MAMBA_IN + 3 * CHANNELS + INNER * h) + CHUNKS_FLOPS) + LOGITS,
        "lora": L * 2 * ((h + MAMBA_IN) + (INNER + h)),
    },
    "one_matrix": {
        "parameters": 3 * 5,
        "forward_flops": 2 * T * 3 * 5,
        "activations": T * 3 * 4,
        "lora": 2 * (3 + 5),
    },
}
NOT_DERIVED = "Activations: what layers.mix, dual_state_space, saves for the backward pass is not derived."
REFUSED = {
    ("one_matrix", "kv_cache"): "one_matrix has no KV cache: it has neither attention nor a state space.",
    ("state_spaces", "activations"): NOT_DERIVED,
}
# What follows from the parameters and the FLOPs alone.
RATIOS = {
    "weight_memory": ("parameters", 2),
    "training_memory": ("parameters", 4 + 4 + 8),  # weights, gradients and two moments, in fp32
    "backward_flops": ("forward_flops", 2),
    "training_flops": ("forward_flops", 3),
}


def inputs_of(name: str, quantity: str) -> dict[str, Any]:
    return {**ASKED, **(ONE_MATRIX if name == "one_matrix" else {})}[quantity]


def expected(name: str, quantity: str) -> int:
    """The number by hand."""
    of, factor = RATIOS.get(quantity, (quantity, 1))
    return factor * NUMBERS[name][of]


def test_every_quantity_is_asked_for():
    assert set(ASKED) == set(names())
    assert set(NUMBERS) == set(OWN)


@pytest.mark.parametrize("name", OWN)
def test_each_quantity_is_as_by_hand_and_has_a_sheet_in_every_format_and_language(name):
    for quantity in ASKED:
        inputs = inputs_of(name, quantity)
        if (name, quantity) in REFUSED:
            assert refusal(own(name).measure, quantity, **inputs) == REFUSED[name, quantity]
            continue
        number = expected(name, quantity)
        assert own(name).measure(quantity, **inputs) == number, quantity
        derivation = derive(own(name), quantity=quantity, **inputs)
        assert json.loads(render(derivation, "json"))["value"] == number
        assert f"{number:,}" in render(derivation, "text", language="zh"), quantity
        assert f"{number:,}" in render(derivation, "latex").replace("{,}", ","), quantity

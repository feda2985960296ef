"""Definitions of one's own are what torch.nn computes: their arrays, and to the byte what their backward pass needs."""

from __future__ import annotations

from typing import Any

import pytest

from symparams import (
    Architecture,
    attention,
    block,
    embedding,
    feed_forward,
    gated_feed_forward,
    layer_norm,
    linear,
    load,
    non_parametric_layer_norm,
    non_parametric_rms_norm,
    normed_after,
    pre_norm,
    rms_norm,
    sandwiched,
    wide_attention,
)
from tests.library import require

require("torch", "transformers")

import torch  # noqa: E402 - asked for above
from torch import nn  # noqa: E402
from torch.nn import functional  # noqa: E402

from tests.library.kept import saved  # noqa: E402

DTYPES = {"fp32": torch.float32, "bf16": torch.bfloat16}
V, H, LAYERS, HEADS, INNER, B, S = 11, 8, 3, 2, 12, 2, 5


class Attention(nn.Module):
    """Scaled attention, eager, in its plainest form."""

    def __init__(self, width: int, inner: int, *, bias: bool) -> None:
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(width, inner, bias=bias) for _ in range(3))
        self.output = nn.Linear(inner, width, bias=bias)

    def forward(self, x: Any) -> Any:
        query, key, value = (made(x).unflatten(-1, (HEADS, -1)).transpose(1, 2) for made in (self.query, self.key, self.value))
        scores = query @ key.transpose(-1, -2) / query.shape[-1] ** 0.5
        hidden = torch.full((x.shape[1], x.shape[1]), float("-inf"), dtype=x.dtype).triu(1)
        weights = functional.softmax(scores + hidden, dim=-1)
        return self.output((weights @ value).transpose(1, 2).flatten(-2))


class Gated(nn.Module):
    def __init__(self, width: int, inner: int) -> None:
        super().__init__()
        self.gate, self.up = nn.Linear(width, inner, bias=False), nn.Linear(width, inner, bias=False)
        self.down = nn.Linear(inner, width, bias=False)

    def forward(self, x: Any) -> Any:
        return self.down(functional.silu(self.gate(x)) * self.up(x))


class Sum(nn.Module):
    """x + f(x)."""

    def __init__(self, *parts: nn.Module) -> None:
        super().__init__()
        self.parts = nn.Sequential(*parts)

    def forward(self, x: Any) -> Any:
        return x + self.parts(x)


def fed_forward(activation: nn.Module) -> nn.Module:
    return nn.Sequential(nn.Linear(H, INNER), activation, nn.Linear(INNER, H))


class Loss(nn.Module):
    """Cross-entropy of the next words."""

    def forward(self, logits: Any) -> Any:
        answers = functional.pad(torch.randint(V, (B, S)), (0, 1), value=-100)[:, 1:]
        return functional.cross_entropy(logits.flatten(0, 1), answers.reshape(-1))


MIX = attention(H, HEADS, causal=True)
GELU = {"feed_forward": feed_forward(H, INNER)}
SWIGLU = {"feed_forward": gated_feed_forward(H, INNER)}
# One layer of ours, of so many, and the same in torch.
CASES = {
    "pre_norm": (
        pre_norm(layer_norm(H), attention=MIX, **GELU),
        lambda: nn.Sequential(Sum(nn.LayerNorm(H), Attention(H, H, bias=True)), Sum(nn.LayerNorm(H), fed_forward(nn.GELU()))),
    ),
    "rms_norm": (
        pre_norm(rms_norm(H), attention=wide_attention(H, HEADS, 3, causal=True), **SWIGLU),
        lambda: nn.Sequential(Sum(nn.RMSNorm(H), Attention(H, 6, bias=False)), Sum(nn.RMSNorm(H), Gated(H, INNER))),
    ),
    "norms_without_parameters": (
        (*pre_norm(non_parametric_layer_norm(), attention=MIX), *normed_after(non_parametric_rms_norm(), **SWIGLU)),
        lambda: nn.Sequential(
            Sum(nn.LayerNorm(H, elementwise_affine=False), Attention(H, H, bias=True)),
            Sum(Gated(H, INNER), nn.RMSNorm(H, elementwise_affine=False)),
        ),
    ),
    "without_attention": (
        sandwiched(layer_norm(H, bias=False), feed_forward=feed_forward(H, INNER, activation="relu")),
        lambda: Sum(nn.LayerNorm(H, bias=False), fed_forward(nn.ReLU()), nn.LayerNorm(H, bias=False)),
    ),
    "matrices": (
        (block(narrow=linear(H, 3, activation="tanh"), wide=linear(3, H, bias=False)),),
        lambda: nn.Sequential(nn.Linear(H, 3), nn.Tanh(), nn.Linear(3, H, bias=False)),
    ),
}


def kept(stack: nn.Module, dtype: torch.dtype, x: Any = None) -> int:
    """The bytes of everything that is saved and is no weight, each storage once."""
    return saved(stack, {"input": torch.randn(B, S, H, dtype=dtype, requires_grad=True) if x is None else x})[1]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", CASES)
def test_what_a_definition_keeps_is_what_torch_saves(name, dtype):
    ours, theirs = CASES[name]
    model = load(Architecture("mine", layers=LAYERS * block("layer", *ours)))
    stack = nn.Sequential(*(theirs() for _ in range(LAYERS))).to(DTYPES[dtype])
    assert model.count() == sum(parameter.numel() for parameter in stack.parameters())
    assert model.measure("activations", b=B, s=S, dtype=dtype) == kept(stack, DTYPES[dtype])


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_table_a_last_norm_and_a_head_with_its_loss_keep_theirs(dtype):
    model = load(Architecture("mine", table=embedding(V, H), norm=rms_norm(H), head=linear(H, V, bias=False)))
    whole = nn.Sequential(nn.Embedding(V, H), nn.RMSNorm(H), nn.Linear(H, V, bias=False), Loss()).to(DTYPES[dtype])
    assert model.count() == sum(parameter.numel() for parameter in whole.parameters())
    words = torch.randint(V, (B, S))
    assert model.measure("activations", b=B, s=S, dtype=dtype, scope="all") == kept(whole, DTYPES[dtype], words)

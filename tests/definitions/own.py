"""Four families of one's own from the public builders, unlike those that are known in their names, letters and parts."""

from __future__ import annotations

from symparams import (
    Architecture,
    Dimension,
    Model,
    attention,
    block,
    dual_state_space,
    embedding,
    feed_forward,
    layer_norm,
    linear,
    load,
    mixture_of_experts,
    residual,
    rms_norm,
)
from symparams.expressions.symbols import L, V, d_ff, h, n_heads, r

# The README's: r is a letter of its own, and the rank of LoRA elsewhere.
LOW_RANK = Architecture(
    "low_rank",
    embeddings=block(token_embedding=embedding(V, r), embedding_projection=linear(r, h, bias=False)),
    decoder=L
    * block(
        residual(attention_norm=layer_norm(h), attention=attention(h, n_heads, fused=True, causal=True)),
        residual(feed_forward_norm=layer_norm(h), feed_forward=feed_forward(h, d_ff)),
    ),
    final_layer_norm=layer_norm(h),
    lm_head=linear(h, V, bias=False),
    relations={d_ff: 4 * h},
)

TWO_MIXTURES = Architecture(
    "two_mixtures",
    table=embedding(V, h),
    layers=L
    * block(
        residual(first=rms_norm(h), mix=attention(h, n_heads, bias=False, causal=True)),
        residual(second=rms_norm(h), few=mixture_of_experts(h, 4, 2, 24)),
        residual(third=rms_norm(h), many=mixture_of_experts(h, 16, 3, 8)),
    ),
    last=rms_norm(h),
    top=linear(h, V, bias=False),
)

words, width, depth = (Dimension(name) for name in ("words", "width", "depth"))
u, k, g, z, c = (Dimension(name) for name in "ukgzc")

STATE_SPACES = Architecture(
    "state_spaces",
    table=embedding(words, width),
    layers=depth * block(residual(norm=rms_norm(width), mix=dual_state_space(width, u, k, g, z, c, chunk=4))),
    norm=rms_norm(width),
    top=linear(width, words, bias=False),
)

ONE_MATRIX = Architecture("one_matrix", d=linear(3, 5, bias=False))

SIZES = {
    "low_rank": {"V": 97, "h": 16, "L": 3, "n_heads": 4, "r": 5},
    "two_mixtures": {"V": 97, "h": 16, "L": 3, "n_heads": 4},
    "state_spaces": {"words": 97, "width": 16, "depth": 3, "u": 32, "k": 4, "g": 2, "z": 6, "c": 3},
    "one_matrix": {},
}
OWN = {family.name: family for family in (LOW_RANK, TWO_MIXTURES, STATE_SPACES, ONE_MATRIX)}


def own(name: str) -> Model:
    """One of them with its sizes."""
    return load(OWN[name], **SIZES[name])

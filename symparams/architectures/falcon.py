"""Falcon: attention and feed-forward side by side, query heads that share key-value heads."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import decoder_only
from symparams.components import (
    Component,
    alibi,
    attention,
    block,
    embedding,
    feed_forward,
    layer_norm,
    parallel,
    residual,
    rotary,
    side_by_side,
)
from symparams.expressions.symbols import L, V, d_ff, d_head, h, n_heads, n_kv_heads
from symparams.features import alibi_positions, biases, lm_head, parallel_attention, separate_norms, tying

embeddings = block(
    token_embedding=embedding(V, h),
    positions=~alibi_positions * rotary(),
    alibi_positions=alibi_positions * alibi(),
)


def decoder_layer(positions: str) -> Component:
    """A layer whose attention has these positions: its sublayers side by side, after two norms or one, or in turn."""
    mixer = attention(h, n_heads, n_kv_heads, d_head, fused=True, bias=biases, causal=True, positions=positions)
    sublayers = {"attention": mixer, "feed_forward": feed_forward(h, d_ff, bias=biases)}
    one_norm = residual(attention_norm=layer_norm(h), branches=parallel(**sublayers))
    in_turn = (
        residual(attention_norm=layer_norm(h), attention=mixer),
        residual(feed_forward_norm=separate_norms * layer_norm(h), feed_forward=sublayers["feed_forward"]),
    )
    return block(
        parallel_attention * block(separate_norms * side_by_side(layer_norm(h), **sublayers), ~separate_norms * one_norm),
        ~parallel_attention * block(*in_turn),
    )


layer = block("decoder_layer", ~alibi_positions * decoder_layer("rotary"), alibi_positions * decoder_layer("alibi"))

FALCON = Architecture(
    "falcon",
    title="Falcon",
    source="Almazrouei et al., 2023, arXiv:2311.16867",
    tree=decoder_only(L * layer, layer_norm(h), embeddings=embeddings),
    relations={d_ff: 4 * h, n_kv_heads: n_heads},
    identities={d_head: h / n_heads},
    has=(lm_head, tying, parallel_attention),
)

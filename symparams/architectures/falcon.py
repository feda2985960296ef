"""Falcon: attention and feed-forward side by side, query heads that share heads of key and value (Almazrouei et al., 2023,
arXiv:2311.16867)."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import decoder_only
from symparams.components import (
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
sublayers = {
    "attention": attention(h, n_heads, n_kv_heads, d_head, fused=True, bias=biases, causal=True, positions="rotary"),
    "feed_forward": feed_forward(h, d_ff),
}
in_turn = block(
    residual(attention_norm=layer_norm(h), attention=sublayers["attention"]),
    residual(feed_forward_norm=separate_norms * layer_norm(h), feed_forward=sublayers["feed_forward"]),
)
decoder_layer = block(
    "decoder_layer",
    parallel_attention
    * block(
        separate_norms * side_by_side(layer_norm(h), **sublayers),
        ~separate_norms * residual(attention_norm=layer_norm(h), branches=parallel(**sublayers)),
    ),
    ~parallel_attention * in_turn,
)

FALCON = Architecture(
    "falcon",
    title="Falcon",
    source="Almazrouei et al., 2023, arXiv:2311.16867",
    tree=decoder_only(L * decoder_layer, layer_norm(h), embeddings=embeddings),
    relations={d_ff: 4 * h, n_kv_heads: n_heads},
    identities={d_head: h / n_heads},
    has=(lm_head, tying, parallel_attention),
)

"""Zamba2: Mamba 2's layers, before some of which stands one of a few transformer blocks, which these layers share in turn, each
with adapters of its own."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import NORM, decoder_only
from symparams.architectures._mixed_stacks import SHARED_BLOCKS, doubled, sharing_blocks
from symparams.components import (
    Component,
    block,
    dual_state_space,
    embedding,
    fused_gated_feed_forward,
    rotary,
    tied,
    with_adapters,
)
from symparams.expressions.symbols import V, chunk, d_conv, d_ff, d_inner, d_state, expand, h, n_groups, n_ssm_heads, r_adapter
from symparams.features import (
    attention_adapters,
    biases,
    hybrid_layers,
    hybrid_shared_layers,
    lm_head,
    mamba_layers,
    rotary_positions,
    tying,
)

state_space = dual_state_space(h, d_inner, n_ssm_heads, n_groups, d_state, d_conv, chunk=chunk, bias=biases)
network = fused_gated_feed_forward(h, d_ff, bias=biases, activation="gelu")


def transformer(owner: str) -> Component:
    """Attention and a feed-forward network, or those of the ``owner``, each matrix but the last with an adapter."""

    def used(name: str, part: Component) -> Component:
        return tied(part, f"{owner}.{name}") if owner else part

    def attending(positions: str) -> Component:
        attention = used("attention", doubled(positions))
        adapted = with_adapters(attention, r_adapter, query=2 * h, key_value=2 * h)
        return block(attention_adapters * block(attention=adapted), ~attention_adapters * block(attention=attention))

    return block(
        rotary_positions * attending("rotary"),
        ~rotary_positions * attending(""),
        feed_forward_norm=used("feed_forward_norm", NORM),
        feed_forward=with_adapters(used("feed_forward", network), r_adapter, gate_up=2 * d_ff),
    )


ZAMBA2 = Architecture(
    "zamba2",
    title="Zamba2",
    source="Glorioso et al., 2024, arXiv:2411.15242",
    tree=decoder_only(
        sharing_blocks(state_space, transformer),
        embeddings=block(token_embedding=embedding(V, h), positions=rotary_positions * rotary()),
    ),
    relations={**SHARED_BLOCKS, d_inner: expand * h},
    has=(lm_head, mamba_layers, hybrid_layers, hybrid_shared_layers, rotary_positions, tying),
)

"""Zamba: Mamba's layers, whose heads select apart, before some of which stands one transformer block that these share."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import NORM, decoder_only, plain_embeddings
from symparams.architectures._mixed_stacks import SHARED_BLOCKS, doubled, sharing_blocks
from symparams.architectures.mamba import MAMBA
from symparams.components import Component, block, gated_feed_forward, selective_state_space, tied
from symparams.expressions.symbols import d_conv, d_ff, d_inner, d_state, h, n_ssm_heads, r_dt
from symparams.features import conv_bias, hybrid_layers, hybrid_shared_layers, lm_head, mamba_layers, projection_bias, tying

state_space = selective_state_space(
    h, d_inner, d_state, d_conv, r_dt, n_heads=n_ssm_heads, bias=projection_bias, conv_bias=conv_bias
)


def transformer(owner: str) -> Component:
    """Attention and a feed-forward network, or those of the ``owner``."""
    own = block(attention=doubled(), feed_forward_norm=NORM, feed_forward=gated_feed_forward(h, d_ff, activation="gelu"))
    return tied(own, owner) if owner else own


ZAMBA = Architecture(
    "zamba",
    title="Zamba",
    source="Glorioso et al., 2024, arXiv:2405.16712",
    tree=decoder_only(sharing_blocks(state_space, transformer), embeddings=plain_embeddings),
    relations={**SHARED_BLOCKS, **MAMBA.relations},
    has=(lm_head, mamba_layers, hybrid_layers, hybrid_shared_layers, conv_bias, tying),
)

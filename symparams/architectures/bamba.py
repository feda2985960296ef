"""Bamba: Mamba 2's layers, some of which attend instead, each followed by a feed-forward network."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, NORM, decoder_only, grouped
from symparams.architectures._mixed_stacks import attention_and_mamba
from symparams.architectures.mamba2 import MAMBA2
from symparams.components import dual_state_space, gated_feed_forward, pre_norm
from symparams.expressions.symbols import chunk, d_conv, d_ff, d_inner, d_state, h, n_groups, n_ssm_heads
from symparams.features import (
    attention_bias,
    attention_layers,
    conv_bias,
    lm_head,
    mamba_layers,
    mlp_bias,
    projection_bias,
    tying,
)

attention = grouped(bias=attention_bias)
state_space = dual_state_space(
    h, d_inner, n_ssm_heads, n_groups, d_state, d_conv, chunk=chunk, bias=projection_bias, conv_bias=conv_bias
)
mixers = pre_norm(NORM, attention=attention, state_space=state_space)
network = pre_norm(NORM, feed_forward=gated_feed_forward(h, d_ff, bias=mlp_bias))

BAMBA = Architecture(
    "bamba",
    title="Bamba",
    source="Ganti et al., 2024, https://huggingface.co/blog/bamba",
    tree=decoder_only(attention_and_mamba(*mixers, *network)),
    relations={**GROUPED, **MAMBA2.relations},
    has=(lm_head, attention_layers, mamba_layers, conv_bias, ~tying),
)

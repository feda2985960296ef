"""Mamba 2: state spaces whose heads share B and C in groups."""

from symparams.architectures import Architecture
from symparams.architectures.mamba import mamba_decoder
from symparams.components import dual_state_space
from symparams.expressions.symbols import chunk, d_conv, d_head, d_inner, d_state, expand, h, n_groups, n_ssm_heads
from symparams.features import conv_bias, lm_head, projection_bias, tying

state_space = dual_state_space(
    h, d_inner, n_ssm_heads, n_groups, d_state, d_conv, d_head=d_head, chunk=chunk, bias=projection_bias, conv_bias=conv_bias
)

MAMBA2 = Architecture(
    "mamba2",
    title="Mamba 2",
    source="Dao & Gu, 2024, arXiv:2405.21060",
    tree=mamba_decoder(state_space),
    relations={d_inner: expand * h},
    identities={d_head: d_inner / n_ssm_heads},
    has=(lm_head, conv_bias, ~tying),
)

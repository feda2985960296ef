"""Mamba: selective state spaces in place of attention."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import TOKENS, plain_embeddings
from symparams.components import Component, block, output_head, residual, rms_norm, selective_state_space
from symparams.expressions.nodes import Ceiling
from symparams.expressions.symbols import L, V, d_conv, d_inner, d_state, expand, h, r_dt
from symparams.features import conv_bias, lm_head, projection_bias, tying

state_space = selective_state_space(h, d_inner, d_state, d_conv, r_dt, bias=projection_bias, conv_bias=conv_bias)


def mamba_decoder(state_space: Component) -> Component:
    """A stack of state-space layers, x + state_space(norm(x)) each, between the embedding and the language-model head."""
    mamba_layer = block("mamba_layer", residual(state_space_norm=rms_norm(h), state_space=state_space))
    return block(
        embeddings=plain_embeddings,
        backbone=L * mamba_layer,
        final_norm=rms_norm(h),
        lm_head=lm_head * output_head(h, V, tied_to=TOKENS),
    )


MAMBA = Architecture(
    "mamba",
    title="Mamba",
    source="Gu & Dao, 2023, arXiv:2312.00752",
    tree=mamba_decoder(state_space),
    relations={d_inner: expand * h, r_dt: Ceiling(h / 16)},
    has=(lm_head, tying, conv_bias),
)

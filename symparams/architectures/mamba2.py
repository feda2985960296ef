"""Mamba 2: state spaces whose heads share B and C in groups (Dao & Gu, 2024, arXiv:2405.21060)."""

from symparams.architectures import Architecture
from symparams.components import block, embedding, linear, rms_norm
from symparams.components.state_space import dual_state_space
from symparams.expressions.features import conv_bias, lm_head, projection_bias, tying
from symparams.expressions.symbols import L, V, d_conv, d_head, d_inner, d_state, expand, h, n_groups, n_ssm_heads
from symparams.models.library import Flag, Key, Library, Settings

HIDDEN_SIZE, EXPAND = 4_096, 2

mamba_layer = block(
    "mamba_layer",
    state_space_norm=rms_norm(h),
    state_space=dual_state_space(h, d_inner, n_ssm_heads, n_groups, d_state, d_conv),
)


def inner_size(settings: Settings) -> int:
    """The inner size, a multiple of the hidden size."""
    return settings.need("expand", default=EXPAND) * settings.need("hidden_size", default=HIDDEN_SIZE)


MAMBA2 = Architecture(
    "mamba2",
    title="Mamba 2",
    source="Dao & Gu, 2024, arXiv:2405.21060",
    tree=block(
        embeddings=block(token_embedding=embedding(V, h)),
        backbone=L * mamba_layer,
        final_norm=rms_norm(h),
        lm_head=lm_head * linear(h, V, bias=False, tied_to="embeddings.token_embedding"),
    ),
    library=Library(
        base="Mamba2Model",
        classes={"Mamba2Model": (), "Mamba2ForCausalLM": (lm_head,)},
        sizes={
            V: Key("vocab_size", default=32_768),
            h: Key("hidden_size", default=HIDDEN_SIZE),
            L: Key("num_hidden_layers", default=64),
            d_inner: inner_size,
            n_ssm_heads: Key("num_heads", default=128),
            d_head: Key("head_dim", default=64),
            n_groups: Key("n_groups", default=8),
            d_state: Key("state_size", default=128),
            d_conv: Key("conv_kernel", default=4),
        },
        flags={
            tying: Flag("tie_word_embeddings", default=False),
            projection_bias: Flag("use_bias", default=False),
            conv_bias: Flag("use_conv_bias", default=True),
        },
    ),
    relations={d_inner: expand * h},
    identities={d_head: d_inner / n_ssm_heads},
    has=(lm_head, conv_bias),
    may_have=(tying, projection_bias),
)

"""Mamba: selective state spaces in place of attention (Gu & Dao, 2023, arXiv:2312.00752)."""

from symparams.architectures import Architecture, Published
from symparams.components import block, embedding, linear, rms_norm
from symparams.components.state_space import selective_state_space
from symparams.expressions.features import conv_bias, lm_head, projection_bias, tying
from symparams.expressions.marks import Ceiling
from symparams.expressions.symbols import L, V, d_conv, d_inner, d_state, expand, h, r_dt
from symparams.models.library import Flag, Key, Library, Settings

HIDDEN_SIZE, EXPAND = 768, 2

mamba_layer = block(
    "mamba_layer",
    state_space_norm=rms_norm(h),
    state_space=selective_state_space(h, d_inner, d_state, d_conv, r_dt),
)


def time_step_rank(settings: Settings) -> int | None:
    """The rank of Δ, or None where the config leaves it to the hidden size."""
    return None if settings.values.get("time_step_rank") == "auto" else settings.size("time_step_rank")


def inner_size(settings: Settings) -> int:
    """The inner size as a config has it, otherwise a multiple of the hidden size."""
    given = settings.size("intermediate_size")
    return given or settings.need("expand", default=EXPAND) * settings.need("hidden_size", default=HIDDEN_SIZE)


MAMBA = Architecture(
    "mamba",
    title="Mamba",
    source="Gu & Dao, 2023, arXiv:2312.00752",
    tree=block(
        embeddings=block(token_embedding=embedding(V, h)),
        backbone=L * mamba_layer,
        final_norm=rms_norm(h),
        lm_head=lm_head * linear(h, V, bias=False, tied_to="embeddings.token_embedding"),
    ),
    library=Library(
        base="MambaModel",
        classes={"MambaModel": (), "MambaForCausalLM": (lm_head,)},
        sizes={
            V: Key("vocab_size", default=50_280),
            h: Key("hidden_size", default=HIDDEN_SIZE),
            L: Key("num_hidden_layers", default=32),
            d_inner: inner_size,
            d_state: Key("state_size", default=16),
            d_conv: Key("conv_kernel", default=4),
            r_dt: time_step_rank,
        },
        flags={
            tying: Flag("tie_word_embeddings", default=True),
            projection_bias: Flag("use_bias", default=False),
            conv_bias: Flag("use_conv_bias", default=True),
        },
    ),
    relations={d_inner: expand * h, r_dt: Ceiling(h / 16)},
    has=(lm_head, tying, conv_bias),
    may_have=(projection_bias,),
    models={
        "mamba-130m": Published(
            {V: 50_280, h: 768, L: 24, d_state: 16, d_conv: 4, expand: 2},
            source="https://huggingface.co/state-spaces/mamba-130m-hf/blob/main/config.json",
        ),
    },
)

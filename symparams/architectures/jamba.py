"""Jamba: layers that mix tokens by a state space or, in turn, by attention, each followed by a feed-forward network or, in
turn, by a mixture of experts; no positions."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, NORM, decoder_only, grouped, plain_embeddings
from symparams.architectures._mixed_stacks import in_turn, mixers_and_networks, stack
from symparams.architectures.mamba import MAMBA, state_space
from symparams.components import (
    equals,
    gated_feed_forward,
    mixture_of_experts,
    pre_norm,
    residual,
    rms_norm,
    with_selection_norms,
)
from symparams.expressions.symbols import L_attn, L_dense, L_mamba, L_moe, d_ff, d_state, h, n_active, n_experts, r_dt
from symparams.features import attention_layers, conv_bias, dense_layers, lm_head, mamba_layers, moe_layers, tying

attention = grouped(positions="")
mamba = with_selection_norms(state_space, rms_norm(r_dt), rms_norm(d_state), rms_norm(d_state))
experts = mixture_of_experts(h, n_experts, n_active, d_ff, scores="softmax")

mixers = in_turn(
    stack("attention_sublayer", L_attn, *pre_norm(NORM, attention=attention)),
    stack("mamba_sublayer", L_mamba, *pre_norm(NORM, state_space=mamba)),
)
decoder = mixers_and_networks(mixers, gated_feed_forward(h, d_ff), residual(feed_forward_norm=NORM, experts=experts))

JAMBA = Architecture(
    "jamba",
    title="Jamba",
    source="Lieber et al., 2024, arXiv:2403.19887",
    tree=decoder_only(decoder, embeddings=plain_embeddings),
    relations={**GROUPED, **MAMBA.relations},
    laws=[equals(L_attn + L_mamba, L_dense + L_moe)],
    has=(lm_head, attention_layers, mamba_layers, dense_layers, moe_layers, conv_bias, ~tying),
)

"""Nemotron-H: layers of one part each, a state space of Mamba 2, attention without positions, a feed-forward network or a
mixture of experts, in an order of their own."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import NORM, decoder_only, grouped, normed_mixture, plain_embeddings
from symparams.architectures._mixed_stacks import in_turn, stack
from symparams.components import Component, dual_state_space, feed_forward, plain_mixture_of_experts, pre_norm
from symparams.expressions.nodes import Dimension
from symparams.expressions.symbols import (
    L_attn,
    L_dense,
    L_mamba,
    L_moe,
    chunk,
    d_conv,
    d_expert,
    d_ff,
    d_inner,
    d_latent,
    d_shared,
    d_ssm_head,
    d_state,
    h,
    n_active,
    n_experts,
    n_groups,
    n_heads,
    n_kv_heads,
    n_ssm_heads,
)
from symparams.features import (
    attention_layers,
    conv_bias,
    dense_layers,
    latent_experts,
    lm_head,
    mamba_layers,
    mlp_bias,
    moe_layers,
    projection_bias,
    tying,
)

sizes = (h, d_inner, n_ssm_heads, n_groups, d_state, d_conv)
state_space = dual_state_space(*sizes, d_head=d_ssm_head, chunk=chunk, bias=projection_bias, conv_bias=conv_bias)


def mixture(latent: Dimension | None) -> Component:
    """Routed experts, which may read a shorter vector, beside one that every token passes."""
    routed = plain_mixture_of_experts(h, n_experts, n_active, d_expert, latent=latent, bias=mlp_bias, scores="sigmoid")
    return normed_mixture(experts=routed, shared_expert=feed_forward(h, d_shared, bias=mlp_bias, activation="relu2"))


network = feed_forward(h, d_ff, bias=mlp_bias, activation="relu2")

NEMOTRON_H = Architecture(
    "nemotron_h",
    title="Nemotron-H",
    source="NVIDIA, 2025, arXiv:2504.03624",
    tree=decoder_only(
        in_turn(
            stack("attention_layer", L_attn, *pre_norm(NORM, attention=grouped(positions=""))),
            stack("mamba_layer", L_mamba, *pre_norm(NORM, state_space=state_space)),
            stack("dense_layer", L_dense, *pre_norm(NORM, feed_forward=network)),
            stack("moe_layer", L_moe, ~latent_experts * mixture(None), latent_experts * mixture(d_latent)),
        ),
        embeddings=plain_embeddings,
    ),
    relations={n_kv_heads: n_heads},
    identities={d_inner: n_ssm_heads * d_ssm_head},
    has=(lm_head, attention_layers, mamba_layers, dense_layers, moe_layers, conv_bias, ~tying),
)

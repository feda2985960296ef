"""LFM2's mixture: the first layers feed forward through one network, the others through experts, whose router is balanced by a
bias that is not trained."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, NORM, decoder_only, normed_mixture
from symparams.architectures._mixed_stacks import in_turn, mixers_and_networks, stack
from symparams.architectures.lfm2 import LFM2, attention, feed_forward, short_convolution
from symparams.components import equals, mixture_of_experts, pre_norm
from symparams.expressions.symbols import L_attn, L_conv, L_dense, L_moe, d_expert, h, n_active, n_experts
from symparams.features import dense_layers, moe_layers

mixers = in_turn(
    stack("convolution_sublayer", L_conv, *pre_norm(NORM, short_convolution=short_convolution)),
    stack("attention_sublayer", L_attn, *pre_norm(NORM, attention=attention)),
)
mixture = normed_mixture(experts=mixture_of_experts(h, n_experts, n_active, d_expert, scores="sigmoid"))

LFM2_MOE = Architecture(
    "lfm2_moe",
    title="LFM2-MoE",
    source="Amini et al., 2025, arXiv:2511.23404",
    tree=decoder_only(mixers_and_networks(mixers, feed_forward, mixture)),
    relations=GROUPED,
    laws=[equals(L_attn + L_conv, L_dense + L_moe)],
    has=(*LFM2.has, dense_layers, moe_layers),
)

"""LFM2's mixture: the first layers feed forward through one network, the others through experts, whose router is balanced by a
bias that is not trained (Amini et al., 2025, arXiv:2511.23404)."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, NORM, decoder_only, normed_mixture
from symparams.architectures.lfm2 import LFM2, attention, feed_forward, short_convolution
from symparams.components import alternating, block, equals, mixture_of_experts, pre_norm
from symparams.expressions.symbols import L_attn, L_conv, L_dense, L_moe, d_expert, h, n_active, n_experts
from symparams.features import attention_layers, convolution_layers, dense_layers, moe_layers

mixers = block(
    convolution_sublayers=convolution_layers
    * (L_conv * block("convolution_sublayer", *pre_norm(NORM, short_convolution=short_convolution))),
    attention_sublayers=attention_layers * (L_attn * block("attention_sublayer", *pre_norm(NORM, attention=attention))),
)
networks = block(
    feed_forward_sublayers=dense_layers
    * (L_dense * block("feed_forward_sublayer", *pre_norm(NORM, feed_forward=feed_forward))),
    expert_sublayers=moe_layers
    * (L_moe * block("expert_sublayer", normed_mixture(experts=mixture_of_experts(h, n_experts, n_active, d_expert)))),
)

LFM2_MOE = Architecture(
    "lfm2_moe",
    title="LFM2-MoE",
    source="Amini et al., 2025, arXiv:2511.23404",
    tree=decoder_only(alternating(block(alternating(mixers), alternating(networks)))),
    relations=GROUPED,
    laws=[equals(L_attn + L_conv, L_dense + L_moe)],
    has=(*LFM2.has, dense_layers, moe_layers),
)

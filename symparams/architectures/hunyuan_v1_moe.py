"""Hunyuan's mixture: Hunyuan's layer with many experts beside one of their size that every token passes."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, decoder_only, mixture_layer
from symparams.architectures.hunyuan_v1_dense import HUNYUAN_V1_DENSE, attention
from symparams.components import gated_feed_forward, mixture_of_experts
from symparams.expressions.symbols import L, d_ff, h, n_active, n_experts

experts = mixture_of_experts(h, n_experts, n_active, d_ff, scores="softmax")

HUNYUAN_V1_MOE = Architecture(
    "hunyuan_v1_moe",
    title="Hunyuan MoE",
    source="Tencent, 2025, https://github.com/Tencent-Hunyuan/Hunyuan-A13B",
    tree=decoder_only(L * mixture_layer(attention, experts=experts, shared_expert=gated_feed_forward(h, d_ff))),
    relations=GROUPED,
    has=HUNYUAN_V1_DENSE.has,
)

"""Granite MoE Shared: Granite MoE with an expert beside the routed ones that every token passes."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import decoder_only, mixture_layer
from symparams.architectures.granite import attention, multiplied, multipliers
from symparams.architectures.granitemoe import GRANITEMOE, experts
from symparams.components import fused_gated_feed_forward
from symparams.expressions.symbols import L, d_shared, h
from symparams.features import shared_experts, tying

shared_expert = multiplied(fused_gated_feed_forward(h, d_shared))
decoder_layer = mixture_layer(attention, experts=experts, shared_expert=shared_experts * shared_expert)

GRANITEMOESHARED = Architecture(
    "granitemoeshared",
    title="Granite MoE Shared",
    source="Shen et al., 2024, arXiv:2408.13359",
    tree=decoder_only(L * decoder_layer, **multipliers),
    relations=GRANITEMOE.relations,
    has=(*GRANITEMOE.has, shared_experts, ~tying),
)

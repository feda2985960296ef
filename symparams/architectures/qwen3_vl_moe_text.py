"""Qwen3-VL with experts, its text model: Qwen3-MoE without windows."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, decoder_only
from symparams.architectures._mixed_stacks import dense_and_mixture
from symparams.architectures.qwen3_vl_text import attention
from symparams.components import alternating, mixture_of_experts
from symparams.expressions.symbols import d_expert, h, n_active, n_experts
from symparams.features import moe_layers, query_key_norm

QWEN3_VL_MOE_TEXT = Architecture(
    "qwen3_vl_moe_text",
    title="Qwen3-VL MoE (text)",
    source="Bai et al., 2025, arXiv:2511.21631",
    tree=decoder_only(
        alternating(
            dense_and_mixture(attention, experts=mixture_of_experts(h, n_experts, n_active, d_expert, scores="softmax"))
        )
    ),
    relations=GROUPED,
    has=(moe_layers, query_key_norm),
)

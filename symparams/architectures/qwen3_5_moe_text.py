"""Qwen3.5 with experts, the text model: every layer has a mixture, and an expert that every token passes (Qwen Team, 2026)."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, NORM, attention_and_linear, decoder_only
from symparams.architectures.qwen3_5_text import linear_attention
from symparams.architectures.qwen3_next import attention, experts
from symparams.components import block, residual
from symparams.features import attention_layers, linear_attention_layers, lm_head, query_key_norm, tying

QWEN3_5_MOE_TEXT = Architecture(
    "qwen3_5_moe_text",
    title="Qwen3.5 MoE (text)",
    source="Qwen Team, 2026, https://qwen.ai/blog?id=qwen3.5",
    tree=decoder_only(attention_and_linear(attention, linear_attention, residual(block(feed_forward_norm=NORM), experts))),
    relations=GROUPED,
    has=(lm_head, linear_attention_layers, attention_layers, query_key_norm, ~tying),
)

"""Qwen3.5 with experts, the text model: every layer has a mixture, and an expert that every token passes."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, decoder_only
from symparams.architectures._mixed_stacks import attention_and_linear
from symparams.architectures.qwen3_5_text import mixers
from symparams.architectures.qwen3_next import mixture
from symparams.features import attention_layers, linear_attention_layers, lm_head, query_key_norm, tying

QWEN3_5_MOE_TEXT = Architecture(
    "qwen3_5_moe_text",
    title="Qwen3.5 MoE (text)",
    source="Qwen Team, 2026, https://qwen.ai/blog?id=qwen3.5",
    tree=decoder_only(attention_and_linear(*mixers, mixture)),
    relations=GROUPED,
    has=(lm_head, linear_attention_layers, attention_layers, query_key_norm, ~tying),
)

"""Qwen3.5 with experts: the hybrid text model with a mixture in each layer, and the image encoder of Qwen3-VL without
DeepStack."""

from symparams.architectures import Architecture
from symparams.architectures._composites import text_relations, vision_language
from symparams.architectures.qwen3_5_moe_text import QWEN3_5_MOE_TEXT
from symparams.architectures.qwen3_vl import image_encoder, projector
from symparams.expressions.symbols import d_proj, h_text
from symparams.features import biases, tying, vision

QWEN3_5_MOE = Architecture(
    "qwen3_5_moe",
    title="Qwen3.5 MoE",
    source="Qwen Team, 2026, https://qwen.ai/blog?id=qwen3.5",
    tree=vision_language(image_encoder, projector, QWEN3_5_MOE_TEXT.tree, "lm_head"),
    relations={**text_relations(QWEN3_5_MOE_TEXT.relations), d_proj: h_text},
    has=(vision, biases, *QWEN3_5_MOE_TEXT.has, ~tying),
)

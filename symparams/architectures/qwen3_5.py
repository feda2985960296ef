"""Qwen3.5: the hybrid text model of Qwen3.5 reads images and videos, which the image encoder of Qwen3-VL encodes, without
DeepStack."""

from symparams.architectures import Architecture
from symparams.architectures._composites import text_relations, vision_language
from symparams.architectures.qwen3_5_text import QWEN3_5_TEXT
from symparams.architectures.qwen3_vl import image_encoder, projector
from symparams.expressions.symbols import d_proj, h_text
from symparams.features import biases, tying, vision

QWEN3_5 = Architecture(
    "qwen3_5",
    title="Qwen3.5",
    source="Qwen Team, 2026, https://qwen.ai/blog?id=qwen3.5",
    tree=vision_language(image_encoder, projector, QWEN3_5_TEXT.tree, "lm_head", "classifier"),
    relations={**text_relations(QWEN3_5_TEXT.relations), d_proj: h_text},
    has=(vision, biases, *QWEN3_5_TEXT.has, ~tying),
)

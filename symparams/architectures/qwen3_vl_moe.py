"""Qwen3-VL with experts: the image encoder of Qwen3-VL and a text model with a mixture in each layer."""

from symparams.architectures import Architecture
from symparams.architectures._composites import deepstack, text_relations, vision_language
from symparams.architectures.qwen3_vl import image_encoder, projector
from symparams.architectures.qwen3_vl_moe_text import QWEN3_VL_MOE_TEXT
from symparams.expressions.symbols import d_proj, h_text
from symparams.features import biases, lm_head, moe_layers, query_key_norm, tying, vision

QWEN3_VL_MOE = Architecture(
    "qwen3_vl_moe",
    title="Qwen3-VL MoE",
    source="Bai et al., 2025, arXiv:2511.21631",
    tree=vision_language(image_encoder, projector, QWEN3_VL_MOE_TEXT.tree, "lm_head", deepstack=deepstack),
    relations={**text_relations(QWEN3_VL_MOE_TEXT.relations), d_proj: h_text},
    has=(vision, lm_head, moe_layers, biases, query_key_norm, ~tying),
)

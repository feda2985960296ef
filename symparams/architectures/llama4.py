"""Llama 4, text and images: its text model reads what its image encoder makes of squares of patches."""

from symparams.architectures import Architecture
from symparams.architectures._composites import text_relations, vision_language
from symparams.architectures.llama4_text import LLAMA4_TEXT
from symparams.architectures.llama4_vision_model import LLAMA4_VISION, image_encoder
from symparams.components import block, linear, seeing
from symparams.expressions.symbols import d_features, d_proj, h_text, merge, n_patches
from symparams.features import lm_head, moe_layers, query_key_norm, tying, vision

projector = seeing(block(projection=linear(d_features, h_text, bias=False)), n_patches / merge**2)

LLAMA4 = Architecture(
    "llama4",
    title="Llama 4 (multimodal)",
    source="Meta AI, 2025, https://ai.meta.com/blog/llama-4-multimodal-intelligence",
    tree=vision_language(image_encoder, projector, LLAMA4_TEXT.tree, "lm_head"),
    relations={**text_relations(LLAMA4_TEXT.relations), **LLAMA4_VISION.relations, d_features: d_proj},
    has=(vision, lm_head, moe_layers, query_key_norm, *LLAMA4_VISION.has, ~tying),
)

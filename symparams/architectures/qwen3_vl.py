"""Qwen3-VL: Qwen3 reads images and videos of any size, and its first layers what mergers make of earlier layers of the image
encoder, DeepStack."""

from symparams.architectures import Architecture
from symparams.architectures._composites import deepstack, merger, patches_at_positions, text_relations, vision_language
from symparams.architectures._images import clip_layer
from symparams.architectures.qwen3_vl_text import QWEN3_VL_TEXT
from symparams.components import attention, block, layer_norm, seeing
from symparams.expressions.symbols import L, d_proj, h, h_text, h_vision, n_heads, n_image_patches
from symparams.features import biases, lm_head, query_key_norm, tying, vision

image_attention = attention(h, n_heads, bias=biases, fused=True, positions="rotary")
image_encoder = seeing(
    block(embeddings=patches_at_positions, encoder=L * clip_layer(image_attention, "gelu_pytorch_tanh")), n_image_patches
)
projector = merger(layer_norm=layer_norm(h_vision))

QWEN3_VL = Architecture(
    "qwen3_vl",
    title="Qwen3-VL",
    source="Bai et al., 2025, arXiv:2511.21631",
    tree=vision_language(image_encoder, projector, QWEN3_VL_TEXT.tree, "lm_head", deepstack=deepstack),
    relations={**text_relations(QWEN3_VL_TEXT.relations), d_proj: h_text},
    has=(vision, lm_head, biases, query_key_norm, ~tying),
)

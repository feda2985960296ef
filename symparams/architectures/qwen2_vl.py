"""Qwen2-VL: Qwen2 reads images and videos of any size, a square of patches merged into each token."""

from symparams.architectures import Architecture
from symparams.architectures._composites import merger, patches_of_videos, text_relations, vision_language
from symparams.architectures._images import clip_layer
from symparams.architectures.qwen2 import QWEN2
from symparams.components import attention, block, layer_norm, seeing
from symparams.expressions.symbols import L, d_ff_vision, d_proj, h, h_text, h_vision, n_heads, n_image_patches
from symparams.features import biases, lm_head, tying, vision

image_encoder = seeing(
    block(
        embeddings=patches_of_videos,
        encoder=L * clip_layer(attention(h, n_heads, bias=biases, fused=True, positions="rotary")),
    ),
    n_image_patches,
)

QWEN2_VL = Architecture(
    "qwen2_vl",
    title="Qwen2-VL",
    source="Wang et al., 2024, arXiv:2409.12191",
    tree=vision_language(image_encoder, merger(layer_norm=layer_norm(h_vision)), QWEN2.tree, "lm_head"),
    relations={**text_relations(QWEN2.relations), d_ff_vision: 4 * h_vision, d_proj: h_text},
    has=(vision, lm_head, biases, ~tying),
)

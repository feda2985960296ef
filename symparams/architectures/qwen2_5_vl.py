"""Qwen2.5-VL: Qwen2-VL whose image encoder has Qwen2's norms and feed-forward, and windows."""

from symparams.architectures import Architecture
from symparams.architectures._composites import merger, patches_of_videos, text_relations, vision_language
from symparams.architectures.qwen2 import QWEN2
from symparams.components import attention, block, gated_feed_forward, pre_norm, rms_norm, seeing
from symparams.components.facts import Tiles
from symparams.expressions.symbols import L, L_full, W_vision, d_ff, d_proj, h, h_text, h_vision, n_heads, n_image_patches
from symparams.features import biases, lm_head, tying, vision

encoder_layer = block(
    "encoder_layer",
    *pre_norm(
        rms_norm(h),
        attention=attention(h, n_heads, bias=biases, fused=True, positions="rotary", tiles=Tiles(W_vision, L_full)),
        feed_forward=gated_feed_forward(h, d_ff, bias=biases),
    ),
)
image_encoder = seeing(block(embeddings=patches_of_videos, encoder=L * encoder_layer), n_image_patches)

QWEN2_5_VL = Architecture(
    "qwen2_5_vl",
    title="Qwen2.5-VL",
    source="Bai et al., 2025, arXiv:2502.13923",
    tree=vision_language(image_encoder, merger(rms_norm=rms_norm(h_vision)), QWEN2.tree, "lm_head"),
    relations={**text_relations(QWEN2.relations), d_proj: h_text},
    has=(vision, lm_head, biases, ~tying),
)

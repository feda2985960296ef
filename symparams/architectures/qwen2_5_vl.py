"""Qwen2.5-VL: Qwen2-VL whose image encoder has Qwen2's norms and feed-forward, and windows (Bai et al., 2025,
arXiv:2502.13923)."""

from symparams.architectures import Architecture
from symparams.architectures._composites import merger, patches_of_videos, text_relations, vision_language
from symparams.architectures.qwen2 import QWEN2
from symparams.components import attention, block, gated_feed_forward, pre_norm, rms_norm
from symparams.expressions.symbols import L, d_ff, d_proj, h, h_text, h_vision, n_heads
from symparams.features import biases, lm_head, vision

encoder_layer = block(
    "encoder_layer",
    *pre_norm(
        rms_norm(h),
        attention=attention(h, n_heads, fused=True, positions="rotary"),
        feed_forward=gated_feed_forward(h, d_ff, bias=biases),
    ),
)
image_encoder = block(embeddings=patches_of_videos, encoder=L * encoder_layer)

QWEN2_5_VL = Architecture(
    "qwen2_5_vl",
    title="Qwen2.5-VL",
    source="Bai et al., 2025, arXiv:2502.13923",
    tree=vision_language(image_encoder, merger(rms_norm=rms_norm(h_vision)), QWEN2.tree, "lm_head"),
    relations={**text_relations(QWEN2.relations), d_proj: h_text},
    has=(vision, lm_head, biases),
)

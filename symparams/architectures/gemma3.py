"""Gemma 3, text and images: its text model reads what SigLIP encodes (Kamath et al., 2025, arXiv:2503.19786)."""

from dataclasses import replace

from symparams.architectures import Architecture
from symparams.architectures._composites import text_relations, vision_language
from symparams.architectures._images import PATCHES, clip_layer
from symparams.architectures.gemma3_text import GEMMA3_TEXT
from symparams.components import (
    Rows,
    attention,
    block,
    embedding,
    feed_forward,
    layer_norm,
    linear,
    parallel,
    parameter,
    patch_embedding,
    reading,
    residual,
    rms_norm,
    seeing,
)
from symparams.expressions.symbols import (
    L,
    d_ff,
    d_ff_vision,
    h,
    h_text,
    h_vision,
    n_channels,
    n_heads,
    n_image_tokens,
    n_patches,
    patch,
)
from symparams.expressions.written import ONE
from symparams.features import attention_pooling, biases, lm_head, query_key_norm, tying, vision

ACTIVATION = "gelu_pytorch_tanh"

# SigLIP's image encoder is CLIP's without class token and first norm (Zhai et al., 2023, arXiv:2303.15343).
image_encoder = seeing(
    block(
        embeddings=block(
            parallel(
                patch_embedding=patch_embedding(h, n_channels, patch),
                position_embedding=embedding(n_patches, h, of=Rows.POSITIONS),
            )
        ),
        encoder=L * clip_layer(attention(h, n_heads, bias=biases), ACTIVATION),
        final_layer_norm=layer_norm(h),
        attention_pooling=attention_pooling
        * replace(
            block(
                probe=parameter(1, 1, h),
                attention=attention(h, n_heads, bias=biases, fused=True, reads="patches"),
                sum=residual(layer_norm=layer_norm(h), feed_forward=feed_forward(h, d_ff, bias=biases, activation=ACTIVATION)),
            ),
            tokens=ONE,
            unread=True,
        ),
    ),
    n_patches,
)
# The library pools the patches, where a config says so, and reads them from below the pooling.
projector = seeing(
    block(
        rms_norm=reading(rms_norm(h_vision), "image_encoder.final_layer_norm"), projection=linear(h_vision, h_text, bias=False)
    ),
    n_image_tokens,
)

GEMMA3 = Architecture(
    "gemma3",
    title="Gemma 3 (multimodal)",
    source="Kamath et al., 2025, arXiv:2503.19786",
    tree=vision_language(image_encoder, projector, GEMMA3_TEXT.tree, "lm_head", "classifier"),
    relations={**text_relations(GEMMA3_TEXT.relations), d_ff_vision: 4 * h_vision, **PATCHES},
    has=(vision, lm_head, tying, query_key_norm, biases),
)

"""Gemma 3, text and images: its text model reads what SigLIP encodes."""

from dataclasses import replace

from symparams.architectures import Architecture
from symparams.architectures._composites import text_relations, vision_language
from symparams.architectures._images import PATCHES
from symparams.architectures.gemma3_text import GEMMA3_TEXT
from symparams.architectures.siglip_vision_model import image_encoder, unread_pool
from symparams.components import block, linear, reading, rms_norm, seeing
from symparams.expressions.symbols import d_ff_vision, h_text, h_vision, n_image_tokens
from symparams.features import biases, lm_head, query_key_norm, tying, vision

pooled = replace(image_encoder, body=(*image_encoder.body, ("attention_pooling", unread_pool)))
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
    tree=vision_language(pooled, projector, GEMMA3_TEXT.tree, "lm_head", "classifier"),
    relations={**text_relations(GEMMA3_TEXT.relations), d_ff_vision: 4 * h_vision, **PATCHES},
    has=(vision, lm_head, tying, query_key_norm, biases),
)

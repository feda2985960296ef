"""CLIP: a text encoder and an image encoder whose outputs are compared (Radford et al., 2021, arXiv:2103.00020)."""

from symparams.architectures import Architecture
from symparams.architectures._images import PATCHES, clip_layer
from symparams.architectures.clip_text_model import text_embeddings
from symparams.architectures.clip_vision_model import image_embeddings
from symparams.components import attention, block, layer_norm, linear, reading, shared_space
from symparams.expressions.symbols import (
    L_text,
    L_vision,
    d_ff_text,
    d_ff_vision,
    d_head_text,
    d_head_vision,
    d_proj,
    h_text,
    h_vision,
    n_heads_text,
    n_heads_vision,
    n_labels,
)
from symparams.features import biases, classifier, projection, text_encoder

text_attention = attention(h_text, n_heads_text, d_head=d_head_text, causal=True)
image_attention = attention(h_vision, n_heads_vision, d_head=d_head_vision)

CLIP = Architecture(
    "clip",
    title="CLIP",
    source="Radford et al., 2021, arXiv:2103.00020",
    tree=block(
        text_encoder=text_encoder
        * block(
            embeddings=text_embeddings(h_text),
            encoder=L_text * clip_layer(h_text, d_ff_text, text_attention),
            final_layer_norm=layer_norm(h_text),
        ),
        image_encoder=block(
            embeddings=image_embeddings(h_vision),
            pre_norm=layer_norm(h_vision),
            encoder=L_vision * clip_layer(h_vision, d_ff_vision, image_attention),
            final_layer_norm=reading(layer_norm(h_vision), "first token"),
        ),
        shared_space=projection * shared_space(h_text, h_vision, d_proj),
        classifier=classifier * reading(linear(h_vision, n_labels), "mean of the patches"),
    ),
    relations={d_ff_text: 4 * h_text, d_ff_vision: 4 * h_vision, **PATCHES},
    has=(text_encoder, projection, biases),
)

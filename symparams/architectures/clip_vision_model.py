"""CLIP's image encoder by itself: a ViT with a LayerNorm before its layers."""

from dataclasses import replace

from symparams.architectures import Architecture
from symparams.architectures._images import PATCHES, clip_layer
from symparams.components import (
    Gives,
    Rows,
    Vector,
    attention,
    block,
    class_vector,
    embedding,
    giving,
    layer_norm,
    linear,
    parallel,
    patch_embedding,
    prepended,
    reading,
    seeing,
)
from symparams.expressions.symbols import L, d_ff, d_proj, h, n_channels, n_heads, n_patches, patch
from symparams.features import biases, projection

patches = patch_embedding(h, n_channels, patch, bias=False)
sequence = prepended(class_token=class_vector(h), patch_embedding=patches)

image_encoder = seeing(
    block(
        embeddings=block(parallel(sequence, position_embedding=embedding(n_patches + 1, h, of=Rows.POSITIONS))),
        pre_norm=layer_norm(h),
        encoder=L * clip_layer(attention(h, n_heads, bias=biases)),
        final_layer_norm=reading(layer_norm(h), Vector.FIRST_TOKEN),
    ),
    n_patches + 1,
)

pooled = giving(seeing(linear(h, d_proj, bias=False), 1), Gives.IMAGE_VECTOR)

CLIP_VISION = Architecture(
    "clip_vision_model",
    title="CLIP's image encoder",
    source="Radford et al., 2021, arXiv:2103.00020",
    tree=replace(image_encoder, body=(*image_encoder.body, ("image_projection", projection * pooled))),
    relations={d_ff: 4 * h, **PATCHES},
    has=(biases,),
)

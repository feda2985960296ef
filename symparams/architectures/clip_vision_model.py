"""CLIP's image encoder by itself: a ViT with a LayerNorm before its layers (Radford et al., 2021, arXiv:2103.00020)."""

from symparams.architectures import Architecture
from symparams.architectures._images import PATCHES, clip_layer
from symparams.components import (
    attention,
    block,
    class_vector,
    embedding,
    layer_norm,
    linear,
    parallel,
    patch_embedding,
    prepended,
    reading,
)
from symparams.expressions.symbols import L, d_ff, d_proj, h, n_channels, n_heads, n_patches, patch
from symparams.features import biases, projection

patches = patch_embedding(h, n_channels, patch, bias=False)
sequence = prepended(class_token=class_vector(h), patch_embedding=patches)

image_encoder = block(
    embeddings=block(parallel(sequence, position_embedding=embedding(n_patches + 1, h))),
    pre_norm=layer_norm(h),
    encoder=L * clip_layer(attention(h, n_heads)),
    final_layer_norm=reading(layer_norm(h), "first token"),
)

CLIP_VISION = Architecture(
    "clip_vision_model",
    title="CLIP's image encoder",
    source="Radford et al., 2021, arXiv:2103.00020",
    tree=block(**dict(image_encoder.body), image_projection=projection * linear(h, d_proj, bias=False)),
    relations={d_ff: 4 * h, **PATCHES},
    has=(biases,),
)

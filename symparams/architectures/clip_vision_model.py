"""CLIP's image encoder by itself: a ViT with a LayerNorm before its layers (Radford et al., 2021, arXiv:2103.00020)."""

from symparams.architectures import Architecture
from symparams.architectures._images import PATCHES, clip_layer
from symparams.components import (
    Component,
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
from symparams.expressions.nodes import Dimension
from symparams.expressions.symbols import L, d_ff, d_proj, h, n_channels, n_heads, n_patches, patch
from symparams.features import biases, projection


def image_embeddings(width: Dimension) -> Component:
    """The class token before the patches, and the positions added to both."""
    patches = patch_embedding(width, n_channels, patch, bias=False)
    sequence = prepended(class_token=class_vector(width), patch_embedding=patches)
    return block(parallel(sequence, position_embedding=embedding(n_patches + 1, width)))


CLIP_VISION = Architecture(
    "clip_vision_model",
    title="CLIP's image encoder",
    source="Radford et al., 2021, arXiv:2103.00020",
    tree=block(
        embeddings=image_embeddings(h),
        pre_norm=layer_norm(h),
        encoder=L * clip_layer(h, d_ff, attention(h, n_heads)),
        final_layer_norm=reading(layer_norm(h), "first token"),
        image_projection=projection * linear(h, d_proj, bias=False),
    ),
    relations={d_ff: 4 * h, **PATCHES},
    has=(biases,),
)

"""Llama 4's image encoder by itself: CLIP's layers with rotary positions, then an adapter that merges squares of patches."""

from dataclasses import replace

from symparams.architectures import Architecture
from symparams.architectures._images import PATCHES, clip_layer
from symparams.components import (
    Projection,
    Rows,
    attention,
    block,
    class_vector,
    embedding,
    layer_norm,
    linear,
    parallel,
    prepended,
    rotary,
    seeing,
)
from symparams.expressions.symbols import L, d_ff, d_proj, h, image, merge, n_channels, n_heads, n_patches, patch
from symparams.features import biases

# A patch is cut out first, and then multiplied by one matrix.
matrix = linear(n_channels * patch**2, h, bias=False, makes=(Projection.PATCHES,))
patches = replace(matrix, tokens=n_patches, reads_data=n_channels * image**2)
sequence = prepended(patch_embedding=patches, trailing_token=class_vector(h))

# It reads merge² patches side by side, h numbers of each, which a config has as d_ff; the class token is dropped.
adapter = block(
    input_projection=linear(d_ff, d_proj, bias=False, activation="gelu"),
    output_projection=linear(d_proj, d_proj, bias=False, activation="gelu"),
)

image_encoder = seeing(
    block(
        embeddings=block(
            parallel(sequence, position_embedding=embedding(n_patches + 1, h, of=Rows.POSITIONS)), positions=rotary()
        ),
        pre_norm=layer_norm(h),
        encoder=L * clip_layer(attention(h, n_heads, bias=biases, positions="rotary"), "gelu"),
        final_layer_norm=layer_norm(h),
        adapter=seeing(adapter, n_patches / merge**2),
    ),
    n_patches + 1,
)

LLAMA4_VISION = Architecture(
    "llama4_vision_model",
    title="Llama 4's image encoder",
    source="Meta AI, 2025, https://ai.meta.com/blog/llama-4-multimodal-intelligence",
    tree=image_encoder,
    relations=PATCHES,
    has=(biases,),
)

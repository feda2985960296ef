"""Gemma 4's image encoder by itself: layers without a mask over the patches of an image of any size, turned by their rows and
columns; each square of patches becomes one token, their mean."""

from dataclasses import replace

from symparams.architectures import Architecture
from symparams.architectures._decoders import NORM
from symparams.components import (
    Projection,
    attention,
    axis_positions,
    block,
    gated_feed_forward,
    linear,
    non_parametric_rms_norm,
    parallel,
    patch_pooling,
    rms_norm,
    rotary,
    sandwiched,
    seeing,
    with_query_key_norms,
    with_value_norm,
)
from symparams.expressions.symbols import L, d_ff, d_head, h, merge, n_heads, n_image_patches, n_kv_heads, n_positions, patch
from symparams.features import patch_pooling as pooled

CHANNELS = 3  # of an image, which no config says
# A patch is cut out first, and then multiplied by one matrix.
matrix = linear(CHANNELS * patch**2, h, bias=False, makes=(Projection.PATCHES,))
patches = replace(matrix, tokens=n_image_patches, reads_data=CHANNELS * patch**2 * n_image_patches)
heads = attention(h, n_heads, n_kv_heads, d_head, bias=False, positions="rotary", scaled=False)
normed = with_value_norm(with_query_key_norms(heads, rms_norm(d_head), rms_norm(d_head)), non_parametric_rms_norm())
network = gated_feed_forward(h, d_ff, activation="gelu_pytorch_tanh")

GEMMA4_VISION = Architecture(
    "gemma4_vision",
    title="Gemma 4's image encoder",
    source="Google DeepMind, 2026, https://ai.google.dev/gemma/docs/core/model_card_4",
    tree=seeing(
        block(
            embeddings=block(
                parallel(patch_embedding=patches, position_embedding=axis_positions(n_positions, h)), positions=rotary()
            ),
            encoder=L * block("encoder_layer", *sandwiched(NORM, attention=normed, feed_forward=network)),
            patch_pooling=pooled * patch_pooling(h, merge, patches=n_image_patches),
        ),
        n_image_patches,
    ),
    relations={n_kv_heads: n_heads, d_head: h / n_heads, d_ff: 4 * h},
    has=(pooled,),
)

"""Parts of image encoders: ViT's layer, and how many patches an image is cut into."""

from __future__ import annotations

from collections.abc import Mapping

from symparams.components import Biases, Component, attention, block, feed_forward, layer_norm, pre_norm
from symparams.expressions.nodes import Dimension, Expression, Floor
from symparams.expressions.symbols import d_ff, h, image, n_heads, n_patches, patch
from symparams.features import biases, qkv_bias

# An image of image × image pixels is cut into ⌊image / patch⌋² patches, each a token (arXiv:2010.11929).
PATCHES: Mapping[Dimension, Expression] = {n_patches: Floor(image / patch) ** 2}

encoder_layer = block(
    "encoder_layer",
    *pre_norm(
        layer_norm(h),
        attention=attention(h, n_heads, bias=Biases(inputs=qkv_bias, output=biases)),
        feed_forward=feed_forward(h, d_ff, bias=biases),
    ),
)


def clip_layer(attention: Component, activation: str = "quick_gelu") -> Component:
    """A pre-norm layer of either encoder of CLIP (arXiv:2103.00020), and with another activation of SigLIP's."""
    up_and_down = feed_forward(h, d_ff, bias=biases, activation=activation)
    return block("encoder_layer", *pre_norm(layer_norm(h), attention=attention, feed_forward=up_and_down))

"""Image encoders: ViT's layer and its encoder, and how many patches an image is cut into."""

from __future__ import annotations

from collections.abc import Mapping

from symparams.components import (
    Biases,
    Component,
    Gate,
    Gives,
    Vector,
    attention,
    block,
    feed_forward,
    giving,
    layer_norm,
    layer_scale,
    linear,
    parallel,
    parameter,
    patch_embedding,
    pixel_decoder,
    position_table,
    pre_norm,
    prepended,
    reading,
    residual,
    scaled_pre_norm,
    seeing,
    then,
    token,
)
from symparams.components import gated_feed_forward as gated
from symparams.components.facts import Stream
from symparams.expressions.nodes import Dimension, Expression, Floor
from symparams.expressions.symbols import L, d_ff, d_pool, h, image, n_channels, n_heads, n_labels, n_patches, patch, stride
from symparams.features import biases, classifier, gated_feed_forward, mim_head, pooler, qkv_bias

# An image of image × image pixels is cut into ⌊image / patch⌋² patches, each a token (arXiv:2010.11929).
PATCHES: Mapping[Dimension, Expression] = {n_patches: Floor(image / patch) ** 2}
# Of ViT and DeiT.
RELATIONS = {d_ff: 4 * h, d_pool: h, **PATCHES}
HAS = (pooler, qkv_bias, biases)


def clip_layer(attention: Component, activation: str = "quick_gelu") -> Component:
    """A pre-norm layer of either encoder of CLIP (arXiv:2103.00020), and with another activation of SigLIP's and ViT's."""
    up_and_down = feed_forward(h, d_ff, bias=biases, activation=activation)
    return block("encoder_layer", *pre_norm(layer_norm(h), attention=attention, feed_forward=up_and_down))


encoder_layer = clip_layer(attention(h, n_heads, bias=Biases(inputs=qkv_bias, output=biases)), "gelu")


def attention_pool(activation: str) -> Component:
    """SigLIP's pooling: a learned query attends to the patches, and x + feed_forward(norm(x)) follows (arXiv:2303.15343)."""
    up_and_down = feed_forward(h, d_ff, bias=biases, activation=activation)
    pool = block(
        probe=parameter(1, 1, h),
        attention=attention(h, n_heads, bias=biases, fused=True, reads=Stream.PATCHES),
        sum=residual(layer_norm=layer_norm(h), feed_forward=up_and_down),
    )
    return seeing(pool, 1)


def masked_patches(mask_token: Component) -> Component:
    """The patches of an image, some of them replaced by the mask token while a model learns to fill them in."""
    return then(
        patch_embedding=patch_embedding(h, n_channels, patch, image=image), mask_token=reading(mask_token, "masked patches")
    )


def scaled_encoder(attention: Component, *, bias: Gate = biases) -> dict[str, Component]:
    """The encoder of DINOv2 and its descendants: ViT's layer with layer scale, a gate in the feed-forward of the largest."""
    layer = block(
        "encoder_layer",
        *scaled_pre_norm(layer_norm(h), layer_scale(h), attention=attention),
        residual(
            feed_forward_norm=layer_norm(h),
            feed_forward=~gated_feed_forward * feed_forward(h, d_ff, bias=bias),
            gated_feed_forward=gated_feed_forward * gated(h, d_ff, bias=bias),
            feed_forward_layer_scale=layer_scale(h),
        ),
    )
    return {"encoder": L * layer, "final_layer_norm": layer_norm(h)}


# DINOv2's reads the mean of the patches beside the class token.
classifier_of_both = classifier * giving(reading(linear(2 * h, n_labels, bias=biases), Vector.CLASS_AND_MEAN), Gives.LABELS)


def encoder_of_patches(*tokens: str, **heads: Component) -> Component:
    """A pre-norm encoder over the patches of an image, behind one learned vector for each of these tokens."""
    length = n_patches + len(tokens)
    sequence = prepended(masked_patches(mim_head * token(h)), **{name: token(h) for name in tokens})
    return seeing(
        block(
            embeddings=block(parallel(sequence, position_embedding=position_table(length, h))),
            encoder=L * encoder_layer,
            final_layer_norm=layer_norm(h),
            pooler=pooler
            * giving(reading(linear(h, d_pool, bias=biases, activation="tanh"), Vector.FIRST_TOKEN), Gives.POOLED),
            mim_head=mim_head * giving(reading(pixel_decoder(h, n_channels, stride), "patches"), Gives.PIXELS),
            classifier=classifier * giving(reading(linear(h, n_labels, bias=biases), Vector.FIRST_TOKEN), Gives.LABELS),
            **heads,
        ),
        length,
    )

"""Parts of ViT and DeiT: all but the tokens that stand before the patches, and the heads that read these."""

from __future__ import annotations

from symparams.architectures._images import PATCHES, encoder_layer
from symparams.components import (
    Component,
    Gives,
    Vector,
    block,
    giving,
    layer_norm,
    linear,
    parallel,
    patch_embedding,
    pixel_decoder,
    position_table,
    prepended,
    reading,
    seeing,
    then,
    token,
)
from symparams.expressions.symbols import L, d_ff, d_pool, h, image, n_channels, n_labels, n_patches, patch, stride
from symparams.features import biases, classifier, mim_head, pooler, qkv_bias

RELATIONS = {d_ff: 4 * h, d_pool: h, **PATCHES}
HAS = (pooler, qkv_bias, biases)


def encoder_of_patches(*tokens: str, **heads: Component) -> Component:
    """A pre-norm encoder over the patches of an image, behind one learned vector for each of these tokens."""
    patches = then(
        patch_embedding=patch_embedding(h, n_channels, patch, image=image),
        mask_token=mim_head * reading(token(h), "masked patches"),
    )
    length = n_patches + len(tokens)
    sequence = prepended(patches, **{name: token(h) for name in tokens})
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

"""Pixtral's image encoder by itself: Mistral's layers, without a mask, over the patches of an image of any size, turned by
their rows and columns."""

from symparams.architectures import Architecture
from symparams.components import attention, block, gated_feed_forward, patch_embedding, pre_norm, rms_norm, rotary, seeing
from symparams.expressions.symbols import L, d_ff, h, n_channels, n_heads, n_image_patches, patch

encoder_layer = block(
    "encoder_layer",
    *pre_norm(
        rms_norm(h),
        attention=attention(h, n_heads, bias=False, positions="rotary"),
        feed_forward=gated_feed_forward(h, d_ff, activation="gelu"),
    ),
)
patches = patch_embedding(h, n_channels, patch, bias=False, patches=n_image_patches)

PIXTRAL = Architecture(
    "pixtral",
    title="Pixtral's image encoder",
    source="Agrawal et al., 2024, arXiv:2410.07073",
    tree=seeing(
        block(
            embeddings=block(patch_embedding=patches, rms_norm=rms_norm(h), positions=rotary()),
            encoder=L * encoder_layer,
        ),
        n_image_patches,
    ),
    relations={d_ff: 4 * h},
)

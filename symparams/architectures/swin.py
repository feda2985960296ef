"""Swin: attention within windows that every other layer shifts, in four stages."""

from symparams.architectures import Architecture
from symparams.architectures._images import PATCHES
from symparams.architectures._stages import merged, window_stages
from symparams.components import (
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
    reading,
    seeing,
    then,
    token,
)
from symparams.expressions.symbols import h, image, n_channels, n_labels, n_patches, n_patches_1, n_patches_4, patch, stride
from symparams.features import classifier, feature_norm, mim_head, position_embeddings, qkv_bias

patches = then(
    patch_embedding=patch_embedding(h, n_channels, patch, patches=n_patches_1, image=image),
    layer_norm=layer_norm(h),
    mask_token=mim_head * reading(token(h), "masked patches"),
)
positions = position_embeddings * position_table(n_patches, h)
decoder = pixel_decoder(8 * h, n_channels, stride, patches=n_patches_4)

SWIN = Architecture(
    "swin",
    title="Swin",
    source="Liu et al., 2021, arXiv:2103.14030",
    tree=block(
        embeddings=seeing(block(parallel(patches, position_embedding=positions)), n_patches_1),
        **window_stages(),
        final_layer_norm=layer_norm(8 * h),
        feature_norm=feature_norm * reading(layer_norm(8 * h), "stage_4"),
        mim_head=mim_head * giving(reading(decoder, "patches"), Gives.PIXELS),
        classifier=classifier * giving(reading(linear(8 * h, n_labels), Vector.MEAN_OF_PATCHES), Gives.LABELS),
    ),
    relations={**PATCHES, **merged()},
    has=(qkv_bias,),
)

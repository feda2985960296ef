"""DeiT: a ViT with a token that learns from a teacher (Touvron et al., 2021, arXiv:2012.12877)."""

from symparams.architectures import Architecture
from symparams.architectures._images import PATCHES, encoder_layer
from symparams.components import (
    Gives,
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
from symparams.features import biases, classifier, distillation_classifier, mim_head, pooler, qkv_bias

patches = then(
    patch_embedding=patch_embedding(h, n_channels, patch, image=image),
    mask_token=mim_head * reading(token(h), "masked patches"),
)
sequence = prepended(patches, class_token=token(h), distillation_token=token(h))
embeddings = block(parallel(sequence, position_embedding=position_table(n_patches + 2, h)))

DEIT = Architecture(
    "deit",
    title="DeiT",
    source="Touvron et al., 2021, arXiv:2012.12877",
    tree=seeing(
        block(
            embeddings=embeddings,
            encoder=L * encoder_layer,
            final_layer_norm=layer_norm(h),
            pooler=pooler * giving(reading(linear(h, d_pool, bias=biases, activation="tanh"), "first token"), Gives.POOLED),
            mim_head=mim_head * giving(reading(pixel_decoder(h, n_channels, stride), "patches"), Gives.PIXELS),
            classifier=classifier * giving(reading(linear(h, n_labels, bias=biases), "first token"), Gives.LABELS),
            distillation_classifier=distillation_classifier
            * giving(reading(linear(h, n_labels, bias=biases), "second token"), Gives.LABELS_OF_A_TEACHER),
        ),
        n_patches + 2,
    ),
    relations={d_ff: 4 * h, d_pool: h, **PATCHES},
    has=(pooler, qkv_bias, biases),
)

"""SigLIP's image encoder by itself: CLIP's without class token and first norm, and attention that pools its patches."""

from dataclasses import replace

from symparams.architectures import Architecture
from symparams.architectures._images import PATCHES, attention_pool, clip_layer
from symparams.components import Gives, Rows, attention, block, embedding, giving, layer_norm, parallel, patch_embedding, seeing
from symparams.expressions.symbols import L, d_ff, h, n_channels, n_heads, n_patches, patch
from symparams.features import attention_pooling, biases

ACTIVATION = "gelu_pytorch_tanh"

image_encoder = seeing(
    block(
        embeddings=block(
            parallel(
                patch_embedding=patch_embedding(h, n_channels, patch),
                position_embedding=embedding(n_patches, h, of=Rows.POSITIONS),
            )
        ),
        encoder=L * clip_layer(attention(h, n_heads, bias=biases), ACTIVATION),
        final_layer_norm=layer_norm(h),
    ),
    n_patches,
)
pool = attention_pooling * attention_pool(ACTIVATION)
unread_pool = replace(pool, unread=True)

SIGLIP_VISION = Architecture(
    "siglip_vision_model",
    title="SigLIP's image encoder",
    source="Zhai et al., 2023, arXiv:2303.15343",
    tree=replace(image_encoder, body=(*image_encoder.body, ("attention_pooling", giving(pool, Gives.IMAGE_VECTOR)))),
    relations={d_ff: 4 * h, **PATCHES},
    has=(attention_pooling, biases),
)

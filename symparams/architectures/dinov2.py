"""DINOv2: a ViT that scales what each sublayer gives, trained without labels."""

from symparams.architectures import Architecture
from symparams.architectures._images import PATCHES, classifier_of_both, masked_patches, scaled_encoder
from symparams.components import Biases, attention, block, parallel, parameter, position_table, prepended, seeing, token
from symparams.components.kinds import EMBEDDING
from symparams.expressions.symbols import d_ff, h, n_heads, n_patches
from symparams.features import biases, mask_token, qkv_bias

sequence = prepended(masked_patches(mask_token * parameter(1, h, kind=EMBEDDING)), class_token=token(h))
sublayers = {
    **scaled_encoder(attention(h, n_heads, bias=Biases(inputs=qkv_bias, output=biases))),
    "classifier": classifier_of_both,
}

DINOV2 = Architecture(
    "dinov2",
    title="DINOv2",
    source="Oquab et al., 2023, arXiv:2304.07193",
    tree=seeing(
        block(embeddings=block(parallel(sequence, position_embedding=position_table(n_patches + 1, h))), **sublayers),
        n_patches + 1,
    ),
    relations={d_ff: 4 * h, **PATCHES},
    has=(mask_token, qkv_bias, biases),
)

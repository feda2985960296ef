"""DeiT: a ViT with a token that learns from a teacher (Touvron et al., 2021, arXiv:2012.12877)."""

from symparams.architectures import Architecture
from symparams.architectures.vit import encoder_layer, sizes
from symparams.components import block, layer_norm, linear
from symparams.components.patches import PATCHES, patch_embedding, pixel_decoder, position_table, square_patches, token
from symparams.expressions.features import biases, classifier, distillation_classifier, mim_head, pooler, qkv_bias
from symparams.expressions.symbols import L, d_ff, d_head, d_pool, h, n_channels, n_heads, n_labels, n_patches, patch, stride
from symparams.models.library import Flag, Library

embeddings = block(
    class_token=token(h),
    distillation_token=token(h),
    mask_token=mim_head * token(h),
    patch_embedding=patch_embedding(h, n_channels, patch),
    position_embedding=position_table(n_patches + 2, h),
)

DEIT = Architecture(
    "deit",
    title="DeiT",
    source="Touvron et al., 2021, arXiv:2012.12877",
    tree=block(
        embeddings=embeddings,
        encoder=L * encoder_layer,
        final_layer_norm=layer_norm(h),
        pooler=pooler * linear(h, d_pool),
        mim_head=mim_head * pixel_decoder(h, n_channels, stride),
        classifier=classifier * linear(h, n_labels),
        distillation_classifier=distillation_classifier * linear(h, n_labels),
    ),
    library=Library(
        base="DeiTModel",
        classes={
            "DeiTModel": (pooler,),
            "DeiTForMaskedImageModeling": (mim_head,),
            "DeiTForImageClassification": (classifier,),
            "DeiTForImageClassificationWithTeacher": (classifier, distillation_classifier),
        },
        sizes=sizes,
        flags={qkv_bias: Flag("qkv_bias", default=True)},
        check=square_patches,
    ),
    relations={d_ff: 4 * h, d_pool: h, **PATCHES},
    identities={d_head: h / n_heads},
    has=(pooler, qkv_bias, biases),
    may_have=(mim_head, classifier, distillation_classifier),
)

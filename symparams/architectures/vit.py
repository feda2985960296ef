"""ViT: a pre-norm encoder over the patches of an image (Dosovitskiy et al., 2021, arXiv:2010.11929)."""

from symparams.architectures import Architecture, Published
from symparams.components import block, feed_forward, layer_norm, linear
from symparams.components.patches import (
    PATCHES,
    Side,
    image_attention,
    patch_embedding,
    patches,
    pixel_decoder,
    position_table,
    square_patches,
    token,
)
from symparams.expressions.features import biases, classifier, mim_head, pooler, qkv_bias
from symparams.expressions.nodes import Dimension
from symparams.expressions.symbols import (
    L,
    d_ff,
    d_head,
    d_pool,
    h,
    image,
    n_channels,
    n_heads,
    n_labels,
    n_patches,
    patch,
    stride,
)
from symparams.models.library import Flag, Key, Library, Settings, SizeReader, labels

embeddings = block(
    class_token=token(h),
    mask_token=mim_head * token(h),
    patch_embedding=patch_embedding(h, n_channels, patch),
    position_embedding=position_table(n_patches + 1, h),
)

encoder_layer = block(
    "encoder_layer",
    attention_norm=layer_norm(h),
    attention=image_attention(h, n_heads),
    feed_forward_norm=layer_norm(h),
    feed_forward=feed_forward(h, d_ff),
)


def pooled_size(settings: Settings) -> int | None:
    """The pooler's output size; None, which 0 is too, where it is the hidden size."""
    return settings.size("pooler_output_size", least=0) or None


sizes: dict[Dimension, SizeReader] = {
    h: Key("hidden_size", default=768),
    L: Key("num_hidden_layers", default=12),
    n_heads: Key("num_attention_heads", default=12),
    d_head: Key("head_dim"),
    d_ff: Key("intermediate_size", default=3_072),
    n_channels: Key("num_channels", default=3),
    image: Side("image_size", default=224),
    patch: Side("patch_size", default=16),
    n_patches: patches(image_size=224, patch_size=16),
    stride: Key("encoder_stride", default=16),
    d_pool: pooled_size,
    n_labels: labels,
}

VIT = Architecture(
    "vit",
    title="ViT",
    source="Dosovitskiy et al., 2021, arXiv:2010.11929",
    tree=block(
        embeddings=embeddings,
        encoder=L * encoder_layer,
        final_layer_norm=layer_norm(h),
        pooler=pooler * linear(h, d_pool),
        mim_head=mim_head * pixel_decoder(h, n_channels, stride),
        classifier=classifier * linear(h, n_labels),
    ),
    library=Library(
        base="ViTModel",
        classes={
            "ViTModel": (pooler,),
            "ViTForMaskedImageModeling": (mim_head,),
            "ViTForImageClassification": (classifier,),
        },
        sizes=sizes,
        flags={qkv_bias: Flag("qkv_bias", default=True)},
        check=square_patches,
    ),
    relations={d_ff: 4 * h, d_pool: h, **PATCHES},
    identities={d_head: h / n_heads},
    has=(pooler, qkv_bias, biases),
    may_have=(mim_head, classifier),
    models={
        "vit-base-patch16-224": Published(
            {h: 768, L: 12, n_heads: 12, d_ff: 3_072, n_channels: 3, image: 224, patch: 16, n_labels: 1_000},
            source="https://huggingface.co/google/vit-base-patch16-224/blob/main/config.json",
            include=(classifier,),
            exclude=(pooler,),
        ),
    },
)

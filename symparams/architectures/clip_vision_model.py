"""CLIP's image encoder by itself: a ViT with a LayerNorm before its layers (Radford et al., 2021, arXiv:2103.00020)."""

from symparams.architectures import Architecture
from symparams.architectures.clip_text_model import encoder_layer
from symparams.components import Component, attention, block, embedding, layer_norm, linear
from symparams.components.patches import PATCHES, class_vector, patch_embedding, patches
from symparams.expressions.features import biases, projection
from symparams.expressions.nodes import Dimension
from symparams.expressions.symbols import L, d_ff, d_head, d_proj, h, image, n_channels, n_heads, n_patches, patch
from symparams.models.library import Key, Library


def embeddings(width: Dimension) -> Component:
    """The class token, the patches and the positions."""
    return block(
        class_token=class_vector(width),
        patch_embedding=patch_embedding(width, n_channels, patch, bias=False),
        position_embedding=embedding(n_patches + 1, width),
    )


CLIP_VISION = Architecture(
    "clip_vision_model",
    title="CLIP's image encoder",
    source="Radford et al., 2021, arXiv:2103.00020",
    tree=block(
        embeddings=embeddings(h),
        pre_norm=layer_norm(h),
        encoder=L * encoder_layer(h, d_ff, attention(h, n_heads)),
        final_layer_norm=layer_norm(h),
        image_projection=projection * linear(h, d_proj, bias=False),
    ),
    library=Library(
        base="CLIPVisionModel",
        classes={"CLIPVisionModel": (), "CLIPVisionModelWithProjection": (projection,)},
        sizes={
            h: Key("hidden_size", default=768),
            L: Key("num_hidden_layers", default=12),
            n_heads: Key("num_attention_heads", default=12),
            d_ff: Key("intermediate_size", default=3_072),
            n_channels: Key("num_channels", default=3),
            image: Key("image_size", default=224),
            patch: Key("patch_size", default=32),
            n_patches: patches(image_size=224, patch_size=32),
            d_proj: Key("projection_dim", default=512),
        },
    ),
    relations={d_ff: 4 * h, **PATCHES},
    identities={d_head: h / n_heads},
    has=(biases,),
    may_have=(projection,),
)

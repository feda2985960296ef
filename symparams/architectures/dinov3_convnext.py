"""DINOv3's ConvNeXt: the four stages of ConvNeXt, which a ViT has taught."""

from symparams.architectures import Architecture
from symparams.architectures._stages import convolutional_stages, halved
from symparams.components import block, layer_norm, patch_embedding, seeing
from symparams.expressions.symbols import h_1, h_4, image, n_channels, n_patches_1
from symparams.features import closing_norm

PATCH = 4

DINOV3_CONVNEXT = Architecture(
    "dinov3_convnext",
    title="DINOv3 (ConvNeXt)",
    source="Siméoni et al., 2025, arXiv:2508.10104",
    tree=block(
        embeddings=seeing(
            block(
                patch_embedding=patch_embedding(h_1, n_channels, PATCH, patches=n_patches_1, image=image),
                layer_norm=layer_norm(h_1),
            ),
            n_patches_1,
        ),
        **convolutional_stages(),
        final_layer_norm=closing_norm * layer_norm(h_4),
    ),
    relations=halved(PATCH),
    has=(closing_norm,),
)

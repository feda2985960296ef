"""ConvNeXt: convolutions in a Transformer's layer, four stages of ever fewer and wider vectors."""

from symparams.architectures import Architecture
from symparams.architectures._stages import convolutional_stages, halved
from symparams.components import Gives, Vector, block, giving, layer_norm, layer_scale, linear, patch_embedding, reading, seeing
from symparams.expressions.symbols import h_1, h_4, image, n_channels, n_labels, n_patches_1, patch
from symparams.features import classifier, feature_norm, layer_scales

patches = patch_embedding(h_1, n_channels, patch, patches=n_patches_1, image=image)

CONVNEXT = Architecture(
    "convnext",
    title="ConvNeXt",
    source="Liu et al., 2022, arXiv:2201.03545",
    tree=block(
        embeddings=seeing(block(patch_embedding=patches, layer_norm=layer_norm(h_1)), n_patches_1),
        **convolutional_stages(lambda width: layer_scales * layer_scale(width)),
        feature_norm=feature_norm * layer_norm(h_4),
        final_layer_norm=~feature_norm * reading(layer_norm(h_4), Vector.MEAN_OF_PATCHES),
        classifier=classifier * giving(seeing(linear(h_4, n_labels), 1), Gives.LABELS),
    ),
    relations=halved(patch),
    has=(layer_scales,),
)

"""ViT: a pre-norm encoder over the patches of an image."""

from symparams.architectures import Architecture
from symparams.architectures._images import HAS, RELATIONS, encoder_of_patches

VIT = Architecture(
    "vit",
    title="ViT",
    source="Dosovitskiy et al., 2021, arXiv:2010.11929",
    tree=encoder_of_patches("class_token"),
    relations=RELATIONS,
    has=HAS,
)

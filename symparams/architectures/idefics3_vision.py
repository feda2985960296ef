"""Idefics3's image encoder by itself: SigLIP's, without what pools the patches."""

from symparams.architectures import Architecture
from symparams.architectures._images import PATCHES
from symparams.architectures.siglip_vision_model import image_encoder
from symparams.expressions.symbols import d_ff, h
from symparams.features import biases

IDEFICS3_VISION = Architecture(
    "idefics3_vision",
    title="Idefics3's image encoder",
    source="Laurençon et al., 2024, arXiv:2408.12637",
    tree=image_encoder,
    relations={d_ff: 4 * h, **PATCHES},
    has=(biases,),
)

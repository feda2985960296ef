"""DeiT: a ViT with a token that learns from a teacher."""

from symparams.architectures import Architecture
from symparams.architectures._images import HAS, RELATIONS, encoder_of_patches
from symparams.components import Gives, Vector, giving, linear, reading
from symparams.expressions.symbols import h, n_labels
from symparams.features import biases, distillation_classifier

DEIT = Architecture(
    "deit",
    title="DeiT",
    source="Touvron et al., 2021, arXiv:2012.12877",
    tree=encoder_of_patches(
        "class_token",
        "distillation_token",
        distillation_classifier=distillation_classifier
        * giving(reading(linear(h, n_labels, bias=biases), Vector.SECOND_TOKEN), Gives.LABELS_OF_A_TEACHER),
    ),
    relations=RELATIONS,
    has=HAS,
)

"""CLIP: a text encoder and an image encoder whose outputs are compared."""

from symparams.architectures import Architecture
from symparams.architectures import clip_text_model as text
from symparams.architectures import clip_vision_model as vision
from symparams.architectures._composites import of_images, of_text
from symparams.architectures._images import PATCHES
from symparams.components import Gives, Vector, block, giving, linear, reading, shared_space
from symparams.expressions.symbols import d_ff_text, d_ff_vision, d_proj, h_text, h_vision, n_labels
from symparams.features import biases, classifier, projection, text_encoder

# What is compared of a text is its end token alone, normed as the others are; an image's token is taken before its norm.
compared = shared_space(h_text, h_vision, d_proj, of=("text_encoder", "image_encoder"), reads=(Vector.END_TOKEN, ""))

CLIP = Architecture(
    "clip",
    title="CLIP",
    source="Radford et al., 2021, arXiv:2103.00020",
    tree=block(
        text_encoder=text_encoder * of_text(text.text_encoder),
        image_encoder=of_images(vision.image_encoder),
        shared_space=projection * compared,
        classifier=classifier * giving(reading(linear(h_vision, n_labels, bias=biases), Vector.MEAN_OF_PATCHES), Gives.LABELS),
    ),
    relations={d_ff_text: 4 * h_text, d_ff_vision: 4 * h_vision, **PATCHES},
    has=(text_encoder, projection, biases),
)

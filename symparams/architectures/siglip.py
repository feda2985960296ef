"""SigLIP: a text encoder and an image encoder; the similarity of each pair is judged by itself."""

from dataclasses import replace

from symparams.architectures import Architecture
from symparams.architectures import siglip_text_model as text
from symparams.architectures import siglip_vision_model as vision
from symparams.architectures._composites import of_images, of_text, text_relations
from symparams.architectures._images import PATCHES
from symparams.components import Gives, Vector, block, giving, linear, pair_similarity, reading, then
from symparams.expressions.symbols import d_ff_vision, d_proj, h_vision, n_labels
from symparams.features import attention_pooling, biases, classifier, text_encoder

# Beside a classifier, which reads the patches, the library pools them in vain.
pools = ~classifier * then(attention_pooling=vision.pool), classifier * then(attention_pooling=vision.unread_pool)
pooled = replace(vision.image_encoder, body=(*vision.image_encoder.body, *(("", pool) for pool in pools)))

SIGLIP = Architecture(
    "siglip",
    title="SigLIP",
    source="Zhai et al., 2023, arXiv:2303.15343",
    tree=block(
        text_encoder=text_encoder * of_text(text.text_encoder),
        image_encoder=of_images(pooled),
        pair_similarity=text_encoder * pair_similarity(d_proj),
        classifier=classifier * giving(reading(linear(h_vision, n_labels, bias=biases), Vector.MEAN_OF_PATCHES), Gives.LABELS),
    ),
    relations={**text_relations(text.SIGLIP_TEXT.relations), d_ff_vision: 4 * h_vision, **PATCHES},
    has=(text_encoder, attention_pooling, biases),
)

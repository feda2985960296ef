"""LLaVA: LLaMA reads images that CLIP encodes and two layers project (Liu et al., 2023, arXiv:2304.08485; LLaVA-1.5,
arXiv:2310.03744)."""

from dataclasses import replace

from symparams.architectures import Architecture
from symparams.architectures._composites import text_relations, vision_language
from symparams.architectures._images import PATCHES
from symparams.architectures.clip_vision_model import image_encoder
from symparams.architectures.llama import LLAMA
from symparams.components import block, linear, reading, seeing
from symparams.components.facts import Stream
from symparams.expressions.symbols import d_features, d_ff_vision, h_text, h_vision, n_patches
from symparams.features import biases, lm_head, projector_bias, tying, vision

# The projector reads the patches as the last layer but one gives them, unless a config names another; those of several
# layers lie side by side.
projector = seeing(
    block(
        input_projection=reading(linear(d_features, h_text, bias=projector_bias), Stream.LAYERS),
        output_projection=linear(h_text, h_text, bias=projector_bias),
    ),
    n_patches,
)
tower = dict(image_encoder.body)
layers = replace(tower["encoder"], unread="unread_image_layers")
read_early = replace(image_encoder, body=tuple({**tower, "encoder": layers}.items()))

LLAVA = Architecture(
    "llava",
    title="LLaVA",
    source="Liu et al., 2023, arXiv:2310.03744",
    tree=vision_language(read_early, projector, LLAMA.tree, "lm_head"),
    relations={**text_relations(LLAMA.relations), d_ff_vision: 4 * h_vision, d_features: h_vision, **PATCHES},
    has=(vision, lm_head, projector_bias, biases, ~tying),
)

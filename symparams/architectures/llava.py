"""LLaVA: a text model reads images that a tower encodes and two layers project; LLaMA and CLIP, or others (Liu et al., 2023,
arXiv:2304.08485; LLaVA-1.5, arXiv:2310.03744)."""

from symparams.architectures import Architecture
from symparams.architectures._composites import composite, image_part, of_layers, text_part, tokens_of, with_unread_layers
from symparams.architectures.clip_vision_model import CLIP_VISION
from symparams.architectures.llama import LLAMA
from symparams.components import block, linear, seeing, then
from symparams.expressions.symbols import d_features, h_text, h_vision
from symparams.features import projector_bias, tying, whole_sequence


def composed(text: Architecture, images: Architecture) -> Architecture:
    """LLaVA of a text model and an image encoder.

    The projector reads what the last layer but one gives, unless a config names another; of several layers, side by side. The
    first token, that of the class, is left out unless a config says so.
    """
    text_model, tower = text_part(text), with_unread_layers(image_part(images), "unread_image_layers")
    layers = then(
        input_projection=of_layers(linear(d_features, h_text, bias=projector_bias), tower),
        output_projection=linear(h_text, h_text, bias=projector_bias),
    )
    projector = block(
        ~whole_sequence * seeing(layers, tokens_of(tower, but=1)), whole_sequence * seeing(layers, tokens_of(tower))
    )
    return composite(
        "llava",
        tower,
        projector,
        text_model,
        title="LLaVA",
        source="Liu et al., 2023, arXiv:2304.08485",
        relations={d_features: h_vision},
        has=(projector_bias, ~tying),
    )


LLAVA = composed(LLAMA, CLIP_VISION)

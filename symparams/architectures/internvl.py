"""InternVL: a text model reads what InternViT encodes, a square of patches side by side in each token; Qwen2, or another."""

from symparams.architectures import Architecture
from symparams.architectures._composites import composite, image_part, text_part, tokens_of, with_unread_layers
from symparams.architectures.internvl_vision import INTERNVL_VISION
from symparams.architectures.qwen2 import QWEN2
from symparams.components import block, layer_norm, linear, seeing
from symparams.expressions.symbols import h_text, h_vision, merge


def composed(text: Architecture, images: Architecture) -> Architecture:
    """InternVL of a text model and its own image encoder, whose class token is left out."""
    text_model, tower = text_part(text), with_unread_layers(image_part(images), "unread_image_layers")
    projector = block(
        layer_norm=layer_norm(merge**2 * h_vision),
        patch_merging=linear(merge**2 * h_vision, h_text),
        output_projection=linear(h_text, h_text),
    )
    seen = seeing(projector, tokens_of(tower, but=1) / merge**2)
    return composite("internvl", tower, seen, text_model, title="InternVL", source="Zhu et al., 2025, arXiv:2504.10479")


INTERNVL = composed(QWEN2, INTERNVL_VISION)

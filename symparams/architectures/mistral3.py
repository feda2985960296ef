"""Mistral Small 3.1 and its descendants: a text model reads what a tower encodes, a square of patches merged into each token;
Mistral and Pixtral, or others."""

from symparams.architectures import Architecture
from symparams.architectures._composites import composite, image_part, of_layers, text_part, tokens_of, with_unread_layers
from symparams.architectures.mistral import MISTRAL
from symparams.architectures.pixtral import PIXTRAL
from symparams.components import block, linear, rms_norm, seeing, then
from symparams.expressions.symbols import d_features, h_text, h_vision, merge
from symparams.features import projector_bias


def composed(text: Architecture, images: Architecture) -> Architecture:
    """Mistral 3 of a text model and an image encoder."""
    text_model, tower = text_part(text), with_unread_layers(image_part(images), "unread_image_layers")
    projector = block(
        seeing(then(rms_norm=of_layers(rms_norm(h_vision), tower)), tokens_of(tower)),
        seeing(
            then(
                patch_merging=linear(merge**2 * h_vision, h_vision, bias=False),
                input_projection=linear(d_features, h_text, bias=projector_bias),
                output_projection=linear(h_text, h_text, bias=projector_bias),
            ),
            tokens_of(tower) / merge**2,
        ),
    )
    return composite(
        "mistral3",
        tower,
        projector,
        text_model,
        title="Mistral 3",
        source="Mistral AI, 2025, https://mistral.ai/news/mistral-small-3-1",
        relations={d_features: h_vision},
    )


MISTRAL3 = composed(MISTRAL, PIXTRAL)

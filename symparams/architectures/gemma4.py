"""Gemma 4: its text model reads what its image encoder makes of squares of patches (Google DeepMind, 2026)."""

from symparams.architectures import Architecture
from symparams.architectures._composites import composite, image_part, text_part, tokens_of
from symparams.architectures.gemma4_text import GEMMA4_TEXT
from symparams.architectures.gemma4_vision import GEMMA4_VISION
from symparams.components import block, linear, non_parametric_rms_norm, seeing
from symparams.expressions.symbols import h_text, h_vision, merge
from symparams.features import lm_head, tying, vision


def composed(text: Architecture, images: Architecture) -> Architecture:
    """Gemma 4 of a text model and an image encoder."""
    text_model, tower = text_part(text), image_part(images)
    projector = block(rms_norm=non_parametric_rms_norm(), projection=linear(h_vision, h_text, bias=False))
    return Architecture(
        "gemma4",
        title="Gemma 4 (multimodal)",
        source="Google DeepMind, 2026, https://ai.google.dev/gemma/docs/core/model_card_4",
        of=(text.name, images.name),
        tree=composite(tower, seeing(projector, tokens_of(tower) / merge**2), text_model),
        relations={**text_model.relations, **tower.relations},
        identities={**text_model.identities, **tower.identities},
        has=(vision, lm_head, *text_model.has, *tower.has, tying),
    )


GEMMA4 = composed(GEMMA4_TEXT, GEMMA4_VISION)

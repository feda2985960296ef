"""Gemma 4: its text model reads what its image encoder makes of squares of patches, and its audio encoder of frames of a
sound."""

from symparams.architectures import Architecture
from symparams.architectures._composites import audio_part, composite, image_part, text_part, tokens_of
from symparams.architectures.gemma4_audio import GEMMA4_AUDIO
from symparams.architectures.gemma4_text import GEMMA4_TEXT
from symparams.architectures.gemma4_vision import GEMMA4_VISION
from symparams.components import Component, block, linear, non_parametric_rms_norm, seeing
from symparams.expressions.nodes import Operand
from symparams.expressions.symbols import d_out, h_text, h_vision, merge, n_frames


def projector(width: Operand, tokens: Operand) -> Component:
    """A norm without parameters, and width × h_text."""
    parts = block(rms_norm=non_parametric_rms_norm(), projection=linear(width, h_text, bias=False))
    return seeing(parts, tokens)


def composed(text: Architecture, images: Architecture, sounds: Architecture) -> Architecture:
    """Gemma 4 of a text model, an image encoder and an audio encoder."""
    text_model, tower, audio = text_part(text), image_part(images), audio_part(sounds)
    return composite(
        "gemma4",
        tower,
        projector(h_vision, tokens_of(tower) / merge**2),
        text_model,
        title="Gemma 4 (multimodal)",
        source="Google DeepMind, 2026, https://ai.google.dev/gemma/docs/core/model_card_4",
        audio=(audio, projector(d_out, n_frames)),
    )


GEMMA4 = composed(GEMMA4_TEXT, GEMMA4_VISION, GEMMA4_AUDIO)

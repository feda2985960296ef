"""Idefics3: a text model reads what SigLIP encodes, a square of patches side by side in each token."""

from symparams.architectures import Architecture
from symparams.architectures._composites import composite, image_part, text_part, tokens_of
from symparams.architectures.idefics3_vision import IDEFICS3_VISION
from symparams.architectures.llama import LLAMA
from symparams.components import block, linear, seeing
from symparams.expressions.symbols import h_text, h_vision, merge
from symparams.features import tying


def shuffled(name: str, text: Architecture, images: Architecture, *, title: str, source: str) -> Architecture:
    """A composite that gives merge² patches as one vector to the only matrix of its projector."""
    text_model, tower = text_part(text), image_part(images)
    projector = block(patch_merging=linear(merge**2 * h_vision, h_text, bias=False))
    seen = seeing(projector, tokens_of(tower) / merge**2)
    return composite(name, tower, seen, text_model, title=title, source=source, has=(~tying,))


def composed(text: Architecture, images: Architecture) -> Architecture:
    """Idefics3 of a text model and its own image encoder."""
    return shuffled("idefics3", text, images, title="Idefics3", source="Laurençon et al., 2024, arXiv:2408.12637")


IDEFICS3 = composed(LLAMA, IDEFICS3_VISION)

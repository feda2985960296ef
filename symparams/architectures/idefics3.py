"""Idefics3: a text model reads what SigLIP encodes, a square of patches side by side in each token."""

from symparams.architectures import Architecture
from symparams.architectures._composites import composite, image_part, text_part, tokens_of
from symparams.architectures.idefics3_vision import IDEFICS3_VISION
from symparams.architectures.llama import LLAMA
from symparams.components import block, linear, seeing
from symparams.expressions.symbols import h_text, h_vision, merge
from symparams.features import lm_head, tying, vision


def shuffled(name: str, text: Architecture, images: Architecture, *, title: str, source: str) -> Architecture:
    """A composite that gives merge² patches as one vector to the only matrix of its projector."""
    text_model, tower = text_part(text), image_part(images)
    projector = block(patch_merging=linear(merge**2 * h_vision, h_text, bias=False))
    return Architecture(
        name,
        title=title,
        source=source,
        of=(text.name, images.name),
        tree=composite(tower, seeing(projector, tokens_of(tower) / merge**2), text_model),
        relations={**text_model.relations, **tower.relations},
        identities={**text_model.identities, **tower.identities},
        has=(vision, lm_head, *text_model.has, *tower.has, ~tying),
    )


def composed(text: Architecture, images: Architecture) -> Architecture:
    """Idefics3 of a text model and its own image encoder."""
    return shuffled("idefics3", text, images, title="Idefics3", source="Laurençon et al., 2024, arXiv:2408.12637")


IDEFICS3 = composed(LLAMA, IDEFICS3_VISION)

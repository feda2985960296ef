"""SmolVLM: Idefics3 with small models, and more patches in each token."""

from symparams.architectures import Architecture
from symparams.architectures.idefics3 import shuffled
from symparams.architectures.llama import LLAMA
from symparams.architectures.smolvlm_vision import SMOLVLM_VISION


def composed(text: Architecture, images: Architecture) -> Architecture:
    """SmolVLM of a text model and its own image encoder."""
    return shuffled("smolvlm", text, images, title="SmolVLM", source="Marafioti et al., 2025, arXiv:2504.05299")


SMOLVLM = composed(LLAMA, SMOLVLM_VISION)

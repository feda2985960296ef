"""SmolVLM's image encoder by itself: Idefics3's."""

from symparams.architectures import Architecture
from symparams.architectures.idefics3_vision import IDEFICS3_VISION

SMOLVLM_VISION = Architecture(
    "smolvlm_vision",
    title="SmolVLM's image encoder",
    source="Marafioti et al., 2025, arXiv:2504.05299",
    tree=IDEFICS3_VISION.tree,
    relations=IDEFICS3_VISION.relations,
    has=IDEFICS3_VISION.has,
)

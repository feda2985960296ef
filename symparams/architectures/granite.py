"""Granite: LLaMA's decoder with fixed multipliers on embeddings, residuals, attention and logits (Granite Team, 2024,
https://github.com/ibm-granite/granite-3.0-language-models)."""

from symparams.architectures import Architecture
from symparams.architectures.llama import LLAMA
from symparams.features import tying

GRANITE = Architecture(
    "granite",
    title="Granite",
    source="Granite Team, 2024, https://github.com/ibm-granite/granite-3.0-language-models",
    tree=LLAMA.tree,
    relations=LLAMA.relations,
    has=(*LLAMA.has, ~tying),
)

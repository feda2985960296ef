"""GPT-3: GPT-2's architecture, larger."""

from symparams.architectures import Architecture
from symparams.architectures.gpt2 import GPT2

GPT3 = Architecture(
    "gpt3",
    title="GPT-3",
    source="Brown et al., 2020, arXiv:2005.14165",
    tree=GPT2.tree,
    relations=GPT2.relations,
    has=GPT2.has,
)

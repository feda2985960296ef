"""XLM-RoBERTa: RoBERTa on a hundred languages, with a vocabulary for them all."""

from symparams.architectures import Architecture
from symparams.architectures.roberta import ROBERTA

XLM_ROBERTA = Architecture(
    "xlm_roberta",
    title="XLM-RoBERTa",
    source="Conneau et al., 2020, arXiv:1911.02116",
    tree=ROBERTA.tree,
    relations=ROBERTA.relations,
    has=ROBERTA.has,
)

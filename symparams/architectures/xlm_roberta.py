"""XLM-RoBERTa: RoBERTa on a hundred languages, with a vocabulary for them all (Conneau et al., 2020, arXiv:1911.02116)."""

from symparams.architectures import Architecture, Published
from symparams.architectures.roberta import encoder_only, library
from symparams.expressions.features import biases, classifier, classifier_transform, mlm_head, pooler, segment_embeddings, tying
from symparams.expressions.symbols import L, V, d_ff, d_head, h, max_pos, n_heads, n_types

XLM_ROBERTA = Architecture(
    "xlm_roberta",
    title="XLM-RoBERTa",
    source="Conneau et al., 2020, arXiv:1911.02116",
    tree=encoder_only,
    library=library("XLMRoberta", vocabulary=30_522),
    relations={d_ff: 4 * h},
    identities={d_head: h / n_heads},
    has=(segment_embeddings, pooler, tying, biases),
    may_have=(mlm_head, classifier, classifier_transform),
    models={
        "xlm-roberta-base": Published(
            {V: 250_002, h: 768, L: 12, n_heads: 12, d_ff: 3_072, max_pos: 514, n_types: 1},
            source="https://huggingface.co/FacebookAI/xlm-roberta-base/blob/main/config.json",
        ),
        "xlm-roberta-large": Published(
            {V: 250_002, h: 1_024, L: 24, n_heads: 16, d_ff: 4_096, max_pos: 514, n_types: 1},
            source="https://huggingface.co/FacebookAI/xlm-roberta-large/blob/main/config.json",
        ),
    },
)

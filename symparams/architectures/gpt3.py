"""GPT-3: GPT-2's architecture, larger (Brown et al., 2020, arXiv:2005.14165)."""

from symparams.architectures import Architecture, Published
from symparams.architectures.gpt2 import decoder_only
from symparams.expressions.features import biases, classifier, lm_head, tying
from symparams.expressions.symbols import L, V, d_ff, d_head, h, max_pos, n_heads

GPT3 = Architecture(
    "gpt3",
    title="GPT-3",
    source="Brown et al., 2020, arXiv:2005.14165",
    tree=decoder_only,
    relations={d_ff: 4 * h},
    identities={d_head: h / n_heads},
    has=(lm_head, tying, biases),
    may_have=(classifier,),
    models={
        "gpt3-175b": Published(
            {V: 50_257, h: 12_288, L: 96, n_heads: 96, max_pos: 2_048},
            source="https://arxiv.org/abs/2005.14165, table 2.1; vocabulary of GPT-2",
        ),
    },
)

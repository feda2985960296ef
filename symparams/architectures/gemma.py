"""Gemma: LLaMA's layer with heads of a size of their own and a tied head (Mesnard et al., 2024, arXiv:2403.08295)."""

from symparams.architectures import Architecture, Published
from symparams.architectures.llama import attention, decoder_layer, decoder_only
from symparams.components import gated_feed_forward
from symparams.expressions.features import attention_bias, classifier, classifier_bias, lm_head, tying
from symparams.expressions.symbols import L, V, d_ff, d_head, h, n_heads, n_kv_heads
from symparams.models.library import Flag, Library
from symparams.models.library.decoders import decoder_sizes, outputs_biased

GEMMA = Architecture(
    "gemma",
    title="Gemma",
    source="Mesnard et al., 2024, arXiv:2403.08295",
    tree=decoder_only(decoder_layer(attention(bias=attention_bias), gated_feed_forward(h, d_ff))),
    library=Library(
        base="GemmaModel",
        classes={
            "GemmaModel": (),
            "GemmaForCausalLM": (lm_head,),
            "GemmaForSequenceClassification": (classifier,),
            "GemmaForTokenClassification": (classifier,),
        },
        sizes=decoder_sizes({V: 256_000, h: 3_072, L: 28, n_heads: 16, n_kv_heads: 16, d_head: 256, d_ff: 24_576}),
        flags={
            tying: Flag("tie_word_embeddings", default=True),
            attention_bias: Flag("attention_bias", default=False),
            classifier_bias: outputs_biased,
        },
    ),
    whole=(n_heads / n_kv_heads,),
    has=(lm_head, tying),
    may_have=(attention_bias, classifier, classifier_bias),
    models={
        "gemma-2b": Published(
            {V: 256_000, h: 2_048, L: 18, n_heads: 8, n_kv_heads: 1, d_head: 256, d_ff: 16_384},
            source="https://huggingface.co/google/gemma-2b/blob/main/config.json",
        ),
        "gemma-7b": Published(
            {V: 256_000, h: 3_072, L: 28, n_heads: 16, n_kv_heads: 16, d_head: 256, d_ff: 24_576},
            source="https://huggingface.co/google/gemma-7b/blob/main/config.json",
        ),
    },
)

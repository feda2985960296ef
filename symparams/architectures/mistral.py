"""Mistral: LLaMA's layer with grouped queries and a sliding window (Jiang et al., 2023, arXiv:2310.06825)."""

from symparams.architectures import Architecture, Published
from symparams.architectures.llama import attention, decoder_layer, decoder_only
from symparams.components import gated_feed_forward
from symparams.expressions.features import classifier, classifier_bias, lm_head, tying
from symparams.expressions.symbols import L, V, d_ff, d_head, h, n_heads, n_kv_heads
from symparams.models.library import Flag, Library
from symparams.models.library.decoders import decoder_sizes, outputs_biased

MISTRAL = Architecture(
    "mistral",
    title="Mistral",
    source="Jiang et al., 2023, arXiv:2310.06825",
    tree=decoder_only(decoder_layer(attention(), gated_feed_forward(h, d_ff))),
    library=Library(
        base="MistralModel",
        classes={
            "MistralModel": (),
            "MistralForCausalLM": (lm_head,),
            "MistralForSequenceClassification": (classifier,),
            "MistralForTokenClassification": (classifier,),
            "MistralForQuestionAnswering": (classifier,),
        },
        sizes=decoder_sizes({V: 32_000, h: 4_096, L: 32, n_heads: 32, n_kv_heads: 8, d_ff: 14_336}, rounded=True),
        flags={tying: Flag("tie_word_embeddings", default=False), classifier_bias: outputs_biased},
    ),
    relations={n_kv_heads: n_heads, d_head: h / n_heads},
    whole=(n_heads / n_kv_heads,),
    has=(lm_head,),
    may_have=(tying, classifier, classifier_bias),
    models={
        "mistral-7b-v0.1": Published(
            {V: 32_000, h: 4_096, L: 32, n_heads: 32, n_kv_heads: 8, d_ff: 14_336},
            source="https://huggingface.co/mistralai/Mistral-7B-v0.1/blob/main/config.json",
        ),
    },
)

"""Gemma 3, its text model: Gemma 2's layer with norms of query and key (Kamath et al., 2025, arXiv:2503.19786)."""

from symparams.architectures import Architecture, Published
from symparams.architectures.gemma2 import decoder_layer
from symparams.architectures.llama import attention, decoder_only
from symparams.components import gated_feed_forward, rms_norm
from symparams.components.grouped_queries import normed
from symparams.expressions.features import attention_bias, classifier, classifier_bias, lm_head, query_key_norm, tying
from symparams.expressions.symbols import L, V, d_ff, d_head, h, n_heads, n_kv_heads
from symparams.models.library import Flag, Library
from symparams.models.library.decoders import decoder_sizes, outputs_biased

GEMMA3_TEXT = Architecture(
    "gemma3_text",
    title="Gemma 3",
    source="Kamath et al., 2025, arXiv:2503.19786",
    tree=decoder_only(decoder_layer(normed(attention(bias=attention_bias), rms_norm(d_head)), gated_feed_forward(h, d_ff))),
    library=Library(
        base="Gemma3TextModel",
        classes={
            "Gemma3TextModel": (),
            "Gemma3ForCausalLM": (lm_head,),
            "Gemma3TextForSequenceClassification": (classifier,),
        },
        sizes=decoder_sizes({V: 262_208, h: 2_304, L: 26, n_heads: 8, n_kv_heads: 4, d_head: 256, d_ff: 9_216}),
        flags={
            tying: Flag("tie_word_embeddings", default=True),
            attention_bias: Flag("attention_bias", default=False),
            classifier_bias: outputs_biased,
        },
    ),
    whole=(n_heads / n_kv_heads,),
    has=(lm_head, tying, query_key_norm),
    may_have=(attention_bias, classifier, classifier_bias),
    models={
        "gemma-3-1b": Published(
            {V: 262_144, h: 1_152, L: 26, n_heads: 4, n_kv_heads: 1, d_head: 256, d_ff: 6_912},
            source="https://huggingface.co/google/gemma-3-1b-pt/blob/main/config.json",
        ),
    },
)

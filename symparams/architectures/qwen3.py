"""Qwen3: LLaMA's layer with norms of query and key in each head (Yang et al., 2025, arXiv:2505.09388)."""

from symparams.architectures import Architecture, Published
from symparams.architectures.llama import attention, decoder_layer, decoder_only
from symparams.components import gated_feed_forward, rms_norm
from symparams.components.grouped_queries import normed
from symparams.expressions.features import attention_bias, classifier, classifier_bias, lm_head, query_key_norm, tying
from symparams.expressions.symbols import L, V, d_ff, d_head, h, n_heads, n_kv_heads
from symparams.models.library import Flag, Library
from symparams.models.library.decoders import decoder_sizes, outputs_biased

QWEN3 = Architecture(
    "qwen3",
    title="Qwen3",
    source="Yang et al., 2025, arXiv:2505.09388",
    tree=decoder_only(decoder_layer(normed(attention(bias=attention_bias), rms_norm(d_head)), gated_feed_forward(h, d_ff))),
    library=Library(
        base="Qwen3Model",
        classes={
            "Qwen3Model": (),
            "Qwen3ForCausalLM": (lm_head,),
            "Qwen3ForSequenceClassification": (classifier,),
            "Qwen3ForTokenClassification": (classifier,),
            "Qwen3ForQuestionAnswering": (classifier,),
        },
        sizes=decoder_sizes({V: 151_936, h: 4_096, L: 32, n_heads: 32, n_kv_heads: 32, d_head: 128, d_ff: 22_016}),
        flags={
            tying: Flag("tie_word_embeddings", default=False),
            attention_bias: Flag("attention_bias", default=False),
            classifier_bias: outputs_biased,
        },
    ),
    relations={n_kv_heads: n_heads},
    whole=(n_heads / n_kv_heads,),
    has=(lm_head, query_key_norm),
    may_have=(tying, attention_bias, classifier, classifier_bias),
    models={
        "qwen3-0.6b": Published(
            {V: 151_936, h: 1_024, L: 28, n_heads: 16, n_kv_heads: 8, d_head: 128, d_ff: 3_072},
            source="https://huggingface.co/Qwen/Qwen3-0.6B/blob/main/config.json",
            include=(tying,),
        ),
        "qwen3-8b": Published(
            {V: 151_936, h: 4_096, L: 36, n_heads: 32, n_kv_heads: 8, d_head: 128, d_ff: 12_288},
            source="https://huggingface.co/Qwen/Qwen3-8B/blob/main/config.json",
        ),
    },
)

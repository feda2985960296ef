"""Qwen2: LLaMA's layer with biases on query, key and value (Yang et al., 2024, arXiv:2407.10671)."""

from symparams.architectures import Architecture, Published
from symparams.architectures.llama import decoder_layer, decoder_only
from symparams.components import gated_feed_forward
from symparams.components.grouped_queries import input_biased_attention
from symparams.expressions.features import classifier, classifier_bias, lm_head, tying
from symparams.expressions.symbols import L, V, d_ff, d_head, h, n_heads, n_kv_heads
from symparams.models.library import Flag, Library
from symparams.models.library.decoders import decoder_sizes, outputs_biased

QWEN2 = Architecture(
    "qwen2",
    title="Qwen2",
    source="Yang et al., 2024, arXiv:2407.10671",
    tree=decoder_only(decoder_layer(input_biased_attention(h, n_heads, n_kv_heads, d_head), gated_feed_forward(h, d_ff))),
    library=Library(
        base="Qwen2Model",
        classes={
            "Qwen2Model": (),
            "Qwen2ForCausalLM": (lm_head,),
            "Qwen2ForSequenceClassification": (classifier,),
            "Qwen2ForTokenClassification": (classifier,),
            "Qwen2ForQuestionAnswering": (classifier,),
        },
        sizes=decoder_sizes({V: 151_936, h: 4_096, L: 32, n_heads: 32, n_kv_heads: 32, d_ff: 22_016}, rounded=True),
        flags={tying: Flag("tie_word_embeddings", default=False), classifier_bias: outputs_biased},
    ),
    relations={n_kv_heads: n_heads, d_head: h / n_heads},
    whole=(n_heads / n_kv_heads,),
    has=(lm_head,),
    may_have=(tying, classifier, classifier_bias),
    models={
        "qwen2-0.5b": Published(
            {V: 151_936, h: 896, L: 24, n_heads: 14, n_kv_heads: 2, d_ff: 4_864},
            source="https://huggingface.co/Qwen/Qwen2-0.5B/blob/main/config.json",
            include=(tying,),
        ),
        "qwen2-7b": Published(
            {V: 152_064, h: 3_584, L: 28, n_heads: 28, n_kv_heads: 4, d_ff: 18_944},
            source="https://huggingface.co/Qwen/Qwen2-7B/blob/main/config.json",
        ),
    },
)

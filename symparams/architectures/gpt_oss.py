"""gpt-oss: a mixture of experts in each layer, with biases throughout and attention sinks (OpenAI, 2025, arXiv:2508.10925)."""

from symparams.architectures import Architecture, Published
from symparams.architectures.mixtral import layer, with_heads
from symparams.components import grouped_query_attention
from symparams.components.attention_sinks import with_sinks
from symparams.components.experts import check_experts, mixture_of_experts
from symparams.expressions.features import attention_bias, classifier, classifier_bias, lm_head, tying
from symparams.expressions.symbols import L, V, d_ff, d_head, h, n_active, n_experts, n_heads, n_kv_heads
from symparams.models.library import Flag, Key, Library
from symparams.models.library.decoders import decoder_sizes, outputs_biased

decoder_layer = layer(
    "decoder_layer",
    with_sinks(grouped_query_attention(h, n_heads, n_kv_heads, d_head, bias=attention_bias), n_heads),
    experts=mixture_of_experts(h, n_experts, n_active, d_ff, bias=True),
)

number = Key("num_local_experts", "num_experts", default=128)
active = Key("num_experts_per_tok", default=4)

GPT_OSS = Architecture(
    "gpt_oss",
    title="gpt-oss",
    source="OpenAI, 2025, arXiv:2508.10925",
    tree=with_heads(L * decoder_layer),
    library=Library(
        base="GptOssModel",
        classes={
            "GptOssModel": (),
            "GptOssForCausalLM": (lm_head,),
            "GptOssForSequenceClassification": (classifier,),
            "GptOssForTokenClassification": (classifier,),
        },
        sizes={
            **decoder_sizes({V: 201_088, h: 2_880, L: 36, n_heads: 64, n_kv_heads: 8, d_head: 64, d_ff: 2_880}),
            n_experts: number,
            n_active: active,
        },
        flags={
            tying: Flag("tie_word_embeddings", default=False),
            attention_bias: Flag("attention_bias", default=True),
            classifier_bias: outputs_biased,
        },
        check=check_experts(number, active),
    ),
    relations={n_kv_heads: n_heads},
    whole=(n_heads / n_kv_heads,),
    at_most={n_active: n_experts},
    has=(lm_head, attention_bias),
    may_have=(tying, classifier, classifier_bias),
    models={
        "gpt-oss-20b": Published(
            {V: 201_088, h: 2_880, L: 24, n_heads: 64, n_kv_heads: 8, d_head: 64, d_ff: 2_880, n_experts: 32, n_active: 4},
            source="https://huggingface.co/openai/gpt-oss-20b/blob/main/config.json",
        ),
        "gpt-oss-120b": Published(
            {V: 201_088, h: 2_880, L: 36, n_heads: 64, n_kv_heads: 8, d_head: 64, d_ff: 2_880, n_experts: 128, n_active: 4},
            source="https://huggingface.co/openai/gpt-oss-120b/blob/main/config.json",
        ),
    },
)

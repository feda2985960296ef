"""gpt-oss: a mixture of experts in each layer, with biases throughout and attention sinks."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import decoder_only, grouped, mixture_layer
from symparams.components import every, mixture_of_experts, with_sinks
from symparams.expressions.symbols import L, W, d_ff, h, n_active, n_experts, n_heads, n_kv_heads
from symparams.features import attention_bias, lm_head, tying

attention = with_sinks(grouped(bias=attention_bias, window=W, windowed=every(2)), n_heads)
experts = mixture_of_experts(h, n_experts, n_active, d_ff, bias=True, activation="swiglu", scores="softmax")

GPT_OSS = Architecture(
    "gpt_oss",
    title="gpt-oss",
    source="OpenAI, 2025, arXiv:2508.10925",
    tree=decoder_only(L * mixture_layer(attention, experts=experts)),
    relations={n_kv_heads: n_heads},
    has=(lm_head, attention_bias, ~tying),
)

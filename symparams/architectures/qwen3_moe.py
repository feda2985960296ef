"""Qwen3-MoE: many small experts, queries and keys normed by head (Yang et al., 2025, arXiv:2505.09388)."""

from symparams.architectures import Architecture
from symparams.architectures.mixtral import with_heads
from symparams.architectures.qwen2_moe import stacks
from symparams.components import grouped_query_attention, rms_norm
from symparams.components.experts import any_of, check_experts, layers_at_steps, mixture_of_experts, other_layers
from symparams.components.grouped_queries import normed
from symparams.expressions.features import (
    attention_bias,
    classifier,
    classifier_bias,
    dense_layers,
    lm_head,
    moe_layers,
    query_key_norm,
    tying,
)
from symparams.expressions.symbols import L_dense, L_moe, V, d_expert, d_ff, d_head, h, n_active, n_experts, n_heads, n_kv_heads
from symparams.models.library import Flag, Key, Library
from symparams.models.library.decoders import decoder_sizes, outputs_biased

attention = normed(grouped_query_attention(h, n_heads, n_kv_heads, d_head, bias=attention_bias), rms_norm(d_head))

depth = Key("num_hidden_layers", default=24)
number = Key("num_experts", "num_local_experts", default=128, least=0)
active = Key("num_experts_per_tok", default=8)
with_experts = layers_at_steps(depth, number)
without_experts = other_layers(depth, with_experts)

QWEN3_MOE = Architecture(
    "qwen3_moe",
    title="Qwen3-MoE",
    source="Yang et al., 2025, arXiv:2505.09388",
    tree=with_heads(stacks(attention, experts=mixture_of_experts(h, n_experts, n_active, d_expert))),
    library=Library(
        base="Qwen3MoeModel",
        classes={
            "Qwen3MoeModel": (),
            "Qwen3MoeForCausalLM": (lm_head,),
            "Qwen3MoeForSequenceClassification": (classifier,),
            "Qwen3MoeForTokenClassification": (classifier,),
            "Qwen3MoeForQuestionAnswering": (classifier,),
        },
        sizes={
            **decoder_sizes({V: 151_936, h: 2_048, n_heads: 32, n_kv_heads: 4, d_ff: 6_144}, rounded=True),
            L_dense: without_experts,
            L_moe: with_experts,
            n_experts: number,
            n_active: active,
            d_expert: Key("moe_intermediate_size", default=768),
        },
        flags={
            tying: Flag("tie_word_embeddings", default=False),
            attention_bias: Flag("attention_bias", default=False),
            dense_layers: any_of(without_experts),
            moe_layers: any_of(with_experts),
            classifier_bias: outputs_biased,
        },
        check=check_experts(number, active),
    ),
    relations={n_kv_heads: n_heads, d_head: h / n_heads},
    whole=(n_heads / n_kv_heads,),
    at_most={n_active: n_experts},
    has=(lm_head, moe_layers, query_key_norm),
    may_have=(tying, attention_bias, dense_layers, classifier, classifier_bias),
)

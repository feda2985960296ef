"""Qwen2-MoE: many small experts, and one that every token passes (Yang et al., 2024, arXiv:2407.10671, section 2.2.2)."""

from symparams.architectures import Architecture
from symparams.architectures.mixtral import layer, with_heads
from symparams.components import Component, Gate, block, gated_feed_forward
from symparams.components.experts import any_of, check_experts, layers_at_steps, mixture_of_experts, other_layers, shared_expert
from symparams.components.grouped_queries import input_biased_attention
from symparams.expressions.features import classifier, classifier_bias, dense_layers, lm_head, moe_layers, qkv_bias, tying
from symparams.expressions.symbols import (
    L_dense,
    L_moe,
    V,
    d_expert,
    d_ff,
    d_head,
    d_shared,
    h,
    n_active,
    n_experts,
    n_heads,
    n_kv_heads,
)
from symparams.models.library import Flag, Key, Library
from symparams.models.library.decoders import decoder_sizes, outputs_biased


def stacks(attention: Component, *, bias: Gate = False, **experts: Component) -> Component:
    """The layers without experts and those with them, wherever in the stack they stand."""
    dense = layer("dense_layer", attention, feed_forward=gated_feed_forward(h, d_ff, bias=bias))
    return block(
        dense_layers=dense_layers * (L_dense * dense),
        moe_layers=moe_layers * (L_moe * layer("moe_layer", attention, **experts)),
    )


attention = input_biased_attention(h, n_heads, n_kv_heads, d_head, bias=qkv_bias)

depth = Key("num_hidden_layers", default=24)
number = Key("num_experts", default=60, least=0)
active = Key("num_experts_per_tok", default=4)
with_experts = layers_at_steps(depth, number)
without_experts = other_layers(depth, with_experts)

QWEN2_MOE = Architecture(
    "qwen2_moe",
    title="Qwen2-MoE",
    source="Yang et al., 2024, arXiv:2407.10671",
    tree=with_heads(
        stacks(
            attention,
            experts=mixture_of_experts(h, n_experts, n_active, d_expert),
            shared_expert=shared_expert(h, d_shared),
        )
    ),
    library=Library(
        base="Qwen2MoeModel",
        classes={
            "Qwen2MoeModel": (),
            "Qwen2MoeForCausalLM": (lm_head,),
            "Qwen2MoeForSequenceClassification": (classifier,),
            "Qwen2MoeForTokenClassification": (classifier,),
            "Qwen2MoeForQuestionAnswering": (classifier,),
        },
        sizes={
            **decoder_sizes({V: 151_936, h: 2_048, n_heads: 16, n_kv_heads: 16, d_ff: 5_632}, rounded=True),
            L_dense: without_experts,
            L_moe: with_experts,
            n_experts: number,
            n_active: active,
            d_expert: Key("moe_intermediate_size", default=1_408),
            d_shared: Key("shared_expert_intermediate_size", default=5_632),
        },
        flags={
            tying: Flag("tie_word_embeddings", default=False),
            qkv_bias: Flag("qkv_bias", default=True),
            dense_layers: any_of(without_experts),
            moe_layers: any_of(with_experts),
            classifier_bias: outputs_biased,
        },
        check=check_experts(number, active),
    ),
    relations={n_kv_heads: n_heads, d_head: h / n_heads},
    whole=(n_heads / n_kv_heads,),
    at_most={n_active: n_experts},
    has=(lm_head, moe_layers, qkv_bias),
    may_have=(tying, dense_layers, classifier, classifier_bias),
)

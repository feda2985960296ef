"""Qwen3-Next: three layers of linear attention by a gated delta rule for each layer of attention, whose output has a gate; many
small experts, and one that every token passes."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, NORM, decoder_only, grouped, normed
from symparams.architectures._mixed_stacks import in_turn, mixers_and_networks, stack
from symparams.components import (
    block,
    equals,
    gated_delta_rule,
    gated_feed_forward,
    mixture_of_experts,
    parallel,
    pre_norm,
    residual,
    rms_norm,
    shared_expert,
    with_output_gate,
)
from symparams.expressions.symbols import (
    L_attn,
    L_dense,
    L_linear,
    L_moe,
    d_conv,
    d_expert,
    d_ff,
    d_head,
    d_linear_key,
    d_linear_value,
    d_shared,
    h,
    n_active,
    n_experts,
    n_linear_keys,
    n_linear_values,
)
from symparams.features import (
    attention_bias,
    attention_layers,
    linear_attention_layers,
    lm_head,
    moe_layers,
    query_key_norm,
    tying,
)

HEADS = (n_linear_keys, n_linear_values, d_linear_key, d_linear_value)

attention = normed(with_output_gate(grouped(bias=attention_bias)), rms_norm(d_head))
linear_attention = gated_delta_rule(h, *HEADS, d_conv, fused=True)
experts = parallel(
    experts=mixture_of_experts(h, n_experts, n_active, d_expert, scores="softmax"), shared_expert=shared_expert(h, d_shared)
)

mixers = in_turn(
    stack("linear_attention_sublayer", L_linear, *pre_norm(NORM, linear_attention=linear_attention)),
    stack("attention_sublayer", L_attn, *pre_norm(NORM, attention=attention)),
)
mixture = residual(block(feed_forward_norm=NORM), experts)

QWEN3_NEXT = Architecture(
    "qwen3_next",
    title="Qwen3-Next",
    source="Qwen Team, 2025, https://qwen.ai/blog?id=qwen3-next",
    tree=decoder_only(mixers_and_networks(mixers, gated_feed_forward(h, d_ff), mixture)),
    relations=GROUPED,
    laws=[equals(L_attn + L_linear, L_dense + L_moe)],
    has=(lm_head, linear_attention_layers, attention_layers, moe_layers, query_key_norm, ~tying),
)

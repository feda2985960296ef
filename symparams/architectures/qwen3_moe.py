"""Qwen3-MoE: many small experts, queries and keys normed by head."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, decoder_only, grouped, normed
from symparams.architectures._mixed_stacks import dense_and_mixture
from symparams.components import alternating, mixture_of_experts, rms_norm
from symparams.expressions.symbols import W, d_expert, d_head, h, n_active, n_experts
from symparams.features import attention_bias, lm_head, moe_layers, query_key_norm, tying

attention = normed(grouped(bias=attention_bias, window=W), rms_norm(d_head))

QWEN3_MOE = Architecture(
    "qwen3_moe",
    title="Qwen3-MoE",
    source="Yang et al., 2025, arXiv:2505.09388",
    tree=decoder_only(
        alternating(
            dense_and_mixture(attention, experts=mixture_of_experts(h, n_experts, n_active, d_expert, scores="softmax"))
        )
    ),
    relations=GROUPED,
    has=(lm_head, moe_layers, query_key_norm, ~tying),
)

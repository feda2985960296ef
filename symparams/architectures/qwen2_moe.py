"""Qwen2-MoE: many small experts, and one that every token passes (Yang et al., 2024, arXiv:2407.10671, section 2.2.2)."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, decoder_only, grouped
from symparams.architectures._mixed_stacks import dense_and_mixture
from symparams.components import Biases, Pattern, alternating, mixture_of_experts, shared_expert
from symparams.expressions.symbols import W, d_expert, d_shared, h, n_active, n_experts
from symparams.features import lm_head, moe_layers, qkv_bias, tying

every_second_below = Pattern(2, below=28, keys=("max_window_layers",))
attention = grouped(bias=Biases(inputs=qkv_bias, output=False), window=W, windowed=every_second_below)

QWEN2_MOE = Architecture(
    "qwen2_moe",
    title="Qwen2-MoE",
    source="Yang et al., 2024, arXiv:2407.10671",
    tree=decoder_only(
        alternating(
            dense_and_mixture(
                attention,
                experts=mixture_of_experts(h, n_experts, n_active, d_expert, scores="softmax"),
                shared_expert=shared_expert(h, d_shared),
            )
        )
    ),
    relations=GROUPED,
    has=(lm_head, moe_layers, qkv_bias, ~tying),
)

"""ERNIE 4.5: ERNIE's layer with many small experts beside shared ones in all layers but the first, the router's choice balanced
by a bias that is stored and not trained."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, decoder_only, grouped
from symparams.architectures._mixed_stacks import dense_and_mixture
from symparams.components import gated_feed_forward, mixture_of_experts, with_balancing_bias
from symparams.expressions.symbols import d_expert, h, n_active, n_experts, n_shared
from symparams.features import biases, dense_layers, lm_head, moe_layers, shared_experts, tying

decoder = dense_and_mixture(
    grouped(bias=biases),
    bias=biases,
    experts=with_balancing_bias(mixture_of_experts(h, n_experts, n_active, d_expert, scores="softmax"), n_experts),
    shared_experts=shared_experts * gated_feed_forward(h, n_shared * d_expert, bias=biases),
)

ERNIE4_5_MOE = Architecture(
    "ernie4_5_moe",
    title="ERNIE 4.5 MoE",
    source="Baidu, 2025, https://yiyan.baidu.com/blog/publication",
    tree=decoder_only(decoder, head_bias=biases),
    relations=GROUPED,
    has=(lm_head, dense_layers, moe_layers, shared_experts, tying),
)

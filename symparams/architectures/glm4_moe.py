"""GLM-4.5: a deep mixture of many experts and a shared one, its router balanced by a bias that is not trained."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import decoder_only, grouped, normed
from symparams.architectures._mixed_stacks import dense_and_mixture
from symparams.components import Biases, gated_feed_forward, mixture_of_experts, rms_norm
from symparams.expressions.symbols import d_expert, d_head, h, n_active, n_experts, n_heads, n_shared
from symparams.features import dense_layers, lm_head, moe_layers, qkv_bias, tying

attention = normed(grouped(bias=Biases(inputs=qkv_bias, output=False)), rms_norm(d_head))

GLM4_MOE = Architecture(
    "glm4_moe",
    title="GLM-4.5",
    source="GLM-4.5 Team, 2025, arXiv:2508.06471",
    tree=decoder_only(
        dense_and_mixture(
            attention,
            experts=mixture_of_experts(h, n_experts, n_active, d_expert, scores="sigmoid"),
            shared_experts=gated_feed_forward(h, n_shared * d_expert),
        )
    ),
    relations={d_head: h / n_heads},
    has=(lm_head, dense_layers, moe_layers, ~tying),
)

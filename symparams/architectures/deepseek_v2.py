"""DeepSeek-V2: latent attention, and a mixture of experts with shared ones."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import decoder_only
from symparams.architectures._mixed_stacks import dense_and_mixture
from symparams.components import Component, Gate, gated_feed_forward, latent_attention, mixture_of_experts
from symparams.expressions.symbols import d_expert, d_nope, d_rope, d_v, h, n_active, n_experts, n_heads, n_shared, r_kv, r_q
from symparams.features import attention_bias, dense_layers, lm_head, mlp_bias, moe_layers, query_compression, tying

latent = latent_attention(
    h, n_heads, low_rank_query=query_compression, r_q=r_q, r_kv=r_kv, d_nope=d_nope, d_rope=d_rope, d_v=d_v, bias=attention_bias
)


def decoder(attention: Component = latent, *, bias: Gate = False, scores: str = "sigmoid") -> Component:
    """Dense layers, and layers with experts beside which n_shared more, side by side in one, take every token."""
    return dense_and_mixture(
        attention,
        bias=bias,
        experts=mixture_of_experts(h, n_experts, n_active, d_expert, scores=scores),
        shared_experts=gated_feed_forward(h, n_shared * d_expert, bias=bias),
    )


DEEPSEEK_V2 = Architecture(
    "deepseek_v2",
    title="DeepSeek-V2",
    source="DeepSeek-AI, 2024, arXiv:2405.04434",
    tree=decoder_only(decoder(bias=mlp_bias, scores="softmax")),
    has=(lm_head, query_compression, dense_layers, moe_layers, ~tying),
)

"""MiniMax-Text-01: seven layers of lightning attention for each layer of attention, a mixture of experts in every layer, and
sums with the output of the norms (MiniMax, 2025, arXiv:2501.08313)."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, NORM, decoder_only, grouped
from symparams.components import alternating, block, lightning_attention, mixture_of_experts, residual
from symparams.expressions.symbols import L_attn, L_linear, W, chunk, d_ff, d_head, h, n_active, n_experts, n_heads
from symparams.features import attention_layers, linear_attention_layers, lm_head, tying

attention = grouped(window=W)
linear_attention = lightning_attention(h, n_heads, d_head, chunk=chunk)
network = (
    block(feed_forward_norm=NORM),
    residual(experts=mixture_of_experts(h, n_experts, n_active, d_ff)),
)
linear_attention_layer = block(
    "linear_attention_layer", block(linear_attention_norm=NORM), residual(linear_attention=linear_attention), *network
)
attention_layer = block("attention_layer", block(attention_norm=NORM), residual(attention=attention), *network)

MINIMAX = Architecture(
    "minimax",
    title="MiniMax-Text-01",
    source="MiniMax, 2025, arXiv:2501.08313",
    tree=decoder_only(
        alternating(
            block(
                linear_attention_layers=linear_attention_layers * (L_linear * linear_attention_layer),
                attention_layers=attention_layers * (L_attn * attention_layer),
            )
        )
    ),
    relations=GROUPED,
    has=(lm_head, linear_attention_layers, attention_layers, ~tying),
)

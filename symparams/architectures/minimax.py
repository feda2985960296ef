"""MiniMax-Text-01: seven layers of lightning attention for each layer of attention, a mixture of experts in every layer, and
sums with the output of the norms."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, NORM, decoder_only, grouped
from symparams.architectures._mixed_stacks import attention_and_linear
from symparams.components import block, lightning_attention, mixture_of_experts, residual
from symparams.expressions.symbols import W, chunk, d_ff, d_head, h, n_active, n_experts, n_heads
from symparams.features import attention_layers, linear_attention_layers, lm_head, tying

attention = grouped(window=W)
linear_attention = lightning_attention(h, n_heads, d_head, chunk=chunk)
recurring = block(block(linear_attention_norm=NORM), residual(linear_attention=linear_attention))
attending = block(block(attention_norm=NORM), residual(attention=attention))
network = (block(feed_forward_norm=NORM), residual(experts=mixture_of_experts(h, n_experts, n_active, d_ff, scores="softmax")))

MINIMAX = Architecture(
    "minimax",
    title="MiniMax-Text-01",
    source="MiniMax, 2025, arXiv:2501.08313",
    tree=decoder_only(attention_and_linear(attending, recurring, *network)),
    relations=GROUPED,
    has=(lm_head, linear_attention_layers, attention_layers, ~tying),
)

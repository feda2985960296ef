"""MiniMax-M2: full attention whose norms of query and key span all heads, and a mixture of many small experts in each layer,
its router balanced by a bias that is not trained."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import decoder_only, grouped, mixture_layer, normed_across_heads
from symparams.components import mixture_of_experts
from symparams.expressions.symbols import L, d_ff, h, n_active, n_experts, n_heads, n_kv_heads
from symparams.features import lm_head, tying

experts = mixture_of_experts(h, n_experts, n_active, d_ff, scores="sigmoid")

MINIMAX_M2 = Architecture(
    "minimax_m2",
    title="MiniMax-M2",
    source="MiniMax, 2025, https://huggingface.co/MiniMaxAI/MiniMax-M2",
    tree=decoder_only(L * mixture_layer(normed_across_heads(grouped()), experts=experts)),
    relations={n_kv_heads: n_heads},
    has=(lm_head, ~tying),
)

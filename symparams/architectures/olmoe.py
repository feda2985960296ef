"""OLMoE: many small experts in each layer, the norms of query and key over all heads at once."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import decoder_only, grouped, mixture_layer, normed_across_heads
from symparams.components import mixture_of_experts
from symparams.expressions.symbols import L, d_ff, d_head, h, n_active, n_experts, n_heads, n_kv_heads
from symparams.features import attention_bias, lm_head, tying

attention = normed_across_heads(grouped(bias=attention_bias))

OLMOE = Architecture(
    "olmoe",
    title="OLMoE",
    source="Muennighoff et al., 2024, arXiv:2409.02060",
    tree=decoder_only(L * mixture_layer(attention, experts=mixture_of_experts(h, n_experts, n_active, d_ff, scores="softmax"))),
    relations={n_kv_heads: n_heads},
    identities={d_head: h / n_heads},
    has=(lm_head, ~tying),
)

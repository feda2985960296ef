"""DBRX: a fine-grained mixture of experts in each layer behind LayerNorms without biases."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import decoder_only, grouped, mixture_layer
from symparams.components import layer_norm, mixture_of_experts
from symparams.expressions.symbols import L, d_ff, d_head, h, n_active, n_experts, n_heads
from symparams.features import lm_head, tying

norm = layer_norm(h, bias=False)
experts = mixture_of_experts(h, n_experts, n_active, d_ff, fused=False, scores="softmax")

DBRX = Architecture(
    "dbrx",
    title="DBRX",
    source="Databricks, 2024, https://www.databricks.com/blog/introducing-dbrx-new-state-art-open-llm",
    tree=decoder_only(L * mixture_layer(grouped(fused=True), norm=norm, experts=experts), norm),
    identities={d_head: h / n_heads},
    has=(lm_head, ~tying),
)

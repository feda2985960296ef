"""Granite MoE: Granite's decoder with a mixture of experts in each layer (Granite Team, 2024,
https://github.com/ibm-granite/granite-3.0-language-models)."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import decoder_only, mixture_layer
from symparams.architectures.granite import GRANITE, attention, multiplied, multipliers
from symparams.components import mixture_of_experts
from symparams.expressions.symbols import L, d_ff, h, n_active, n_experts
from symparams.features import lm_head, tying

experts = multiplied(mixture_of_experts(h, n_experts, n_active, d_ff, scores="softmax"))

GRANITEMOE = Architecture(
    "granitemoe",
    title="Granite MoE",
    source=GRANITE.source,
    tree=decoder_only(L * mixture_layer(attention, experts=experts), **multipliers),
    relations=GRANITE.relations,
    has=(lm_head, ~tying),
)

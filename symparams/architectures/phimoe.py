"""PhiMoE: Mixtral's layer with LayerNorms and biases."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, decoder_only, grouped, mixture_layer
from symparams.components import layer_norm, mixture_of_experts
from symparams.expressions.symbols import L, W, d_ff, h, n_active, n_experts
from symparams.features import attention_bias, lm_head, lm_head_bias, tying

attention = grouped(bias=attention_bias, window=W)
experts = mixture_of_experts(h, n_experts, n_active, d_ff)

PHIMOE = Architecture(
    "phimoe",
    title="PhiMoE",
    source="Abdin et al., 2024, arXiv:2404.14219",
    tree=decoder_only(L * mixture_layer(attention, norm=layer_norm(h), experts=experts), layer_norm(h), head_bias=lm_head_bias),
    relations=GROUPED,
    has=(lm_head, ~tying),
)

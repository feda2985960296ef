"""Mixtral: Mistral's decoder with a mixture of experts in each layer."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, decoder_only, grouped, mixture_layer
from symparams.components import mixture_of_experts
from symparams.expressions.symbols import L, W, d_ff, h, n_active, n_experts
from symparams.features import lm_head, tying

decoder_layer = mixture_layer(grouped(window=W), experts=mixture_of_experts(h, n_experts, n_active, d_ff, scores="softmax"))

MIXTRAL = Architecture(
    "mixtral",
    title="Mixtral",
    source="Jiang et al., 2024, arXiv:2401.04088",
    tree=decoder_only(L * decoder_layer),
    relations=GROUPED,
    has=(lm_head, ~tying),
)

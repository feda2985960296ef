"""OLMo: LLaMA's decoder with LayerNorms that have no parameters."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, decoder_layer, decoder_only, grouped
from symparams.components import gated_feed_forward, non_parametric_layer_norm
from symparams.expressions.symbols import L, d_ff, h
from symparams.features import attention_bias, lm_head, tying

norm = non_parametric_layer_norm()

OLMO = Architecture(
    "olmo",
    title="OLMo",
    source="Groeneveld et al., 2024, arXiv:2402.00838",
    tree=decoder_only(L * decoder_layer(grouped(bias=attention_bias), gated_feed_forward(h, d_ff), norm), norm),
    relations=GROUPED,
    has=(lm_head, ~tying),
)

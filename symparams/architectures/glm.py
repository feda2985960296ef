"""GLM, the first of GLM-4's decoders: LLaMA's layer with biases on query, key and value alone, and gate and up-projection in
one matrix."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import decoder_layer, decoder_only, grouped
from symparams.components import Biases, fused_gated_feed_forward
from symparams.expressions.symbols import L, d_ff, h
from symparams.features import lm_head, qkv_bias, tying

attention = grouped(bias=Biases(inputs=qkv_bias, output=False))

GLM = Architecture(
    "glm",
    title="GLM",
    source="GLM Team, 2024, arXiv:2406.12793",
    tree=decoder_only(L * decoder_layer(attention, fused_gated_feed_forward(h, d_ff))),
    has=(lm_head, qkv_bias, ~tying),
)

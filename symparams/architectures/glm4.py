"""GLM-4: a decoder with RMSNorms before and after attention and feed-forward, and biases on query, key and value alone."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import decoder_only, grouped
from symparams.components import Biases, block, fused_gated_feed_forward, rms_norm, sandwiched
from symparams.expressions.symbols import L, d_ff, h
from symparams.features import lm_head, qkv_bias, tying

attention = grouped(bias=Biases(inputs=qkv_bias, output=False))
feed_forward = fused_gated_feed_forward(h, d_ff)

GLM4 = Architecture(
    "glm4",
    title="GLM-4",
    source="GLM Team, 2024, arXiv:2406.12793",
    tree=decoder_only(L * block("decoder_layer", *sandwiched(rms_norm(h), attention=attention, feed_forward=feed_forward))),
    has=(lm_head, qkv_bias, ~tying),
)

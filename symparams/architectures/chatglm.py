"""ChatGLM2, ChatGLM3 and GLM-4: LLaMA's layer, its grouped queries, keys and values one matrix, its gate and up-projection
another."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, NORM, decoder_only, grouped, layer_around_either
from symparams.components import Biases, fused_gated_feed_forward
from symparams.expressions.symbols import L, d_ff, h
from symparams.features import biases, lm_head, qkv_bias, tying

sublayers = {
    "attention": grouped(fused=True, bias=Biases(inputs=qkv_bias, output=biases)),
    "feed_forward": fused_gated_feed_forward(h, d_ff, bias=biases),
}

CHATGLM = Architecture(
    "chatglm",
    title="ChatGLM",
    source="Zeng et al., 2024, arXiv:2406.12793",
    tree=decoder_only(L * layer_around_either(NORM, **sublayers)),
    relations=GROUPED,
    has=(lm_head, ~tying),
)

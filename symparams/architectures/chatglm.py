"""ChatGLM2, ChatGLM3 and GLM-4: LLaMA's layer, its grouped queries, keys and values one matrix, its gate and up-projection
another."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, NORM, decoder_only, grouped
from symparams.components import Biases, block, fused_gated_feed_forward, pre_norm, residual, then
from symparams.expressions.symbols import L, d_ff, h
from symparams.features import biases, lm_head, qkv_bias, residual_after_norm, tying

sublayers = {
    "attention": grouped(fused=True, bias=Biases(inputs=qkv_bias, output=biases)),
    "feed_forward": fused_gated_feed_forward(h, d_ff, bias=biases),
}
after_norm = block(*(part for name, f in sublayers.items() for part in (then(**{f"{name}_norm": NORM}), residual(**{name: f}))))
decoder_layer = block(
    "decoder_layer", ~residual_after_norm * block(*pre_norm(NORM, **sublayers)), residual_after_norm * after_norm
)

CHATGLM = Architecture(
    "chatglm",
    title="ChatGLM",
    source="Zeng et al., 2024, arXiv:2406.12793",
    tree=decoder_only(L * decoder_layer),
    relations=GROUPED,
    has=(lm_head, ~tying),
)

"""Phi: a decoder whose attention and feed-forward stand side by side after one LayerNorm (Gunasekar et al., 2023,
arXiv:2306.11644; Phi-1.5, arXiv:2309.05463)."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, decoder_only, grouped, normed, parallel_layer
from symparams.components import feed_forward, layer_norm
from symparams.expressions.symbols import L, d_ff, d_head, h
from symparams.features import lm_head, tying

decoder_layer = parallel_layer(
    layer_norm(h),
    attention=normed(grouped(bias=True), layer_norm(d_head)),
    feed_forward=feed_forward(h, d_ff, bias=True, activation="gelu_new"),
)

PHI = Architecture(
    "phi",
    title="Phi",
    source="Gunasekar et al., 2023, arXiv:2306.11644",
    tree=decoder_only(L * decoder_layer, layer_norm(h), head_bias=True),
    relations=GROUPED,
    has=(lm_head, ~tying),
)

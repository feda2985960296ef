"""Qwen2: LLaMA's layer with biases on query, key and value."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, decoder_layer, decoder_only, grouped
from symparams.components import Biases, first, gated_feed_forward
from symparams.expressions.symbols import L, W, d_ff, h
from symparams.features import lm_head, tying

after_the_first = first(28, but=True, keys=("max_window_layers",))
attention = grouped(bias=Biases(inputs=True, output=False), window=W, windowed=after_the_first)

QWEN2 = Architecture(
    "qwen2",
    title="Qwen2",
    source="Yang et al., 2024, arXiv:2407.10671",
    tree=decoder_only(L * decoder_layer(attention, gated_feed_forward(h, d_ff))),
    relations=GROUPED,
    has=(lm_head, ~tying),
)

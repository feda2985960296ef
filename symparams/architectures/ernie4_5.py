"""ERNIE 4.5, dense: LLaMA's decoder with a tied head, and one switch for all biases."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, decoder_layer, decoder_only, grouped
from symparams.components import gated_feed_forward
from symparams.expressions.symbols import L, d_ff, h
from symparams.features import biases, lm_head, tying

ERNIE4_5 = Architecture(
    "ernie4_5",
    title="ERNIE 4.5",
    source="Baidu, 2025, https://yiyan.baidu.com/blog/publication",
    tree=decoder_only(L * decoder_layer(grouped(bias=biases), gated_feed_forward(h, d_ff, bias=biases))),
    relations=GROUPED,
    has=(lm_head, tying),
)

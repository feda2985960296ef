"""Mistral: LLaMA's layer with grouped queries and a sliding window."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, decoder_layer, decoder_only, grouped
from symparams.components import gated_feed_forward
from symparams.expressions.symbols import L, W, d_ff, h
from symparams.features import lm_head, tying

MISTRAL = Architecture(
    "mistral",
    title="Mistral",
    source="Jiang et al., 2023, arXiv:2310.06825",
    tree=decoder_only(L * decoder_layer(grouped(window=W), gated_feed_forward(h, d_ff))),
    relations=GROUPED,
    has=(lm_head, ~tying),
)

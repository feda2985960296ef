"""Ministral 3: Mistral's decoder with full attention, whose queries grow with their position."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, decoder_layer, decoder_only, grouped
from symparams.components import gated_feed_forward
from symparams.expressions.symbols import L, W, d_ff, h
from symparams.features import lm_head, tying

MINISTRAL3 = Architecture(
    "ministral3",
    title="Ministral 3",
    source="Liu et al., 2026, arXiv:2601.08584",
    tree=decoder_only(L * decoder_layer(grouped(window=W), gated_feed_forward(h, d_ff))),
    relations=GROUPED,
    has=(lm_head, ~tying),
)

"""Ministral: Mistral's decoder with full attention in every fourth layer from the first on."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, decoder_layer, decoder_only, grouped
from symparams.components import every, gated_feed_forward
from symparams.expressions.symbols import L, W, d_ff, h
from symparams.features import lm_head, tying

MINISTRAL = Architecture(
    "ministral",
    title="Ministral",
    source="Mistral AI, 2024, https://mistral.ai/news/ministraux",
    tree=decoder_only(L * decoder_layer(grouped(window=W, windowed=every(4, but=True)), gated_feed_forward(h, d_ff))),
    relations=GROUPED,
    has=(lm_head, ~tying),
)

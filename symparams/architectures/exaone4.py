"""EXAONE 4.0: OLMo 2's norms after attention and feed-forward, query and key normed in each head, and windows with rotary
positions in three of every four layers."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, decoder_only, grouped, normed
from symparams.components import block, every, gated_feed_forward, normed_after, rms_norm
from symparams.expressions.symbols import L, W, d_ff, d_head, h
from symparams.features import lm_head, query_key_norm, tying

but_every_fourth = every(4, offset=-1, but=True, keys=("sliding_window_pattern",))
attention = normed(grouped(window=W, windowed=but_every_fourth, positioned_in_windows=True), rms_norm(d_head))

EXAONE4 = Architecture(
    "exaone4",
    title="EXAONE 4.0",
    source="LG AI Research, 2025, arXiv:2507.11407",
    tree=decoder_only(
        L * block("decoder_layer", *normed_after(rms_norm(h), attention=attention, feed_forward=gated_feed_forward(h, d_ff)))
    ),
    relations=GROUPED,
    has=(lm_head, query_key_norm, ~tying),
)

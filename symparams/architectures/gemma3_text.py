"""Gemma 3, its text model: Gemma 2's layer with norms of query and key."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import grouped, normed
from symparams.architectures.gemma2 import sandwiched_decoder
from symparams.components import every, rms_norm
from symparams.expressions.symbols import W, d_head
from symparams.features import attention_bias, bidirectional, lm_head, query_key_norm, tying

PATTERN = ("sliding_window_pattern", "_sliding_window_pattern")  # keys of a config

attention = grouped(
    bias=attention_bias,
    causal=~bidirectional,
    window=W,
    windowed=every(6, offset=-1, but=True, keys=PATTERN),
    scaled=False,
    capped="score_cap",
)

GEMMA3_TEXT = Architecture(
    "gemma3_text",
    title="Gemma 3",
    source="Kamath et al., 2025, arXiv:2503.19786",
    tree=sandwiched_decoder(normed(attention, rms_norm(d_head))),
    has=(lm_head, tying, query_key_norm),
)

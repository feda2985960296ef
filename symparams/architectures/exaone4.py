"""EXAONE 4.0: OLMo 2's norms after attention and feed-forward, query and key normed in each head, and windows with rotary
positions in three of every four layers."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, grouped, normed
from symparams.architectures.olmo2 import normed_after_both
from symparams.components import every, rms_norm
from symparams.expressions.symbols import W, d_head
from symparams.features import lm_head, query_key_norm, tying

but_every_fourth = every(4, offset=-1, but=True, keys=("sliding_window_pattern",))
attention = grouped(window=W, windowed=but_every_fourth, positioned_in_windows=True)

EXAONE4 = Architecture(
    "exaone4",
    title="EXAONE 4.0",
    source="LG AI Research, 2025, arXiv:2507.11407",
    tree=normed_after_both(normed(attention, rms_norm(d_head))),
    relations=GROUPED,
    has=(lm_head, query_key_norm, ~tying),
)

"""Cohere2, the decoder of Command R7B and Command A: Cohere's layer with windows and rotary positions in three of every four
layers, and full attention without positions in the fourth."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, grouped
from symparams.architectures.cohere import command
from symparams.components import every
from symparams.expressions.symbols import W
from symparams.features import attention_bias, lm_head, tying

but_every_fourth = every(4, offset=-1, but=True, keys=("sliding_window_pattern",))
attention = grouped(bias=attention_bias, window=W, windowed=but_every_fourth, positioned_in_windows=True)

COHERE2 = Architecture(
    "cohere2",
    title="Cohere2",
    source="Team Cohere, 2025, arXiv:2504.00698",
    tree=command(attention),
    relations=GROUPED,
    has=(lm_head, tying),
)

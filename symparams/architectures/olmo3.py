"""OLMo 3: OLMo 2 with a window in three of every four layers."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, grouped, normed_across_heads
from symparams.architectures.olmo2 import normed_after_both
from symparams.components import every
from symparams.expressions.symbols import W
from symparams.features import attention_bias, lm_head, tying

but_every_fourth = every(4, offset=-1, but=True)
attention = grouped(bias=attention_bias, window=W, windowed=but_every_fourth)

OLMO3 = Architecture(
    "olmo3",
    title="OLMo 3",
    source="OLMo Team, 2025, arXiv:2512.13961",
    tree=normed_after_both(normed_across_heads(attention)),
    relations=GROUPED,
    has=(lm_head, ~tying),
)

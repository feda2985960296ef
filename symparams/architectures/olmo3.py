"""OLMo 3: OLMo 2 with a window in three of every four layers."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, decoder_only, grouped, normed_across_heads
from symparams.components import block, every, gated_feed_forward, normed_after, rms_norm
from symparams.expressions.symbols import L, W, d_ff, h
from symparams.features import attention_bias, lm_head, tying

but_every_fourth = every(4, offset=-1, but=True)
attention = normed_across_heads(grouped(bias=attention_bias, window=W, windowed=but_every_fourth))

OLMO3 = Architecture(
    "olmo3",
    title="OLMo 3",
    source="OLMo Team, 2025, arXiv:2512.13961",
    tree=decoder_only(
        L * block("decoder_layer", *normed_after(rms_norm(h), attention=attention, feed_forward=gated_feed_forward(h, d_ff)))
    ),
    relations=GROUPED,
    has=(lm_head, ~tying),
)

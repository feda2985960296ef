"""Cohere2, the decoder of Command R7B and Command A: Cohere's layer with windows and rotary positions in three of every four
layers, and full attention without positions in the fourth."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, decoder_only, grouped
from symparams.components import Adjusting, Adjustment, block, every, gated_feed_forward, layer_norm, parallel, residual
from symparams.expressions.symbols import L, W, d_ff, h
from symparams.features import attention_bias, lm_head, tying

norm = layer_norm(h, bias=False)
but_every_fourth = every(4, offset=-1, but=True, keys=("sliding_window_pattern",))
attention = grouped(bias=attention_bias, window=W, windowed=but_every_fourth, positioned_in_windows=True)
branches = parallel(attention=attention, feed_forward=gated_feed_forward(h, d_ff))

COHERE2 = Architecture(
    "cohere2",
    title="Cohere2",
    source="Team Cohere, 2025, arXiv:2504.00698",
    tree=decoder_only(
        L * block("decoder_layer", residual(layer_norm=norm, branches=branches)),
        norm,
        logits=(Adjustment(Adjusting.TIMES, "logit_scale"),),
    ),
    relations=GROUPED,
    has=(lm_head, tying),
)

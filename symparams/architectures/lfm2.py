"""LFM2: short convolutions between gates in most layers and attention in the others, each followed by a feed-forward
network."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, NORM, decoder_only, grouped, normed
from symparams.architectures._mixed_stacks import in_turn, stack
from symparams.components import gated_feed_forward, gated_short_convolution, pre_norm, rms_norm
from symparams.expressions.symbols import L_attn, L_conv, d_conv, d_ff, d_head, h
from symparams.features import attention_layers, conv_bias, convolution_layers, lm_head, query_key_norm

attention = normed(grouped(), rms_norm(d_head))
short_convolution = gated_short_convolution(h, d_conv, bias=conv_bias)
feed_forward = gated_feed_forward(h, d_ff)
network = pre_norm(NORM, feed_forward=feed_forward)

LFM2 = Architecture(
    "lfm2",
    title="LFM2",
    source="Amini et al., 2025, arXiv:2511.23404",
    tree=decoder_only(
        in_turn(
            stack("convolution_layer", L_conv, *pre_norm(NORM, short_convolution=short_convolution), *network),
            stack("attention_layer", L_attn, *pre_norm(NORM, attention=attention), *network),
        )
    ),
    relations=GROUPED,
    has=(lm_head, attention_layers, convolution_layers, query_key_norm),
)

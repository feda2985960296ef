"""OLMo 2: a decoder with RMSNorms after attention and feed-forward, and on the whole width of query and key."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, decoder_only, grouped, normed_across_heads
from symparams.components import Component, block, gated_feed_forward, normed_after, rms_norm
from symparams.expressions.symbols import L, d_ff, h
from symparams.features import attention_bias, lm_head, tying


def normed_after_both(attention: Component) -> Component:
    """A decoder whose norms follow any attention, and the feed-forward network."""
    sublayers = normed_after(rms_norm(h), attention=attention, feed_forward=gated_feed_forward(h, d_ff))
    return decoder_only(L * block("decoder_layer", *sublayers))


OLMO2 = Architecture(
    "olmo2",
    title="OLMo 2",
    source="OLMo et al., 2024, arXiv:2501.00656",
    tree=normed_after_both(normed_across_heads(grouped(bias=attention_bias))),
    relations=GROUPED,
    has=(lm_head, ~tying),
)

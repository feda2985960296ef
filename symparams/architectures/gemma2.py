"""Gemma 2: Gemma with norms before and after attention and feed-forward."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import LOGIT_CAP, decoder_only, grouped, root_embeddings
from symparams.components import Component, block, every, gated_feed_forward, rms_norm, sandwiched
from symparams.expressions.symbols import L, W, d_ff, h
from symparams.features import attention_bias, lm_head, tying

attention = grouped(bias=attention_bias, window=W, windowed=every(2), scaled=False, capped="score_cap")


def sandwiched_decoder(attention: Component) -> Component:
    """A decoder with norms before and after any attention, and Gemma's feed-forward network."""
    network = gated_feed_forward(h, d_ff, activation="gelu_pytorch_tanh")
    sublayers = sandwiched(rms_norm(h), attention=attention, feed_forward=network)
    return decoder_only(L * block("decoder_layer", *sublayers), embeddings=root_embeddings, logits=(LOGIT_CAP,))


GEMMA2 = Architecture(
    "gemma2",
    title="Gemma 2",
    source="Riviere et al., 2024, arXiv:2408.00118",
    tree=sandwiched_decoder(attention),
    has=(lm_head, tying),
)

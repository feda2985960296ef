"""GPT-J: attention and feed-forward side by side after one norm, rotary positions."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import decoder_only
from symparams.components import Component, attention, block, feed_forward, layer_norm, parallel, residual
from symparams.expressions.symbols import L, d_ff, h, n_heads
from symparams.features import lm_head, tying


def parallel_decoder(attention: Component) -> Component:
    """A decoder whose layers have one norm before attention and feed-forward alike; biases but in attention."""
    branches = parallel(attention=attention, feed_forward=feed_forward(h, d_ff, bias=True, activation="gelu_new"))
    layer = block("decoder_layer", residual(layer_norm=layer_norm(h), branches=branches))
    return decoder_only(L * layer, layer_norm(h), head_bias=True)


GPTJ = Architecture(
    "gptj",
    title="GPT-J",
    source="Wang & Komatsuzaki, 2021, https://github.com/kingoflolz/mesh-transformer-jax",
    tree=parallel_decoder(attention(h, n_heads, bias=False, causal=True, positions="rotary")),
    relations={d_ff: 4 * h},
    has=(lm_head, ~tying),
)

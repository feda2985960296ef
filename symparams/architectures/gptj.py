"""GPT-J: attention and feed-forward side by side after one norm, rotary positions."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import decoder_only, parallel_layer
from symparams.components import Component, attention, feed_forward, layer_norm
from symparams.expressions.symbols import L, d_ff, h, n_heads
from symparams.features import lm_head, tying


def parallel_decoder(attention: Component) -> Component:
    """A decoder whose layers have one norm before attention and feed-forward alike; biases but in attention."""
    norm, network = layer_norm(h), feed_forward(h, d_ff, bias=True, activation="gelu_new")
    return decoder_only(L * parallel_layer(norm, attention=attention, feed_forward=network), norm, head_bias=True)


GPTJ = Architecture(
    "gptj",
    title="GPT-J",
    source="Wang & Komatsuzaki, 2021, https://github.com/kingoflolz/mesh-transformer-jax",
    tree=parallel_decoder(attention(h, n_heads, bias=False, causal=True, positions="rotary")),
    relations={d_ff: 4 * h},
    has=(lm_head, ~tying),
)

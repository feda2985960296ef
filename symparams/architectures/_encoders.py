"""Parts of encoders: BERT's embeddings, its post-norm layer, and the heads that the library puts on it."""

from __future__ import annotations

from symparams.components import (
    Component,
    Gate,
    Gives,
    Rows,
    Tokens,
    Vector,
    attention,
    bias,
    block,
    classifying,
    embedding,
    feed_forward,
    giving,
    layer_norm,
    linear,
    parallel,
    post_norm,
    reading,
    seeing,
)
from symparams.expressions.nodes import Dimension
from symparams.expressions.symbols import V, d_ff, h, max_pos, n_heads, n_labels, n_types
from symparams.features import biases, causal, classifier_transform, cross_attention, segment_embeddings, tying

TOKENS = "embeddings.token_embedding"

self_attention, up_and_down = attention(h, n_heads, bias=biases, causal=causal), feed_forward(h, d_ff, bias=biases)


def encoder_layer(attention: Component = self_attention) -> Component:
    """norm(x + attention(x)), then norm(x + feed_forward(x))."""
    return block("encoder_layer", *post_norm(layer_norm(h), attention=attention, feed_forward=up_and_down))


# The same, and as a decoder beside an encoder, to which it attends (Rothe et al., 2020, arXiv:1907.12461).
crossing_layer = block(
    "encoder_layer",
    *post_norm(layer_norm(h), attention=self_attention),
    cross_attention * block(*post_norm(layer_norm(h), cross_attention=attention(h, n_heads, bias=biases, reads="encoder"))),
    *post_norm(layer_norm(h), feed_forward=up_and_down),
)

# The library keeps a bias beside the output layer, which is the layer's own bias where the matrix is shared.
second_bias = ~tying * bias(V)


def embedding_block(width: Dimension, *, has_segments: bool = True, **after: Component) -> Component:
    """Tables of tokens, segments and positions with rows of this width, added, their norm, and what comes after it."""
    segments = {"segment_embedding": segment_embeddings * embedding(n_types, width, of=Rows.SEGMENTS)} if has_segments else {}
    tables = parallel(
        token_embedding=embedding(V, width), **segments, position_embedding=embedding(max_pos, width, of=Rows.POSITIONS)
    )
    return block(tables, layer_norm=layer_norm(width), **after)


def masked_lm(
    width: Dimension, *, bias: Gate = biases, output_biases: Gate = biases, activation: str = "gelu", **after: Component
) -> Component:
    """A dense layer to this width, a norm, and the output over the vocabulary, whose matrix is that of the embedding."""
    dense = {"transform": linear(h, width, bias=bias, activation=activation), "layer_norm": layer_norm(width)}
    masked = block(**dense, output=linear(width, V, bias=output_biases, tied_to=TOKENS), **after)
    return giving(seeing(masked, Tokens.EACH), Gives.MASKED_TOKEN)


def pooled(activation: str = "tanh", *, bias: Gate = biases) -> Component:
    """The pooler: a dense layer on the first token, h × h + h."""
    return giving(reading(linear(h, h, bias=bias, activation=activation), Vector.FIRST_TOKEN), Gives.POOLED)


def labels(reads: str, *, bias: Gate = biases) -> Component:
    """The classifier: of a whole sequence it reads the part of this path, h × n_labels + n_labels."""
    return classifying(reading(linear(h, n_labels, bias=bias), reads))


def classification(activation: str = "tanh") -> Component:
    """The classifier of RoBERTa: over sequences a dense layer on the first token, then the labels."""
    transform = reading(linear(h, h, bias=biases, activation=activation), Vector.FIRST_TOKEN)
    return classifying(block(transform=classifier_transform * transform, output=linear(h, n_labels, bias=biases)))

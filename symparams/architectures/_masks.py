"""Masks of things in an image: what makes vectors of one that is given, layers in which tokens and image meet, and networks
that write the filter of each."""

from __future__ import annotations

from dataclasses import replace

from symparams.components import (
    Component,
    Projection,
    attention,
    block,
    convolution,
    divides,
    feed_forward,
    layer_norm,
    linear,
    perceptron,
    post_norm,
    second_stream,
    seeing,
    then,
    transposed_convolution,
)
from symparams.components.facts import Multiplication
from symparams.components.kinds import Kind, Role
from symparams.expressions.extent import size
from symparams.expressions.nodes import Operand
from symparams.expressions.written import ONE

MASK_CONVOLUTIONS, MASK_HEAD = Kind("mask_convolutions", Role.CHAIN), Kind("mask_head", Role.CHAIN)
ATTENTION_MAP = Kind("attention_map", Role.OTHER)


def mask_convolutions(width: Operand, channels: Operand, patches: Operand) -> Component:
    """A vector of each square of 4 × 4 pixels of a mask that is given: three convolutions, with norms between (SAM).

    c / 4 × 1 × 2 × 2 and c × c / 4 × 2 × 2 with their biases, norms of c / 4 and of c, and h × c + h (Kirillov et al., 2023,
    arXiv:2304.02643, appendix A).
    """
    quarter, whole = size(channels) / 4, size(patches)
    parts = block(
        halving=seeing(convolution(quarter, 1, 2, 2, reads_data=16 * whole), 4 * whole),
        halving_norm=seeing(layer_norm(quarter), 4 * whole),
        quartering=convolution(channels, quarter, 2, 2),
        quartering_norm=layer_norm(channels),
        projection=convolution(width, channels, 1, 1),
    )
    return Component(MASK_CONVOLUTIONS, body=(("", parts),), tokens=whole, laws=(divides(4, channels),), activation="gelu")


def two_way_layer(
    width: Operand, n_heads: Operand, d_ff: Operand, *, seen: Component, shown: Component, patches: Operand, is_first: bool
) -> Component:
    """A layer on two streams: tokens attend to themselves and, as ``seen``, to the image, and it to them, as ``shown``.

    4 × (h × h + h) among the tokens, the two attentions between, a feed-forward network, and a norm after each: 4 × 2 × h. In
    the first layer tokens have no positions yet, and no sum (SAM; Kirillov et al., 2023, arXiv:2304.02643, appendix A).
    """
    norm = layer_norm(width)
    within = attention(width, n_heads, positions="" if is_first else "added")
    alone = (then(attention=within, attention_norm=norm),) if is_first else post_norm(norm, attention=within)
    network = feed_forward(width, d_ff, activation="relu")
    image = second_stream(*post_norm(norm, image_attention=shown))
    return block("two_way_layer", *alone, *post_norm(norm, cross_attention=seen, feed_forward=network), seeing(image, patches))


def mask_head(width: Operand, number: Operand, patches: Operand) -> Component:
    """The masks of SAM: filters of h / 8 numbers, one from each token of a mask, over an image of 16 times as many vectors.

    Two transposed convolutions of 2 × 2, h × h / 4 and h / 4 × h / 8, with a norm between; a network of three layers for each
    mask, h × h, h × h and h × h / 8; and the product of what both give (Kirillov et al., 2023, arXiv:2304.02643, appendix A).
    """
    quarter, eighth, whole = size(width) / 4, size(width) / 8, size(patches)
    image = then(
        first_upscaling=seeing(transposed_convolution(width, quarter, 2, 2), whole),
        upscaling_norm=seeing(layer_norm(quarter), 4 * whole),
        second_upscaling=seeing(transposed_convolution(quarter, eighth, 2, 2, activation="gelu"), 4 * whole),
    )
    network = perceptron(width, width, eighth).children
    filters = then(**{f"hypernetwork_{name}": seeing(size(number) * layer, ONE) for name, layer in network})
    filtered = Multiplication("masks", (eighth, size(number)))
    return Component(
        MASK_HEAD,
        body=(("", image), ("", filters)),
        tokens=16 * whole,
        multiplies=(filtered,),
        laws=(divides(8, width),),
        activation="gelu",
    )


def attention_map(width: Operand, queries: Operand, positions: Operand) -> Component:
    """Where each query looks in an image: scores of attention by head, and no values, 2 × (h × h + h) (arXiv:2005.12872)."""
    query, key = (replace(linear(width, width), makes=(made,)) for made in (Projection.QUERY, Projection.KEY))
    met = Multiplication("scores", (size(width), size(positions)))
    body = (("", then(query=query)), ("", then(key=seeing(key, positions))))
    return Component(ATTENTION_MAP, body=body, tokens=size(queries), multiplies=(met,))

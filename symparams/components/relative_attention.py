"""Attention to relative positions: the projections of DeBERTa, the biases of Transformer-XL and XLNet."""

from __future__ import annotations

from symparams.components import LINEAR, Component, Tensor, attention, block, linear
from symparams.expressions.features import content_to_position, position_to_content
from symparams.expressions.nodes import Expression, Number
from symparams.expressions.written import ONE

SEGMENT_RELATIONS = Number(2)  # the same segment, and another


def disentangled_attention(width: Expression, n_heads: Expression) -> Component:
    """Attention whose relative positions have a key and a query of their own (He et al., 2021, arXiv:2006.03654).

    4 × (h × h + h), and h × h + h more for each of the two projections of positions that the model has.
    """
    key = content_to_position * linear(width, width)
    query = position_to_content * linear(width, width)
    children = (*attention(width, n_heads).children, ("position_key", key), ("position_query", query))
    return Component("disentangled_attention", children=children)


def relative_attention(width: Expression, n_heads: Expression, d_head: Expression) -> Component:
    """Attention with a projection of relative positions (Yang et al., 2019, arXiv:1906.08237, after arXiv:1901.02860).

    5 × h × n_heads × d_head for query, key, value, position and output; 3 × n_heads × d_head for what is added to the query
    as it meets content, position and segment; 2 × n_heads × d_head for whether two tokens share a segment.
    """
    projection = Component(LINEAR, tensors=(Tensor("weight", (width, n_heads, d_head), "weight"),))
    query_bias = Component("position_biases", tensors=(Tensor("bias", (n_heads, d_head), "bias"),))
    segments = Component("segment_vectors", tensors=(Tensor("weight", (SEGMENT_RELATIONS, n_heads, d_head), "weight"),))
    return Component(
        "relative_attention",
        children=(
            ("query_key_value", 3 * projection),
            ("position", projection),
            ("output", projection),
            ("position_biases", 3 * query_bias),
            ("segment_vectors", segments),
        ),
    )


def mask_embedding(width: Expression) -> Component:
    """The vector that stands for a token to be predicted, stored as an array of shape 1 × 1 × h."""
    return Component("mask_embedding", tensors=(Tensor("weight", (ONE, ONE, width), "weight"),))


def convolution_layer(width: Expression, length: Expression, norm: Component) -> Component:
    """A convolution over ``length`` tokens and a norm: h × h × d_conv + h + 2 × h (torch.nn.Conv1d)."""
    weight, shift = Tensor("weight", (width, width, length), "weight"), Tensor("bias", (width,), "bias")
    convolution = Component("convolution", tensors=(weight, shift))
    return block(convolution=convolution, layer_norm=norm)

"""Attention to relative positions: the projections of DeBERTa, the biases of Transformer-XL and XLNet."""

from __future__ import annotations

from dataclasses import replace

from symparams.components.attention import attention
from symparams.components.facts import QKV, AttentionFacts, Gate, Heads, Projection
from symparams.components.kinds import Kind, Role, Use
from symparams.components.linear import linear
from symparams.components.tree import Component, Tensor
from symparams.expressions.extent import size
from symparams.expressions.nodes import Number, Operand
from symparams.expressions.symbols import max_rel
from symparams.expressions.written import ONE
from symparams.features import content_to_position, position_to_content, relative_positions

DISENTANGLED_ATTENTION = Kind("disentangled_attention", Role.ATTENTION)
RELATIVE_ATTENTION = Kind("relative_attention", Role.ATTENTION)
PROJECTION = Kind("linear", Role.MATRIX)
POSITION_BIASES, SEGMENT_VECTORS = Kind("position_biases", Role.VECTOR), Kind("segment_vectors", Role.VECTOR)
MASK_EMBEDDING = Kind("mask_embedding", Role.VECTOR)
SEGMENT_RELATIONS = Number(2)  # the same segment, and another


def disentangled_attention(
    width: Operand,
    n_heads: Operand,
    distances: Operand = 2 * max_rel,
    *,
    bias: Gate = True,
    relative: Gate = relative_positions,
) -> Component:
    """Attention whose relative positions have a key and a query of their own (He et al., 2021, arXiv:2006.03654).

    4 × (h × h + h), and h × h + h more for each of the two projections of positions that the model has, where it has
    ``relative`` positions, of so many ``distances``.
    """
    plain = attention(width, n_heads, bias=bias, positions="relative")
    assert plain.attending is not None
    key = content_to_position * linear(width, width, bias=bias, makes=(Projection.POSITION_KEY,))
    query = position_to_content * linear(width, width, bias=bias, makes=(Projection.POSITION_QUERY,))
    return Component(
        DISENTANGLED_ATTENTION,
        body=(*plain.body, ("position_key", key), ("position_query", query)),
        attending=replace(plain.attending, relative=relative, distances=size(distances)),
        laws=plain.laws,
    )


def relative_attention(width: Operand, n_heads: Operand, d_head: Operand, *, causal: Gate = False) -> Component:
    """Attention with a projection of relative positions (Yang et al., 2019, arXiv:1906.08237, after arXiv:1901.02860).

    5 × h × n_heads × d_head for query, key, value, position and output; 3 × n_heads × d_head for what is added to the query
    as it meets content, position and segment; 2 × n_heads × d_head for whether two tokens share a segment.
    """
    heads = Heads(size(n_heads), size(d_head))
    projection = Component(PROJECTION, tensors=(Tensor("weight", (size(width), heads.number, heads.width), Use.WEIGHT),))
    query_key_value, position = (
        replace(projection, makes=QKV),
        replace(projection, makes=(Projection.POSITION_KEY,), reads_data=True),
    )
    query_bias = Component(POSITION_BIASES, tensors=(Tensor("bias", (heads.number, heads.width), Use.BIAS),))
    relations = Tensor("weight", (SEGMENT_RELATIONS, heads.number, heads.width), Use.WEIGHT)
    return Component(
        RELATIVE_ATTENTION,
        body=(
            ("query_key_value", 3 * query_key_value),
            ("position", position),
            ("output", replace(projection, makes=(Projection.OUTPUT,))),
            ("position_biases", 3 * query_bias),
            ("segment_vectors", Component(SEGMENT_VECTORS, tensors=(relations,))),
        ),
        attending=AttentionFacts(heads, heads, causal, positions="relative", cached=False, relative=True),
    )


def mask_embedding(width: Operand) -> Component:
    """The vector that stands for a token to be predicted, stored as 1 × 1 × h (XLNet's; arXiv:1906.08237)."""
    return Component(MASK_EMBEDDING, tensors=(Tensor("weight", (ONE, ONE, size(width)), Use.WEIGHT),))

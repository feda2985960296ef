"""Grouped-query attention beyond its plain form: biases on its inputs alone, norms of query and key."""

from __future__ import annotations

from symparams.components import Component, Gate, grouped_query_attention, linear
from symparams.components.norms import with_query_key_norms
from symparams.expressions.features import query_key_norm
from symparams.expressions.nodes import Expression


def input_biased_attention(
    width: Expression, n_heads: Expression, n_kv_heads: Expression, d_head: Expression, *, bias: Gate = True
) -> Component:
    """Grouped-query attention with biases on query, key and value and none on the output (Qwen2, arXiv:2407.10671).

    h × n_heads·d_head + n_heads·d_head for the query, 2 × (h × n_kv_heads·d_head + n_kv_heads·d_head) for key and value,
    n_heads·d_head × h for the output.
    """
    *inputs, (name, _) = grouped_query_attention(width, n_heads, n_kv_heads, d_head, bias=bias).children
    output = linear(n_heads * d_head, width, bias=False)
    return Component("input_biased_attention", children=(*inputs, (name, output)))


def normed(attention: Component, norm: Component) -> Component:
    """Attention whose query and key are normed before they meet (arXiv:2010.04245): one more norm of each.

    The norms are of length d_head, shared by all heads; a model has them where it has the feature ``query_key_norm``.
    """
    return with_query_key_norms(attention, query_key_norm * norm, query_key_norm * norm)

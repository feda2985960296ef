"""Layers whose matrices the library stores side by side as one; the count is that of the matrices apart."""

from __future__ import annotations

from symparams.components import Component, Gate, linear
from symparams.expressions.nodes import Expression


def fused_grouped_query_attention(
    width: Expression, n_heads: Expression, n_kv_heads: Expression, d_head: Expression, *, bias: Gate = False
) -> Component:
    """Grouped-query attention (arXiv:2305.13245) with query, key and value in one matrix, as Phi-3 stores it.

    h × (n_heads + 2·n_kv_heads)·d_head for query, key and value, n_heads·d_head × h for the output.
    """
    inputs = linear(width, (n_heads + 2 * n_kv_heads) * d_head, bias=bias)
    output = linear(n_heads * d_head, width, bias=bias)
    return Component("fused_grouped_query_attention", children=(("query_key_value", inputs), ("output", output)))


def fused_gated_feed_forward(width: Expression, d_ff: Expression, *, bias: Gate = False) -> Component:
    """A gated feed-forward (arXiv:2002.05202) with the gate and the way up in one matrix: h × 2d_ff, then d_ff × h."""
    gate_up, down = linear(width, 2 * d_ff, bias=bias), linear(d_ff, width, bias=bias)
    return Component("fused_gated_feed_forward", children=(("gate_up", gate_up), ("down", down)))

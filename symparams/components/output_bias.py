"""Attention with a bias on its output alone."""

from __future__ import annotations

from dataclasses import replace

from symparams.components import Component, attention, linear
from symparams.expressions.nodes import Expression


def output_biased_attention(width: Expression, n_heads: Expression) -> Component:
    """Attention with no bias on query, key and value and one on the output: 3 × (h × h) + (h × h + h) (GPT-Neo).

    The matrices are those of multi-head attention (arXiv:1706.03762).
    """
    inputs, (name, _) = attention(width, n_heads, bias=False).children
    output = linear(width, width, bias=True)
    return replace(attention(width, n_heads), kind="output_biased_attention", children=(inputs, (name, output)))

"""Attention sinks: a learned score for each head that no token stands behind (gpt-oss, arXiv:2508.10925)."""

from __future__ import annotations

from dataclasses import replace

from symparams.components import Component, Tensor
from symparams.expressions.nodes import Operand
from symparams.expressions.written import size

SINKS, SINK_ATTENTION = "sinks", "sink_attention"


def with_sinks(attention: Component, n_heads: Operand) -> Component:
    """Attention in whose softmax each head has one more score, which lets it attend to nothing: n_heads in all."""
    sinks = Component(SINKS, tensors=(Tensor("weight", (size(n_heads),), "weight"),))
    return replace(attention, kind=SINK_ATTENTION, children=(*attention.children, (SINKS, sinks)))

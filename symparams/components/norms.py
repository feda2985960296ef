"""Norms beyond the plain ones: without parameters, with a gain for each head, on queries and keys."""

from __future__ import annotations

from dataclasses import replace

from symparams.components import LAYER_NORM, Component, Tensor
from symparams.expressions.nodes import Expression


def non_parametric_layer_norm() -> Component:
    """A LayerNorm without gain and bias, so 0 (OLMo; Groeneveld et al., 2024, arXiv:2402.00838)."""
    return Component("non_parametric_layer_norm")


def heads_layer_norm(n_heads: Expression, d_head: Expression) -> Component:
    """A LayerNorm of each head with a gain of its own and no bias, stored as one matrix: n_heads × d_head."""
    return Component(LAYER_NORM, tensors=(Tensor("weight", (n_heads, d_head), "gain"),))


def with_query_key_norms(attention: Component, query_norm: Component, key_norm: Component) -> Component:
    """Attention whose queries and keys are normed before they meet (Henry et al., 2020, arXiv:2010.04245)."""
    return replace(attention, children=(*attention.children, ("query_norm", query_norm), ("key_norm", key_norm)))

"""Gemma 3n and Gemma 4: local and global layers, the last of which share keys and values, and inputs of each layer's own."""

from __future__ import annotations

from collections.abc import Callable

from symparams.architectures._decoders import NORM, TOKENS
from symparams.architectures._mixed_stacks import of_kind
from symparams.components import (
    Component,
    alternating,
    block,
    equals,
    non_parametric_rms_norm,
    per_layer_embeddings,
    per_layer_gate,
    residual,
    rms_norm,
    sharing,
    with_query_key_norms,
    with_value_norm,
)
from symparams.expressions.nodes import Dimension
from symparams.expressions.symbols import L, L_global, L_global_shared, L_local, L_local_shared, V_layers, d_ff, d_layer, h
from symparams.features import sharing_layers

ACTIVATION, INPUTS = "gelu_pytorch_tanh", "per_layer_inputs"
LAWS = [equals(L, L_local + L_global + L_local_shared + L_global_shared)]
Layer = Callable[[str, Component, Dimension], Component]  # of its name, its attention, and the width of its network

inputs_of_layers = per_layer_embeddings(V_layers, L, d_layer, h, TOKENS)


def own_input(**before: Component) -> Component:
    """What a layer adds last: the input of its own, gated by the stream, and normed."""
    gate = per_layer_gate(h, d_layer, INPUTS, activation=ACTIVATION)
    return residual(**before, per_layer_gate=gate, post_per_layer_gate_norm=NORM)


def normed_heads(attention: Component, width: Dimension) -> Component:
    """Attention whose queries, keys and values, of heads of this width, are normed."""
    return with_value_norm(with_query_key_norms(attention, rms_norm(width), rms_norm(width)), non_parametric_rms_norm())


def local_and_global(layer: Layer, near: Component, far: Component, *, shared_width: Dimension = d_ff) -> Component:
    """Layers with a window and layers without one in turn; those that share keys and values come after all that make them."""
    local, whole = layer("local_layer", near, d_ff), layer("global_layer", far, d_ff)
    local_shared = layer("local_shared_layer", sharing(near), shared_width)
    whole_shared = layer("global_shared_layer", sharing(far), shared_width)
    shared = block(shared_local=of_kind(L_local_shared, local_shared), shared_global=of_kind(L_global_shared, whole_shared))
    return block(
        own=alternating(block(own_local=of_kind(L_local, local), own_global=of_kind(L_global, whole))),
        sharing=sharing_layers * alternating(shared),
    )

"""Stacks of layers of several kinds, of which a model may lack some: each kind by itself, or all of them in turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from symparams.architectures._decoders import NORM, TOKENS, mixture_layer
from symparams.architectures._definition import FEATURES
from symparams.components import (
    Component,
    Gate,
    alternating,
    attention,
    block,
    concatenation,
    gated_feed_forward,
    linear,
    pre_norm,
    residual,
    rms_norm,
    tied,
    with_output_width,
)
from symparams.expressions.nodes import Dimension, Expression
from symparams.expressions.symbols import (
    L_attn,
    L_dense,
    L_linear,
    L_mamba,
    L_moe,
    L_own,
    L_shared,
    d_ff,
    d_head,
    h,
    n_heads,
    n_kv_heads,
)

Stack = Mapping[str, Component]
# The layers of each kind that a model may lack, and the feature with which it has any.
KINDS: Mapping[str, str] = {
    "L_attn": "attention_layers", "L_linear": "linear_attention_layers", "L_mamba": "mamba_layers",
    "L_conv": "convolution_layers", "L_own": "hybrid_layers", "L_shared": "hybrid_shared_layers", "L_dense": "dense_layers",
    "L_moe": "moe_layers", "L_windowed": "window_layers", "L_full": "whole_layers", "L_local": "local_layers",
    "L_global": "global_layers", "L_local_shared": "local_shared_layers", "L_global_shared": "global_shared_layers",
}  # fmt: skip
SHARED_BLOCKS: Mapping[Dimension, Expression] = {n_kv_heads: n_heads, d_head: 2 * h / n_heads, d_ff: 4 * h}


def of_kind(number: Dimension, layer: Component) -> Component:
    """So many layers of a kind, if a model has any."""
    layers: Component = FEATURES[KINDS[number.name]] * (number * layer)
    return layers


def stack(name: str, number: Dimension, *parts: Component) -> Stack:
    """So many layers of these parts, if a model has any; a ``name`` of one is attention_layer."""
    return {f"{name}s": of_kind(number, block(name, *parts))}


def in_turn(*stacks: Stack) -> Component:
    """The layers of all these stacks, in any order."""
    return alternating(block(**{name: layers for one in stacks for name, layers in one.items()}))


def dense_and_mixture(attention: Component, *, bias: Gate = False, **experts: Component) -> Component:
    """The layers without experts and those with them, wherever in the stack they stand."""
    network = gated_feed_forward(h, d_ff, bias=bias)
    dense = stack("dense_layer", L_dense, *pre_norm(NORM, attention=attention, feed_forward=network))
    return block(**dense, moe_layers=of_kind(L_moe, mixture_layer(attention, "moe_layer", **experts)))


def attention_and_mamba(attention: Component, state_space: Component, *network: Component) -> Component:
    """Layers that start with attention and layers that start with a state space, in any order, the same network after each."""
    return in_turn(
        stack("attention_layer", L_attn, attention, *network),
        stack("mamba_layer", L_mamba, state_space, *network),
    )


def attention_and_linear(attention: Component, linear_attention: Component, *network: Component) -> Component:
    """Layers that start with linear attention and layers that start with attention, in any order, with the same network."""
    return in_turn(
        stack("linear_attention_layer", L_linear, linear_attention, *network),
        stack("attention_layer", L_attn, attention, *network),
    )


def mixers_and_networks(mixers: Component, dense: Component, mixture: Component) -> Component:
    """Layers of a sublayer that mixes tokens, of several kinds in turn, and a feed-forward network or, in turn, a mixture."""
    networks = in_turn(
        stack("feed_forward_sublayer", L_dense, *pre_norm(NORM, feed_forward=dense)),
        stack("expert_sublayer", L_moe, mixture),
    )
    return alternating(block(mixers, networks))


def doubled(positions: str = "") -> Component:
    """Attention that reads vectors of twice the hidden size and gives some of that size; scores are over √(d_head / 2)."""
    wide = attention(2 * h, n_heads, n_kv_heads, d_head, bias=False, causal=True, positions=positions, scaled=False)
    return with_output_width(wide, h)


def sharing_blocks(state_space: Component, transformer: Callable[[str], Component]) -> Component:
    """Layers with a state space, and layers before whose state space stands a transformer block: its own, or that of an earlier
    layer, in turn (Zamba; arXiv:2405.16712).

    ``transformer`` gives the block of the layers at a path, or one that is its own.
    """
    owner = "decoder.hybrid_layers"
    own, shared = (
        _hybrid_layer(norm, transformer(path), state_space)
        for norm, path in ((rms_norm(2 * h), ""), (tied(rms_norm(2 * h), f"{owner}.attention_norm"), owner))
    )
    return in_turn(
        stack("mamba_layer", L_mamba, *pre_norm(NORM, state_space=state_space)),
        stack("hybrid_layer", L_own, own),
        stack("hybrid_shared_layer", L_shared, shared),
    )


def _hybrid_layer(norm: Component, transformer: Component, state_space: Component) -> Component:
    """x + state_space(norm(x + projection(transformer(norm([x; embedding])))))."""
    before = block(concatenation=concatenation(TOKENS), attention_norm=norm)
    transformed = residual(before, transformer, hybrid_projection=linear(h, h, bias=False))
    return residual(transformed, state_space_norm=NORM, state_space=state_space)

"""Purposes: what each part of a sublayer is for, in a word, as it says by what it makes, and never by what it is called."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from symparams.components.activations import ACTIVATION
from symparams.components.attention import (
    COLUMN_VECTORS,
    POSITION_BIASES,
    QUERY_BIAS,
    QUERY_SCALE,
    ROW_VECTORS,
    SEGMENT_VECTORS,
    SINKS,
    VALUE_BIAS,
    WINDOW_BIASES,
)
from symparams.components.facts import GLOBAL_QKV, KV, QKV, Projection
from symparams.components.feed_forward import BALANCING_BIAS, EXPERT_SCALES, GAUSSIAN_TOP_K
from symparams.components.kinds import Role, Use
from symparams.components.tree import Component

P = Projection
# The field's words for matrices by what they make; those of a norm are what it norms.
MATRICES: Mapping[tuple[Projection, ...], str] = MappingProxyType(
    {
        QKV: "query_key_value",
        GLOBAL_QKV: "global_query_key_value",
        KV: "key_value",
        (P.COMPRESSED_QUERY,): "query_down",
        (P.COMPRESSED_KEY_VALUE, P.ROTARY_KEY): "key_value_down",
        (P.POSITION_KEY,): "position_key",
        (P.POSITION_QUERY,): "position_query",
        (P.GATE, P.UP): "gate_up",
        (P.QUERY, P.GATE): "query_gate",
        (*QKV, P.GATE): "query_key_value_gate",
        (P.DECAY, P.WRITE): "decay_write",
        (P.STATE_INPUT,): "input_projection",
        **{
            (made,): made.name.lower()
            for made in (
                P.INDEX_QUERY, P.INDEX_KEY, P.INDEX_WEIGHTS,
                P.QUERY, P.KEY, P.VALUE, P.OUTPUT, P.GATE, P.UP, P.DOWN, P.ROUTER, P.SHARED_EXPERT_GATE, P.CONVOLUTION,
                P.SELECTION, P.TIME_STEP, P.TRANSITION, P.SKIP, P.WRITE, P.DECAY, P.RECEPTANCE, P.TOKEN_SHIFT, P.BONUS,
                P.LATENT_DOWN, P.LATENT_UP, P.COEFFICIENTS,
            )
        },
    }
)  # fmt: skip
NORMS: Mapping[tuple[Projection, ...], str] = MappingProxyType(
    {
        (P.QUERY,): "query_norm",
        (P.KEY,): "key_norm",
        (P.VALUE,): "value_norm",
        (P.COMPRESSED_QUERY,): "query_norm",
        (P.INDEX_KEY,): "index_key_norm",
        (P.COMPRESSED_KEY_VALUE,): "key_value_norm",
        (P.STATE_OUTPUT,): "gated_norm",
        (P.ROUTER,): "router_norm",
        (P.GATE, P.UP): "experts_norm",
        (P.SELECTION, P.TIME_STEP): "time_step_norm",
        (P.SELECTION, P.INPUT_MATRIX): "b_norm",
        (P.SELECTION, P.OUTPUT_MATRIX): "c_norm",
    }
)
# A matrix that reads a short vector goes up, if another goes down to it.
UP = {"query": ("query_down", "query_up"), "key_value": ("key_value_down", "key_value_up")}
KINDS = frozenset(
    {
        ACTIVATION,
        SINKS,
        POSITION_BIASES,
        QUERY_BIAS,
        QUERY_SCALE,
        VALUE_BIAS,
        SEGMENT_VECTORS,
        BALANCING_BIAS,
        EXPERT_SCALES,
        GAUSSIAN_TOP_K,
        WINDOW_BIASES,
        ROW_VECTORS,
        COLUMN_VECTORS,
    }
)


def purposes(sublayer: Component) -> dict[str, str]:
    """Return what each part of a sublayer is for, by its name; the name itself if it does not say, or is a second such part."""
    words = {name: _word(part, sublayer) for name, part in sublayer.children}
    for plain, (down, up) in UP.items():
        words = {name: up if word == plain and down in words.values() else word for name, word in words.items()}
    unique: dict[str, str] = {}
    for name, word in words.items():
        unique[name] = word if word and word not in unique.values() else name
    return unique


def by_purpose(sublayer: Component) -> dict[str, tuple[str, Component]]:
    """Return the parts of a sublayer with their names, by what they are for."""
    words = purposes(sublayer)
    return {words[name]: (name, part) for name, part in sublayer.children}


def _word(part: Component, sublayer: Component) -> str:
    if part.kind in KINDS:
        return part.kind.name
    if Role.NORM in (part.role, part.kind.instead_of):
        return NORMS.get(part.makes, "")
    if any(tensor.active for tensor in part.tensors):
        word = MATRICES.get(part.makes, "")
        return f"experts_{word}" if word else ""
    if part.role is Role.VECTOR and part.makes in ((P.TIME_STEP,), (P.DECAY,)):
        is_bias = any(tensor.use is Use.BIAS for tensor in part.tensors)
        return f"{MATRICES[part.makes]}_bias" if is_bias else "decay_rate" if part.makes == (P.DECAY,) else ""
    if sublayer.role in (Role.MIXER, Role.SHORT_CONVOLUTION) and part.makes == (P.OUTPUT,):
        return "output_projection"
    if part.reads_data and part.makes == (P.POSITION_KEY,):
        return "position"
    return MATRICES.get(part.makes, "")

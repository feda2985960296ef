"""Feed-forward networks: plain, and with a gate."""

from __future__ import annotations

from symparams.components.facts import Gate, Projection
from symparams.components.kinds import FEED_FORWARD, GATED_FEED_FORWARD, Kind, Role
from symparams.components.linear import linear
from symparams.components.tree import Component
from symparams.expressions.nodes import Operand

FUSED_GATED_FEED_FORWARD = Kind("fused_gated_feed_forward", Role.FEED_FORWARD)


def feed_forward(width: Operand, d_ff: Operand, *, bias: Gate = True, activation: str = "gelu") -> Component:
    """Two layers, up to d_ff and back: (h × d_ff + d_ff) + (d_ff × h + h) (arXiv:1706.03762, section 3.3).

    ``bias=False`` leaves the biases out: h × d_ff + d_ff × h.
    """
    up = linear(width, d_ff, bias=bias, makes=(Projection.UP,))
    down = linear(d_ff, width, bias=bias, makes=(Projection.DOWN,))
    return Component(FEED_FORWARD, body=(("up", up), ("down", down)), activation=activation)


def gated_feed_forward(width: Operand, d_ff: Operand, *, bias: Gate = False, activation: str = "silu") -> Component:
    """A feed-forward with a gate beside the way up, as in SwiGLU: 3 × h × d_ff (Shazeer, 2020, arXiv:2002.05202)."""
    gate, up = (linear(width, d_ff, bias=bias, makes=(made,)) for made in (Projection.GATE, Projection.UP))
    down = linear(d_ff, width, bias=bias, makes=(Projection.DOWN,))
    return Component(GATED_FEED_FORWARD, body=(("gate", gate), ("up", up), ("down", down)), activation=activation)


def fused_gated_feed_forward(width: Operand, d_ff: Operand, *, bias: Gate = False, activation: str = "silu") -> Component:
    """A gated feed-forward (arXiv:2002.05202) with the gate and the way up in one matrix: h × 2d_ff, then d_ff × h."""
    gate_up = linear(width, 2 * d_ff, bias=bias, makes=(Projection.GATE, Projection.UP))
    down = linear(d_ff, width, bias=bias, makes=(Projection.DOWN,))
    return Component(FUSED_GATED_FEED_FORWARD, body=(("gate_up", gate_up), ("down", down)), activation=activation)

"""State-space layers: Mamba's selective one, and the structured dual of Mamba 2."""

from __future__ import annotations

from symparams.components import Component, Tensor, linear, rms_norm
from symparams.expressions.features import conv_bias, projection_bias
from symparams.expressions.nodes import Dimension, Operand
from symparams.expressions.written import ONE, size


def selective_state_space(
    width: Operand, d_inner: Dimension, d_state: Dimension, d_conv: Operand, r_dt: Dimension
) -> Component:
    """Mamba's layer (Gu & Dao, 2023, arXiv:2312.00752, section 3.4).

    h × 2·d_inner in, a convolution of d_inner × d_conv + d_inner, d_inner × (r_dt + 2·d_state) for Δ, B and C,
    r_dt × d_inner + d_inner for Δ, d_inner × d_state for A, d_inner for D, d_inner × h out.
    """
    return Component(
        "state_space",
        children=(
            ("input_projection", linear(width, 2 * d_inner, bias=projection_bias)),
            ("convolution", depthwise_convolution(d_inner, d_conv)),
            ("selection", linear(d_inner, r_dt + size(2 * d_state), bias=False)),
            ("time_step", linear(r_dt, d_inner, bias=True)),
            ("transition", parameter(d_inner, d_state)),
            ("skip", parameter(d_inner)),
            ("output_projection", linear(d_inner, width, bias=projection_bias)),
        ),
    )


def dual_state_space(
    width: Operand, d_inner: Dimension, n_heads: Operand, n_groups: Operand, d_state: Operand, d_conv: Operand
) -> Component:
    """Mamba 2's layer (Dao & Gu, 2024, arXiv:2405.21060, section 7).

    h × (2·d_inner + 2·n_groups·d_state + n_heads) in, a convolution over d_inner + 2·n_groups·d_state channels, the bias
    of Δ, A and D with n_heads each, an RMS norm of d_inner, d_inner × h out.
    """
    b_and_c = size(2 * size(n_groups) * d_state)
    return Component(
        "dual_state_space",
        children=(
            ("input_projection", linear(width, size(2 * d_inner) + b_and_c + n_heads, bias=projection_bias)),
            ("convolution", depthwise_convolution(d_inner + b_and_c, d_conv)),
            ("time_step_bias", Component("parameter", tensors=(Tensor("bias", (size(n_heads),), "bias"),))),
            ("transition", parameter(n_heads)),
            ("skip", parameter(n_heads)),
            ("gated_norm", rms_norm(d_inner)),
            ("output_projection", linear(d_inner, width, bias=projection_bias)),
        ),
    )


def depthwise_convolution(channels: Operand, length: Operand) -> Component:
    """A convolution of its own along each channel: channels × 1 × length + channels (torch.nn.Conv1d with groups)."""
    weight = Tensor("weight", (size(channels), ONE, size(length)), "weight")
    return Component("convolution", tensors=(weight, Tensor("bias", (size(channels),), "bias", when=(conv_bias,))))


def parameter(*shape: Operand) -> Component:
    """An array that is learned by itself, such as A and D of a state space."""
    return Component("parameter", tensors=(Tensor("weight", tuple(size(side) for side in shape), "weight"),))

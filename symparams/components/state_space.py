"""Layers with a state: Mamba's selective one, norms put to it, the structured dual of Mamba 2; the delta rule; short
convolutions, whose state is their last inputs.
"""

from __future__ import annotations

from dataclasses import replace

from symparams.components.attention import Biases
from symparams.components.facts import QKV, Gate, Heads, Projection, Recurrence, StateSpaceFacts
from symparams.components.kinds import LINEAR, Kind, Role, Use
from symparams.components.laws import divides
from symparams.components.linear import depthwise_convolution, linear, parameter
from symparams.components.norms import rms_norm
from symparams.components.tree import Component, Tensor
from symparams.errors import DefinitionError
from symparams.expressions.extent import size
from symparams.expressions.nodes import Expression, Number, Operand
from symparams.expressions.written import ONE
from symparams.features import Feature

STATE_SPACE, DUAL_STATE_SPACE = Kind("state_space", Role.MIXER), Kind("dual_state_space", Role.MIXER)
NORMED_STATE_SPACE = Kind("normed_state_space", Role.MIXER)
HEADED_STATE_SPACE = Kind("headed_state_space", Role.MIXER)
NON_PARAMETRICALLY_NORMED_STATE_SPACE = Kind("non_parametrically_normed_state_space", Role.MIXER)
GATED_SHORT_CONVOLUTION = Kind("gated_short_convolution", Role.SHORT_CONVOLUTION)
STATE_INPUT = (Projection.STATE_INPUT,)
GATED_DELTA_RULE = Kind("gated_delta_rule", Role.LINEAR_ATTENTION)
FUSED_GATED_DELTA_RULE = Kind("fused_gated_delta_rule", Role.LINEAR_ATTENTION)
TIME_MIXING, CHANNEL_MIXING = Kind("time_mixing", Role.LINEAR_ATTENTION), Kind("channel_mixing", Role.FEED_FORWARD)
MEAN = Number(3)  # numbers of a running mean: its numerator, its denominator, the greatest exponent in them
LIGHTNING_ATTENTION = Kind("lightning_attention", Role.LINEAR_ATTENTION)
CHUNK, DELTA_CHUNK = 256, 64  # tokens, of the papers' own implementations


def selective_state_space(
    width: Operand,
    d_inner: Operand,
    d_state: Operand,
    d_conv: Operand,
    r_dt: Operand,
    *,
    n_heads: Operand | None = None,
    bias: Gate = False,
    conv_bias: Gate = True,
) -> Component:
    """A Mamba layer (Gu & Dao, 2023, arXiv:2312.00752, section 3.4).

    h × 2·d_inner in, a convolution of d_inner × d_conv + d_inner, d_inner × (r_dt + 2·d_state) for Δ, B and C, r_dt × d_inner
    + d_inner for Δ, d_inner × d_state for A, d_inner for D, d_inner × h out. ``conv_bias=False`` removes the bias of the
    convolution; ``bias`` adds biases to the input and output projections. With ``n_heads``, each head of d_inner / n_heads
    channels makes Δ, B and C of its own channels, by matrices of its own; the count is the same (Zamba, arXiv:2405.16712).
    """
    selected, channels = r_dt + size(2 * d_state), [size(d_inner)]
    selection, time_step = linear(d_inner, selected, bias=False), linear(r_dt, d_inner, bias=True)
    if n_heads is not None:
        heads, width_of_one = size(n_heads), size(size(d_inner) / n_heads)
        channels = [heads, width_of_one]
        selection = _of_heads(heads, width_of_one, selected)
        time_step = _of_heads(heads, r_dt, width_of_one, Tensor("bias", (heads, width_of_one), Use.BIAS))
    return Component(
        STATE_SPACE if n_heads is None else HEADED_STATE_SPACE,
        body=(
            ("input_projection", linear(width, 2 * d_inner, bias=bias, makes=(Projection.STATE_INPUT,))),
            ("convolution", _convolved(d_inner, d_conv, conv_bias)),
            ("selection", _made(selection, Projection.SELECTION)),
            ("time_step", _made(time_step, Projection.TIME_STEP)),
            ("transition", _made(parameter(*channels, d_state), Projection.TRANSITION)),
            ("skip", _made(parameter(*channels), Projection.SKIP)),
            ("output_projection", linear(d_inner, width, bias=bias, makes=(Projection.OUTPUT,))),
        ),
        state_space=StateSpaceFacts(size(d_inner), size(d_state), channels=size(d_inner), kernel=size(d_conv)),
        activation="silu",
        laws=() if n_heads is None else (divides(n_heads, d_inner),),
    )


def with_selection_norms(state_space: Component, time_step_norm: Component, b_norm: Component, c_norm: Component) -> Component:
    """Return Mamba's layer with norms of the time step, B and C (Jamba, arXiv:2403.19887)."""
    if state_space.kind != STATE_SPACE:
        raise DefinitionError(f"{state_space.kind} has no Δ, B and C to normalise: give selective_state_space(…).")
    made = (Projection.TIME_STEP, Projection.INPUT_MATRIX, Projection.OUTPUT_MATRIX)
    selected = (
        replace(norm, makes=(Projection.SELECTION, what))
        for norm, what in zip((time_step_norm, b_norm, c_norm), made, strict=True)
    )
    norms = tuple(zip(("time_step_norm", "b_norm", "c_norm"), selected, strict=True))
    kind = NORMED_STATE_SPACE if any(norm.tensors for _, norm in norms) else NON_PARAMETRICALLY_NORMED_STATE_SPACE
    after = [part.makes for _, part in state_space.body].index((Projection.SELECTION,)) + 1
    return replace(state_space, kind=kind, body=(*state_space.body[:after], *norms, *state_space.body[after:]))


def dual_state_space(
    width: Operand,
    d_inner: Operand,
    n_heads: Operand,
    n_groups: Operand,
    d_state: Operand,
    d_conv: Operand,
    *,
    d_head: Operand | None = None,
    chunk: Operand = CHUNK,
    bias: Gate | Biases = False,
    conv_bias: Gate = True,
    norm: Feature | bool = True,
) -> Component:
    """A Mamba 2 layer (Dao & Gu, 2024, arXiv:2405.21060, section 7).

    The input projection has h × (2·d_inner + 2·n_groups·d_state + n_heads) weights, the convolution d_inner +
    2·n_groups·d_state channels, each with a bias, the bias of Δ, A and D n_heads numbers each, an RMSNorm d_inner, the output
    projection d_inner × h. Each head has d_inner / n_heads numbers, or d_head if that is a letter; matrices are multiplied
    within ``chunk`` tokens. ``conv_bias=False`` removes the bias of the convolution, ``norm=False`` the RMSNorm; ``bias`` adds
    biases to the input and output projections, or to one of them.
    """
    biases = bias if isinstance(bias, Biases) else Biases(bias, bias)
    normed = _made(rms_norm(d_inner), Projection.STATE_OUTPUT)
    b_and_c = size(2 * size(n_groups) * d_state)
    channels = d_inner + b_and_c
    return Component(
        DUAL_STATE_SPACE,
        body=(
            ("input_projection", linear(width, size(2 * d_inner) + b_and_c + n_heads, bias=biases.inputs, makes=STATE_INPUT)),
            ("convolution", _convolved(channels, d_conv, conv_bias)),
            ("time_step_bias", _made(parameter(n_heads, use=Use.BIAS), Projection.TIME_STEP)),
            ("transition", _made(parameter(n_heads), Projection.TRANSITION)),
            ("skip", _made(parameter(n_heads), Projection.SKIP)),
            *((("gated_norm", norm * normed if isinstance(norm, Feature) else normed),) if norm else ()),
            ("output_projection", linear(d_inner, width, bias=biases.output, makes=(Projection.OUTPUT,))),
        ),
        state_space=StateSpaceFacts(
            size(d_inner),
            size(d_state),
            channels=size(channels),
            kernel=size(d_conv),
            heads=Heads(size(n_heads), size(size(d_inner) / n_heads if d_head is None else d_head)),
            chunk=size(chunk),
        ),
        activation="silu",
        laws=(divides(n_heads, d_inner),) if d_head is None else (),
    )


def gated_delta_rule(
    width: Operand,
    n_keys: Operand,
    n_values: Operand,
    d_key: Operand,
    d_value: Operand,
    d_conv: Operand,
    *,
    fused: bool = False,
    chunk: Operand = DELTA_CHUNK,
) -> Component:
    """Linear attention by the gated delta rule (Yang et al., 2024, arXiv:2412.06464).

    n_values heads keep a state of d_key × d_value numbers each; n_keys heads of queries and keys serve them.
    h × (2·n_keys·d_key + n_values·d_value) for query, key and value, h × n_values·d_value for the gate of the output,
    h × n_values each for the decay and for what is written, a convolution of d_conv positions over query, key and value,
    n_values each for the bias and the rate of the decay, an RMSNorm of d_value, n_values·d_value × h for the output.
    ``fused`` stores the gate with query, key and value, and the decay with what is written; the count is the same. Matrices are
    multiplied within ``chunk`` tokens.
    """
    values = size(size(n_values) * d_value)
    channels = size(2 * size(n_keys) * d_key) + values
    a_head = size(n_values)  # one number for each
    projected = (
        {
            "query_key_value_gate": (channels + values, (*QKV, Projection.GATE)),
            "decay_write": (size(2 * a_head), (Projection.DECAY, Projection.WRITE)),
        }
        if fused
        else {
            "query_key_value": (channels, QKV),
            "gate": (values, (Projection.GATE,)),
            "decay": (a_head, (Projection.DECAY,)),
            "write": (a_head, (Projection.WRITE,)),
        }
    )
    return Component(
        FUSED_GATED_DELTA_RULE if fused else GATED_DELTA_RULE,
        body=(
            *((name, linear(width, outputs, bias=False, makes=made)) for name, (outputs, made) in projected.items()),
            ("convolution", _convolved(channels, d_conv, False)),
            ("decay_bias", _made(parameter(n_values, use=Use.BIAS), Projection.DECAY)),
            ("decay_rate", _made(parameter(n_values), Projection.DECAY)),
            ("gated_norm", _made(rms_norm(d_value), Projection.STATE_OUTPUT)),
            ("output", linear(values, width, bias=False, makes=(Projection.OUTPUT,))),
        ),
        state_space=StateSpaceFacts(
            values,
            size(d_key),
            channels=size(channels),
            kernel=size(d_conv),
            heads=Heads(size(n_values), size(d_value)),
            chunk=size(chunk),
            recurrence=Recurrence.DELTA_RULE,
        ),
        activation="silu",
        laws=(divides(n_keys, n_values),),
    )


def lightning_attention(width: Operand, n_heads: Operand, d_head: Operand, *, chunk: Operand = CHUNK) -> Component:
    """Linear attention whose state fades at a fixed rate (Qin et al., 2024, arXiv:2405.17381; arXiv:2501.08313, section 2.2).

    h × 3·n_heads·d_head for query, key and value, h × n_heads·d_head for the gate of the output, an RMSNorm of n_heads·d_head,
    n_heads·d_head × h for the output. Each head keeps a state of d_head × d_head numbers; matrices are multiplied within
    ``chunk`` tokens.
    """
    heads = Heads(size(n_heads), size(d_head))
    return Component(
        LIGHTNING_ATTENTION,
        body=(
            ("query_key_value", linear(width, size(3 * heads.inner), bias=False, makes=QKV)),
            ("gate", linear(width, heads.inner, bias=False, makes=(Projection.GATE,))),
            ("gated_norm", _made(rms_norm(heads.inner), Projection.STATE_OUTPUT)),
            ("output", linear(heads.inner, width, bias=False, makes=(Projection.OUTPUT,))),
        ),
        state_space=StateSpaceFacts(
            heads.inner,
            heads.width,
            heads=heads,
            chunk=size(chunk),
            recurrence=Recurrence.LIGHTNING,
            in_full=False,
        ),
        activation="silu",
    )


def time_mixing(width: Operand, d_attn: Operand) -> Component:
    """RWKV's time mixing: a mean of earlier values, weighted by keys and by a decay that is learned (arXiv:2305.13048, 3.1).

    3 × h for how much of the token before goes into key, value and receptance, h × d_attn for each of these, d_attn each for
    the decay and the bonus of the current token, d_attn × h for the output. Each of d_attn channels keeps 3 numbers.
    """
    inner = size(d_attn)
    key, value, receptance = (
        linear(width, inner, bias=False, makes=(made,)) for made in (Projection.KEY, Projection.VALUE, Projection.RECEPTANCE)
    )
    return Component(
        TIME_MIXING,
        body=(
            ("token_shift", 3 * _shift(width)),
            ("key", key),
            ("value", value),
            ("receptance", receptance),
            ("decay", _made(parameter(inner), Projection.DECAY)),
            ("bonus", _made(parameter(inner), Projection.BONUS)),
            ("output", linear(inner, width, bias=False, makes=(Projection.OUTPUT,))),
        ),
        state_space=StateSpaceFacts(inner, MEAN, channels=size(width), kernel=ONE, recurrence=Recurrence.TIME_MIXING),
    )


def channel_mixing(width: Operand, d_ff: Operand) -> Component:
    """RWKV's channel mixing: a feed-forward network times a gate, both of which see the token before (arXiv:2305.13048, 3.1).

    2 × h for how much of the token before goes into key and receptance, h × d_ff up and d_ff × h down, h × h for the
    receptance.
    """
    return Component(
        CHANNEL_MIXING,
        body=(
            ("token_shift", 2 * _shift(width)),
            ("key", linear(width, d_ff, bias=False, makes=(Projection.UP,))),
            ("receptance", linear(width, width, bias=False, makes=(Projection.RECEPTANCE,))),
            ("value", linear(d_ff, width, bias=False, makes=(Projection.DOWN,))),
        ),
        state_space=StateSpaceFacts(channels=size(width), kernel=ONE),
        activation="relu2",
    )


def gated_short_convolution(width: Operand, d_conv: Operand, *, bias: Gate = False) -> Component:
    """C · convolution(B · x), output by a matrix (Amini et al., 2025, arXiv:2511.23404).

    h × 3h for B, C and x, a causal convolution of d_conv tokens in each of h channels, h × d_conv, and h × h for the output.
    ``bias`` adds a bias to each of the three: 3h, h and h.
    """
    return Component(
        GATED_SHORT_CONVOLUTION,
        body=(
            ("input_projection", linear(width, size(3 * size(width)), bias=bias, makes=STATE_INPUT)),
            ("convolution", _convolved(width, d_conv, bias)),
            ("output_projection", linear(width, width, bias=bias, makes=(Projection.OUTPUT,))),
        ),
        state_space=StateSpaceFacts(channels=size(width), kernel=size(d_conv)),
    )


def _of_heads(heads: Expression, inputs: Operand, outputs: Operand, *more: Tensor) -> Component:
    """A matrix of each head, stored as one array heads × inputs × outputs."""
    weight = Tensor("weight", (heads, size(inputs), size(outputs)), Use.WEIGHT)
    return Component(LINEAR, tensors=(weight, *more))


def _shift(width: Operand) -> Component:
    """The vector that says how much of each channel comes from the token itself, and the rest from the one before."""
    return _made(parameter(ONE, ONE, width), Projection.TOKEN_SHIFT)


def _convolved(channels: Operand, length: Operand, bias: Gate) -> Component:
    return _made(depthwise_convolution(channels, length, bias=bias), Projection.CONVOLUTION)


def _made(component: Component, what: Projection) -> Component:
    return replace(component, makes=(what,))

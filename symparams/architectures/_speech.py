"""Encoders of speech: convolutions over a waveform, a convolution for positions, the layers of a transformer, and their heads.

A token is a frame, what the last of the convolutions gives.
"""

from __future__ import annotations

from dataclasses import replace

from symparams.components import (
    Component,
    Gives,
    adapter,
    attention,
    block,
    convolution,
    feed_forward,
    giving,
    group_norm,
    layer_norm,
    linear,
    parameter,
    post_norm,
    pre_norm,
    reading,
    residual,
    seeing,
    weight_normed_convolution,
)
from symparams.components.kinds import Kind, Role
from symparams.expressions.nodes import Expression, as_expression
from symparams.expressions.symbols import (
    BY_NAME,
    L,
    V,
    d_adapter,
    d_classifier,
    d_ff,
    h,
    h_conv,
    k_pos,
    n_heads,
    n_labels,
    n_pos_groups,
    s,
)
from symparams.features import (
    adapters,
    classifier,
    conv_bias,
    conv_norms,
    ctc_head,
    layer_weights,
    mask_vector,
    pre_norm_layers,
)

STRIDES = (5, 2, 2, 2, 2, 2, 2)
KERNELS = tuple(BY_NAME[f"k_{number}"] for number in range(1, len(STRIDES) + 1))


def frames(place: int) -> Expression:
    """How often a convolution is applied for the last one to give s frames, and no sample more: the first is at place 0."""
    if place == len(KERNELS) - 1:
        return s
    return STRIDES[place + 1] * (frames(place + 1) - 1) + KERNELS[place + 1]


def stem(*, is_each_normed: bool) -> Component:
    """The convolutions: a LayerNorm after each of them, or a GroupNorm after the first; then GELU."""
    parts: dict[str, Component] = {}
    for place, kernel in enumerate(KERNELS):
        number, is_normed = place + 1, is_each_normed or not place
        shape = (h_conv, h_conv if place else 1, kernel)
        activation = "" if is_normed else "gelu"
        made = convolution(*shape, bias=conv_bias, activation=activation, tokens=frames(place), reads_data=not place)
        parts[f"convolution_{number}"] = made if place else reading(made, "waveform")
        if is_normed:
            norm = layer_norm(h_conv) if is_each_normed else group_norm(h_conv)
            parts[f"norm_{number}"] = replace(norm, activation="gelu", tokens=frames(place))
    return block(**parts)


feature_encoder = block(~conv_norms * stem(is_each_normed=False), conv_norms * stem(is_each_normed=True))


def feature_projection(norm: Component) -> Component:
    """Vectors of the encoder's size; while it trains, a learned vector takes the place of the frames that are masked."""
    return block(
        layer_norm=norm,
        projection=linear(h_conv, h),
        mask_vector=mask_vector * reading(parameter(h, kind=Kind("mask_vector", Role.VECTOR)), "masked frames"),
    )


frame_positions = block(
    residual(position_convolution=weight_normed_convolution(h, n_pos_groups, k_pos, activation="gelu")),
    layer_norm=~pre_norm_layers * layer_norm(h),
)

sublayers = {"attention": attention(h, n_heads), "feed_forward": feed_forward(h, d_ff)}
# An adapter is trained for one language while all else is frozen (MMS; Pratap et al., 2023, arXiv:2305.13516).
adapting = residual(language_adapter_norm=layer_norm(h), language_adapter=adapter(h, d_adapter))
encoder_layer = block(
    "encoder_layer",
    ~pre_norm_layers * block(*post_norm(layer_norm(h), **sublayers)),
    pre_norm_layers * block(*pre_norm(layer_norm(h), **sublayers)),
    adapters * adapting,
)

# Each looks at frames that lie so far from one another.
DILATIONS = (1, 2, 3, 1, 1)
TIME_DELAY = tuple((BY_NAME[f"h_tdnn_{number}"], BY_NAME[f"k_tdnn_{number}"]) for number in range(1, len(DILATIONS) + 1))


def time_delay_layers() -> dict[str, Component]:
    """Matrices over some frames side by side, at each place where all of these are there."""
    parts: dict[str, Component] = {}
    width, left = TIME_DELAY[0][0], as_expression(s)
    for number, ((channels, kernel), dilation) in enumerate(zip(TIME_DELAY, DILATIONS, strict=True), 1):
        left = left - dilation * (kernel - 1)
        parts[f"tdnn_{number}"] = seeing(linear(width * kernel, channels, activation="relu"), left)
        width = channels
    return parts


frames_norm = layer_norm(h_conv)
weights = layer_weights * parameter(L + 1, kind=Kind("layer_weights", Role.VECTOR))


def speech_encoder(norm: Component = frames_norm, **heads: Component) -> Component:
    """The encoder, letters of each frame, labels of a whole recording, and what other heads a family has.

    ``norm`` is that of the frames before their projection.
    """
    return block(
        feature_encoder=feature_encoder,
        feature_projection=feature_projection(norm),
        frame_positions=frame_positions,
        encoder=L * encoder_layer,
        final_layer_norm=pre_norm_layers * layer_norm(h),
        ctc_head=ctc_head * giving(linear(h, V), Gives.CTC),
        classifier=classifier
        * giving(
            block(
                layer_weights=weights,
                projection=linear(h, d_classifier),
                output=seeing(linear(d_classifier, n_labels), 1),
            ),
            Gives.LABELS,
        ),
        **heads,
    )

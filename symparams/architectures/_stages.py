"""Image encoders in four stages: each has fewer positions than the one before, and more channels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from symparams.components import (
    Biases,
    Component,
    Projection,
    block,
    convolution,
    depthwise_convolution,
    feed_forward,
    layer_norm,
    layer_scale,
    linear,
    pre_norm,
    reading,
    residual,
    seeing,
    window_attention,
)
from symparams.components.facts import Stream
from symparams.expressions.extent import size
from symparams.expressions.nodes import Ceiling, Dimension, Expression, Floor, Minimum, Number, Operand
from symparams.expressions.symbols import BY_NAME, h, image, mlp_ratio, patch, window
from symparams.expressions.written import times
from symparams.features import qkv_bias

STAGES = range(1, 5)
KERNEL, STRIDE = 7, 2


def of_stages(name: str) -> tuple[Dimension, ...]:
    """The letter of each stage: h_1, h_2, h_3 and h_4."""
    return tuple(BY_NAME[f"{name}_{stage}"] for stage in STAGES)


DEPTHS, WIDTHS, POSITIONS = map(of_stages, ("L", "h", "n_patches"))
HEADS, HEAD_WIDTHS, WINDOWED = map(of_stages, ("n_heads", "d_head", "n_windowed"))
DOUBLED = (size(h), 2 * h, 4 * h, 8 * h)


def halved(side: Operand) -> Mapping[Dimension, Expression]:
    """A patch of this side is a position of the first stage; each stage after it halves both sides (arXiv:2201.03545)."""
    return {number: Floor(image / times(Number(STRIDE**place), size(side))) ** 2 for place, number in enumerate(POSITIONS)}


def window_stages() -> dict[str, Component]:
    """Swin's four stages: before each but the first, squares of four patches become one, of twice as many numbers."""
    parts: dict[str, Component] = {}
    for place, depth in enumerate(DEPTHS):
        name, width = f"stage_{place + 1}", DOUBLED[place]
        if place:
            square = 4 * 2 ** (place - 1) * h
            merging = block(layer_norm=reading(layer_norm(square), Stream.SQUARES), reduction=linear(square, width, bias=False))
            parts[f"merging_{place + 1}"] = seeing(merging, POSITIONS[place])
        biases = Biases(inputs=qkv_bias, output=True)
        attention = window_attention(width, HEADS[place], HEAD_WIDTHS[place], window, bias=biases)
        sublayers = {
            "attention": seeing(attention, WINDOWED[place]),
            "feed_forward": feed_forward(width, 2**place * mlp_ratio * h if place else mlp_ratio * h),
        }
        layer = block(f"{name}_layer", *pre_norm(layer_norm(width), **sublayers))
        parts[name] = seeing(depth * layer, POSITIONS[place])
    return parts


def merged() -> Mapping[Dimension, Expression]:
    """The patches of each stage, which pads its sides to even numbers, and those within whole windows (arXiv:2103.14030).

    A window is no wider than the image; the last one of a row, and of a column, is filled up.
    """
    sides = [Ceiling(image / times(Number(2**place), patch)) for place in range(len(DEPTHS))]
    windows = [Minimum((side, window)) for side in sides]
    return {
        **{number: side**2 for number, side in zip(POSITIONS, sides, strict=True)},
        **{
            number: (Ceiling(side / within) * within) ** 2
            for number, side, within in zip(WINDOWED, sides, windows, strict=True)
        },
    }


def convolutional_layer(name: str, width: Dimension, scale: Component) -> Component:
    """x + γ·feed_forward(norm(convolution(x))): 7 × 7 neighbours in each channel, then 4·h units (arXiv:2201.03545)."""
    mixing = replace(depthwise_convolution(width, KERNEL, KERNEL), makes=(Projection.CONVOLUTION,))
    return block(
        name,
        residual(
            depthwise_convolution=mixing,
            layer_norm=layer_norm(width),
            feed_forward=feed_forward(width, 4 * width),
            layer_scale=scale,
        ),
    )


def convolutional_stages(scale: Callable[[Dimension], Component] = layer_scale) -> dict[str, Component]:
    """ConvNeXt's four stages: before each but the first a norm, and a convolution that halves both sides."""
    parts: dict[str, Component] = {}
    for place, (depth, width, positions) in enumerate(zip(DEPTHS, WIDTHS, POSITIONS, strict=True)):
        name = f"stage_{place + 1}"
        if place:
            narrow = WIDTHS[place - 1]
            halving = block(layer_norm=layer_norm(narrow), convolution=convolution(width, narrow, STRIDE, STRIDE))
            parts[f"downsampling_{place + 1}"] = seeing(halving, positions)
        parts[name] = seeing(depth * convolutional_layer(f"{name}_layer", width, scale(width)), positions)
    return parts

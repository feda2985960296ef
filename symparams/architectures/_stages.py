"""Image encoders in four stages: each has fewer positions than the one before, and more channels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from symparams.components import (
    Component,
    Projection,
    block,
    convolution,
    depthwise_convolution,
    feed_forward,
    layer_norm,
    layer_scale,
    residual,
    seeing,
)
from symparams.expressions.extent import size
from symparams.expressions.nodes import Dimension, Expression, Floor, Operand
from symparams.expressions.symbols import (
    L_1,
    L_2,
    L_3,
    L_4,
    h_1,
    h_2,
    h_3,
    h_4,
    image,
    n_patches_1,
    n_patches_2,
    n_patches_3,
    n_patches_4,
)

DEPTHS, WIDTHS = (L_1, L_2, L_3, L_4), (h_1, h_2, h_3, h_4)
POSITIONS = (n_patches_1, n_patches_2, n_patches_3, n_patches_4)
KERNEL, STRIDE = 7, 2


def halved(side: Operand) -> Mapping[Dimension, Expression]:
    """A patch of this side is a position of the first stage; each stage after it halves both sides (arXiv:2201.03545)."""
    return {number: Floor(image / (STRIDE**place * size(side))) ** 2 for place, number in enumerate(POSITIONS)}


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

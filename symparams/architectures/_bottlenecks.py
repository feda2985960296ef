"""Residual networks: a bottleneck of three convolutions, norms whose numbers are fixed, parts that are never trained."""

from __future__ import annotations

from dataclasses import replace

from symparams.components import Component, block, convolution, divides, reading, seeing, then
from symparams.components.kinds import Kind, Role
from symparams.expressions.extent import size
from symparams.expressions.nodes import Operand

BOTTLENECK = Kind("bottleneck", Role.CHAIN)
FROZEN_BATCH_NORM = Kind("frozen_batch_norm", Role.ABSENT, Role.NORM)
REDUCTION, KERNEL, STEM_KERNEL = 4, 3, 7


def frozen_batch_norm() -> Component:
    """A BatchNorm of fixed mean, variance, gain and bias, which are no parameters: 0 (DETR, arXiv:2005.12872)."""
    return Component(FROZEN_BATCH_NORM)


def bottleneck(inputs: Operand, outputs: Operand, *, before: Operand | None = None) -> Component:
    """Convolutions of 1 × 1, 3 × 3 and 1 × 1, the one between of a fourth of the channels (He et al., 2016, arXiv:1512.03385).

    With c = outputs / 4: c × inputs, c × c × 3 × 3 and outputs × c, without biases; a BatchNorm of fixed numbers follows each.
    The first sees ``before`` positions where the second takes every other one of a row and of a column.
    """
    narrow = size(outputs) / REDUCTION
    reduction = convolution(narrow, inputs, 1, 1, bias=False)
    parts = block(
        reduction=reduction if before is None else seeing(reduction, before),
        reduction_norm=frozen_batch_norm(),
        convolution=convolution(narrow, narrow, KERNEL, KERNEL, bias=False),
        convolution_norm=frozen_batch_norm(),
        expansion=convolution(outputs, narrow, 1, 1, bias=False),
        expansion_norm=frozen_batch_norm(),
    )
    return Component(BOTTLENECK, body=(("", parts),), activation="relu", laws=(divides(REDUCTION, outputs),))


def shortcut(inputs: Operand, outputs: Operand) -> Component:
    """The way beside a bottleneck that gives other channels or fewer positions: outputs × inputs, and a BatchNorm."""
    return then(shortcut=convolution(outputs, inputs, 1, 1, bias=False), shortcut_norm=frozen_batch_norm())


def stem(outputs: Operand, channels: Operand, positions: Operand) -> Component:
    """A convolution of 7 × 7 pixels that takes every other one of a row and of a column: outputs × channels × 7 × 7.

    A BatchNorm of fixed numbers follows, and of each 2 × 2 positions the largest of 3 × 3 is kept (arXiv:1512.03385).
    """
    pixels = 4 * size(positions) * size(channels)
    seen = convolution(outputs, channels, STEM_KERNEL, STEM_KERNEL, bias=False, tokens=positions, reads_data=pixels)
    return then(image_stem=reading(seen, "image"), stem_norm=replace(frozen_batch_norm(), activation="relu"))


def frozen(component: Component) -> Component:
    """Return a component that is stored and never trained, with all before it: no gradient comes through it."""
    tensors = tuple(replace(tensor, trained=False) for tensor in component.tensors)
    body = tuple((name, frozen(part)) for name, part in component.body)
    return replace(component, tensors=tensors, body=body, reads_data=component.reads_data or bool(tensors))


def behind_frozen(component: Component) -> Component:
    """Return a component whose input has no gradient, since nothing before it is trained: that of its first matrix."""
    if not component.body:
        return replace(component, reads_data=True)
    (name, first), *others = component.body
    return replace(component, body=((name, behind_frozen(first)), *others))

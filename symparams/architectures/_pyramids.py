"""Masks of things in an image, drawn where each is looked for and refined with what a residual network saw at finer places."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from symparams.architectures._bottlenecks import behind_frozen
from symparams.architectures._residual_networks import FIRST_TRAINED, positions
from symparams.architectures._stages import WIDTHS
from symparams.components import (
    Component,
    block,
    convolution,
    divides,
    group_norm,
    reading,
    reading_only,
    residual,
    seeing,
    then,
)
from symparams.components.facts import Stream
from symparams.expressions.extent import size
from symparams.expressions.nodes import Dimension, Operand
from symparams.expressions.written import times
from symparams.features import Feature

ORDINALS = ("first", "second", "third", "fourth", "fifth")
KERNEL = 3


def refinement(name: str, inputs: Operand, outputs: Operand, *, reads: str = "") -> Component:
    """A convolution of 3 × 3, a norm of groups of channels, and ReLU: outputs × inputs × 3 × 3 + outputs, and 2 × outputs."""
    norm = replace(group_norm(outputs, in_groups=True), activation="relu")
    parts = {name: reading(convolution(outputs, inputs, KERNEL, KERNEL), reads), f"{name}_norm": norm}
    return then(**parts)


def merging(stage: int, channels: Dimension, outputs: Operand, tokens: Operand, trained: Feature) -> Component:
    """x + W·y + b, of upsampled x and of the vectors y of a stage: outputs × channels + outputs.

    No gradient comes to a stage that is not trained.
    """
    adapter = seeing(reading_only(convolution(outputs, channels, 1, 1), f"stage_{stage}"), tokens)
    name = f"adapter_{stage}"
    if stage < FIRST_TRAINED:
        return residual(**{name: behind_frozen(adapter)})
    return residual(then(**{name: trained * adapter}), then(**{name: ~trained * behind_frozen(adapter)}))


def mask_pyramid(drawn: Component, width: Operand, n_heads: Operand, queries: Operand, trained: Feature) -> Component:
    """A mask for each query: five refinements of the image and of what each head of an attention has ``drawn``.

    (h + n_heads) → (h + n_heads) → h / 2 channels at the places of the last stage; before each of the other three refinements
    the vectors of a finer stage are merged in, from stage 3 to 1, to h / 4, h / 8 and h / 16; a convolution of 3 × 3 writes the
    mask (DETR; Carion et al., 2020, arXiv:2005.12872, section 4.3).
    """
    start, whole = size(width) + size(n_heads), size(width)
    widths = (start, start, *(whole / 2**halvings for halvings in range(1, 5)))

    def refined() -> Iterator[Component]:
        for number, (name, stage) in enumerate(zip(ORDINALS, (4, 4, 3, 2, 1), strict=True)):
            inputs, outputs, here = widths[number], widths[number + 1], times(size(queries), positions(stage))
            if stage < len(WIDTHS):
                yield merging(stage, WIDTHS[stage - 1], inputs, here, trained)
            yield seeing(refinement(f"{name}_refinement", inputs, outputs, reads="" if number else Stream.IMAGE), here)

    written = seeing(convolution(1, whole / 16, KERNEL, KERNEL), times(size(queries), positions(1)))
    pyramid = block(then(attention_map=drawn), *refined(), then(mask_output=written))
    return replace(pyramid, laws=(divides(16, whole), divides(8, start)))

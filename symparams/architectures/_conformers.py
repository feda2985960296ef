"""Conformers of Gemma 3n and Gemma 4: a stem over a spectrogram, and layers of attention and convolution (Gulati et al., 2020,
arXiv:2005.08100; after the Universal Speech Model, arXiv:2303.01037).

A token is a frame, what the second convolution of the stem gives.
"""

from __future__ import annotations

from dataclasses import replace

from symparams.architectures._decoders import NORM
from symparams.components import (
    Blocks,
    Component,
    block,
    block_attention,
    convolution,
    feed_forward,
    layer_norm,
    light_convolution,
    linear,
    pre_norm,
    reading,
    sandwiched,
    seeing,
)
from symparams.expressions.nodes import Operand
from symparams.expressions.symbols import d_conv, d_head, h, h_conv_1, h_conv_2, n_bands, n_frames, n_heads
from symparams.features import bidirectional

KERNEL = 3
network = feed_forward(h, 4 * h, bias=False, activation="silu")


def spectrogram_stem() -> Component:
    """Two convolutions that halve times and frequencies, each with a norm and ReLU; then a vector of all bands of a frame."""
    first = convolution(h_conv_1, 1, KERNEL, KERNEL, bias=False, reads_data=16 * n_frames * n_bands)
    norms = (replace(layer_norm(channels, bias=False), activation="relu") for channels in (h_conv_1, h_conv_2))
    halves, quarters = 4 * n_frames * n_bands, n_frames * n_bands
    return block(
        first_subsampling=seeing(reading(first, "spectrogram"), halves),
        first_subsampling_norm=seeing(next(norms), halves),
        second_subsampling=seeing(convolution(h_conv_2, h_conv_1, KERNEL, KERNEL, bias=False), quarters),
        second_subsampling_norm=seeing(next(norms), quarters),
        input_projection=linear(n_bands * h_conv_2, h, bias=False),
    )


def conformer_layer(blocks: Blocks, distances: Operand) -> Component:
    """x + ½·norm(feed_forward(norm(x))), x + norm(attention(norm(x))), x + convolution(norm(x)), half a network; a norm."""
    attention = block_attention(
        h, n_heads, d_head, blocks=blocks, distances=distances, causal=~bidirectional, capped="audio_score_cap"
    )
    return block(
        "conformer_layer",
        *sandwiched(NORM, first_feed_forward=network, attention=attention),
        *pre_norm(NORM, light_convolution=light_convolution(h, d_conv)),
        *sandwiched(NORM, second_feed_forward=network),
        layer_output_norm=NORM,
    )

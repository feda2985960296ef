"""Gemma 4's encoder of sounds by itself: two convolutions over a spectrogram, then layers of attention in blocks and of a
convolution, between two feed-forward networks that count half."""

from symparams.architectures import Architecture
from symparams.architectures._conformers import conformer_layer, spectrogram_stem
from symparams.components import Blocks, block, linear, seeing
from symparams.expressions.nodes import Floor
from symparams.expressions.symbols import L, W_left, W_right, chunk, d_out, h, h_conv_1, n_bands, n_frames
from symparams.expressions.written import ONE

blocks = Blocks(chunk, W_left, W_right)
distances = Floor(blocks.keys / 2) + ONE

GEMMA4_AUDIO = Architecture(
    "gemma4_audio",
    title="Gemma 4's audio encoder",
    source="Google DeepMind, 2026, https://ai.google.dev/gemma/docs/core/model_card_4",
    tree=seeing(
        block(
            embeddings=spectrogram_stem(),
            encoder=L * conformer_layer(blocks, distances),
            output_projection=linear(h, d_out),
        ),
        n_frames,
    ),
    identities={n_bands: Floor(h_conv_1 / 4)},
)

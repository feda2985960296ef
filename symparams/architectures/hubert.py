"""HuBERT: wav2vec 2.0's encoder, which learns the clusters of masked frames and so has no quantizer."""

from symparams.architectures import Architecture
from symparams.architectures._speech import frames_norm, speech_encoder
from symparams.expressions.symbols import d_ff, h
from symparams.features import frames_normed, mask_vector

HUBERT = Architecture(
    "hubert",
    title="HuBERT",
    source="Hsu et al., 2021, arXiv:2106.07447",
    tree=speech_encoder(frames_normed * frames_norm),
    relations={d_ff: 4 * h},
    has=(mask_vector, frames_normed),
)

"""wav2vec 2.0: convolutions over a waveform, and an encoder that learns what stands in masked frames.

A quantizer, which reads the frames before they are masked, gives what is to be found there; it is not in use after training.
A vector of the speaker is read off the frames by layers that look ever further to both sides (Snyder et al., 2018,
doi:10.1109/ICASSP.2018.8461375).
"""

from symparams.architectures import Architecture
from symparams.architectures._speech import speech_encoder, time_delay_layers, weights
from symparams.components import Gives, block, codebooks, giving, linear, parameter, reading, seeing
from symparams.expressions.symbols import (
    d_code,
    d_contrast,
    d_ff,
    d_xvector,
    h,
    h_conv,
    h_tdnn_1,
    h_tdnn_5,
    n_codebooks,
    n_codes,
    n_labels,
)  # fmt: skip
from symparams.features import frame_classifier, mask_vector, quantizer, x_vector

choice = block(
    code_scores=reading(linear(h_conv, n_codebooks * n_codes), "feature_projection.layer_norm"),
    codebooks=codebooks(n_codebooks, n_codes, d_code),
    projection=linear(d_code, d_contrast),
)
speaker = block(
    layer_weights=weights,
    projection=linear(h, h_tdnn_1),
    **time_delay_layers(),
    speaker_embedding=reading(seeing(linear(2 * h_tdnn_5, d_xvector), 1), "mean and deviation of the frames"),
    output=seeing(linear(d_xvector, d_xvector), 1),
    speakers=seeing(parameter(d_xvector, n_labels), 1),
)

WAV2VEC2 = Architecture(
    "wav2vec2",
    title="wav2vec 2.0",
    source="Baevski et al., 2020, arXiv:2006.11477",
    tree=speech_encoder(
        frame_classifier=frame_classifier * giving(block(layer_weights=weights, output=linear(h, n_labels)), Gives.LABELS),
        context_projection=quantizer * giving(linear(h, d_contrast), Gives.CONTEXT),
        quantizer=quantizer * giving(choice, Gives.CODES),
        x_vector=x_vector * giving(speaker, Gives.SPEAKER),
    ),
    relations={d_ff: 4 * h},
    has=(mask_vector,),
)

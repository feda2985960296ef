"""Whisper: an encoder of sound and a decoder of text, pre-norm; the keys have no bias.

The library stores the encoder's sinusoidal positions as a parameter that is never trained; the decoder's are learned.
"""

from symparams.architectures import Architecture
from symparams.architectures._encoder_decoders import decoder_stack, encoder_stack
from symparams.components import (
    Gives,
    Rows,
    block,
    convolution,
    embedding,
    giving,
    keyless_bias_attention,
    layer_norm,
    linear,
    output_head,
    parallel,
    parameter,
    pre_norm,
    reading,
    seeing,
    sinusoidal_table,
)
from symparams.components.kinds import Kind, Role
from symparams.expressions.symbols import (
    L_enc,
    V,
    d_classifier,
    d_head_dec,
    d_head_enc,
    h,
    max_source,
    max_target,
    n_heads_dec,
    n_heads_enc,
    n_labels,
    n_mels,
)
from symparams.features import biases, classifier, decoder, encoder, layer_weights, lm_head, tying

FRAMES = 3  # that one filter of a convolution looks at

sound = block(
    first_convolution=convolution(h, n_mels, FRAMES, activation="gelu", tokens=2 * max_source, reads_data=True),
    second_convolution=convolution(h, h, FRAMES, activation="gelu"),
    positions=sinusoidal_table(max_source, h),
)
text = block(parallel(token_embedding=embedding(V, h), position_embedding=embedding(max_target, h, of=Rows.POSITIONS)))

WHISPER = Architecture(
    "whisper",
    title="Whisper",
    source="Radford et al., 2022, arXiv:2212.04356",
    tree=block(
        encoder_embeddings=encoder * seeing(sound, max_source),
        encoder=encoder * seeing(encoder_stack(pre_norm, keyless_bias_attention(h, n_heads_enc, d_head_enc)), max_source),
        encoder_norm=encoder * seeing(layer_norm(h), max_source),
        decoder_embeddings=decoder * reading(text, "target tokens"),
        decoder=decoder
        * decoder_stack(
            pre_norm,
            keyless_bias_attention(h, n_heads_dec, d_head_dec, causal=True),
            keyless_bias_attention(h, n_heads_dec, d_head_dec, reads="encoder"),
        ),
        decoder_norm=decoder * layer_norm(h),
        lm_head=decoder * (lm_head * output_head(h, V, tied_to="decoder_embeddings.token_embedding")),
        classifier=classifier
        * giving(
            block(
                layer_weights=layer_weights * parameter(L_enc + 1, kind=Kind("layer_weights", Role.VECTOR)),
                projection=seeing(linear(h, d_classifier, bias=biases), max_source),
                output=seeing(linear(d_classifier, n_labels, bias=biases), 1),
            ),
            Gives.LABELS,
        ),
    ),
    has=(encoder, decoder, lm_head, tying, biases),
)

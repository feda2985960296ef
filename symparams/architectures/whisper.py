"""Whisper: an encoder of sound and a decoder of text, pre-norm; the keys have no bias (Radford et al., 2022,
arXiv:2212.04356).

The library stores the encoder's sinusoidal positions as a parameter that is never trained; the decoder's are learned.
"""

from symparams.architectures import Architecture
from symparams.components import Component, Tensor, block, embedding, layer_norm, linear
from symparams.expressions.features import biases, classifier, decoder, encoder, layer_weights, lm_head, tying
from symparams.expressions.nodes import Operand
from symparams.expressions.symbols import L_enc, V, d_classifier, h, max_source, max_target, n_labels, n_mels
from symparams.expressions.written import size
from symparams.models.library import Key, Library, Settings, labels
from symparams.models.library.encoder_decoders import (
    HEADS,
    TIED,
    decoder_stack,
    encoder_stack,
    sinusoidal_table,
    stack_sizes,
    whole_heads,
)

FRAMES = 3  # that one filter of a convolution looks at
WIDTH, N_HEADS = 384, 6  # the library's defaults


def convolution(channels: Operand, width: Operand) -> Component:
    """Filters over a few frames: h × n_mels × 3 + h (torch.nn.Conv1d)."""
    weight = Tensor("weight", (size(width), size(channels), size(FRAMES)), "weight")
    return Component("convolution", tensors=(weight, Tensor("bias", (size(width),), "bias")))


def attention() -> Component:
    """Attention whose key alone has no bias, which would not change the scores: 4 × h × h + 3 × h."""
    projections = {name: linear(h, h, bias=name != "key") for name in ("query", "key", "value", "output")}
    return Component("keyless_bias_attention", children=tuple(projections.items()))


def weighted(settings: Settings) -> bool:
    """Whether the classifier weighs the layers of the encoder."""
    names = settings.listed("architectures") or [""]
    return names[0] == "WhisperForAudioClassification" and settings.flag("use_weighted_layer_sum")


WHISPER = Architecture(
    "whisper",
    title="Whisper",
    source="Radford et al., 2022, arXiv:2212.04356",
    tree=block(
        encoder_embeddings=encoder
        * block(
            first_convolution=convolution(n_mels, h),
            second_convolution=convolution(h, h),
            positions=sinusoidal_table(max_source, h),
        ),
        encoder=encoder * encoder_stack(attention(), pre_norm=True),
        encoder_norm=encoder * layer_norm(h),
        decoder_embeddings=decoder * block(token_embedding=embedding(V, h), position_embedding=embedding(max_target, h)),
        decoder=decoder * decoder_stack(attention(), pre_norm=True),
        decoder_norm=decoder * layer_norm(h),
        lm_head=decoder * (lm_head * linear(h, V, bias=False, tied_to="decoder_embeddings.token_embedding")),
        classifier=classifier
        * block(
            layer_weights=layer_weights * Component("layer_weights", tensors=(Tensor("weight", (size(L_enc + 1),), "weight"),)),
            projection=linear(h, d_classifier),
            output=linear(d_classifier, n_labels),
        ),
    ),
    library=Library(
        base="WhisperModel",
        classes={
            "WhisperModel": (encoder, decoder),
            "WhisperForConditionalGeneration": (encoder, decoder, lm_head),
            "WhisperForCausalLM": (decoder, lm_head),
            "WhisperForAudioClassification": (encoder, classifier),
        },
        sizes={
            V: Key("vocab_size", default=51_865),
            **stack_sizes(layers=4, heads=N_HEADS, width=WIDTH, d_ff=1_536),
            n_mels: Key("num_mel_bins", default=80),
            max_source: Key("max_source_positions", default=1_500),
            max_target: Key("max_target_positions", default=448),
            d_classifier: Key("classifier_proj_size", default=256),
            n_labels: labels,
        },
        flags={**TIED, layer_weights: weighted},
        check=whole_heads(WIDTH, N_HEADS),
    ),
    identities=HEADS,
    has=(encoder, decoder, lm_head, tying, biases),
    may_have=(classifier, layer_weights),
)

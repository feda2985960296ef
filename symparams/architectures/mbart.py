"""mBART: BART in many languages, pre-norm, with a norm at the end of each stack."""

from symparams.architectures import Architecture
from symparams.architectures._encoder_decoders import encoder_decoder
from symparams.architectures.bart import BART, inputs
from symparams.components import pre_norm

MBART = Architecture(
    "mbart",
    title="mBART",
    source="Liu et al., 2020, arXiv:2001.08210",
    tree=encoder_decoder(inputs, pre_norm),
    has=BART.has,
)

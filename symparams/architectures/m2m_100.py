"""M2M-100 and NLLB: an encoder and a decoder, pre-norm, with sinusoidal positions that are computed."""

from symparams.architectures import Architecture
from symparams.architectures._encoder_decoders import DECODERS_OWN, stacks
from symparams.components import block, output_head, pre_norm, sinusoidal
from symparams.expressions.symbols import V, h
from symparams.features import biases, encoder, lm_head, scaled_embeddings, tying

M2M_100 = Architecture(
    "m2m_100",
    title="M2M-100",
    source="Fan et al., 2020, arXiv:2010.11125",
    tree=block(**stacks({"positions": sinusoidal()}, pre_norm), lm_head=lm_head * output_head(h, V, tied_to=DECODERS_OWN)),
    has=(encoder, lm_head, tying, biases, scaled_embeddings),
)

"""M2M-100 and NLLB: an encoder and a decoder, pre-norm, with sinusoidal positions that are computed (Fan et al., 2020,
arXiv:2010.11125)."""

from symparams.architectures import Architecture
from symparams.components import block, linear, sinusoidal
from symparams.expressions.features import biases, encoder, lm_head, tying
from symparams.expressions.symbols import V, h
from symparams.models.library import Library
from symparams.models.library.encoder_decoders import DECODERS_OWN, HEADS, TIED, stacks, text_sizes, whole_heads

M2M_100 = Architecture(
    "m2m_100",
    title="M2M-100",
    source="Fan et al., 2020, arXiv:2010.11125",
    tree=block(
        **stacks({"positions": sinusoidal()}, pre_norm=True),
        lm_head=lm_head * linear(h, V, bias=False, tied_to=DECODERS_OWN),
    ),
    library=Library(
        base="M2M100Model",
        classes={"M2M100Model": (encoder,), "M2M100ForConditionalGeneration": (encoder, lm_head)},
        sizes=text_sizes(128_112),
        flags=TIED,
        check=whole_heads(),
    ),
    identities=HEADS,
    has=(encoder, lm_head, tying, biases),
)

"""PEGASUS: an encoder and a decoder, pre-norm, with sinusoidal positions (Zhang et al., 2020, arXiv:1912.08777).

The library stores the positions of each stack as a parameter that is never trained.
"""

from symparams.architectures import Architecture
from symparams.components import block, linear
from symparams.expressions.features import biases, encoder, lm_head, tying
from symparams.expressions.symbols import V, h, max_pos
from symparams.models.library import Library
from symparams.models.library.encoder_decoders import (
    DECODERS_OWN,
    HEADS,
    TIED,
    sinusoidal_table,
    stacks,
    text_sizes,
    whole_heads,
)

PEGASUS = Architecture(
    "pegasus",
    title="PEGASUS",
    source="Zhang et al., 2020, arXiv:1912.08777",
    tree=block(
        **stacks({"positions": sinusoidal_table(max_pos, h)}, pre_norm=True),
        lm_head=lm_head * linear(h, V, bias=False, tied_to=DECODERS_OWN),
    ),
    library=Library(
        base="PegasusModel",
        classes={
            "PegasusModel": (encoder,),
            "PegasusForConditionalGeneration": (encoder, lm_head),
            "PegasusForCausalLM": (lm_head,),
        },
        sizes=text_sizes(50_265),
        flags=TIED,
        check=whole_heads(),
    ),
    identities=HEADS,
    has=(encoder, lm_head, tying, biases),
)

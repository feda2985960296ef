"""PEGASUS: an encoder and a decoder, pre-norm, with sinusoidal positions.

The library stores the positions of each stack as a parameter that is never trained.
"""

from symparams.architectures import Architecture
from symparams.architectures._encoder_decoders import DECODERS_OWN, stacks
from symparams.components import block, output_head, pre_norm, sinusoidal_table
from symparams.expressions.symbols import V, h, max_pos
from symparams.features import biases, encoder, lm_head, tying

PEGASUS = Architecture(
    "pegasus",
    title="PEGASUS",
    source="Zhang et al., 2020, arXiv:1912.08777",
    tree=block(
        **stacks({"positions": sinusoidal_table(max_pos, h)}, pre_norm),
        lm_head=lm_head * output_head(h, V, tied_to=DECODERS_OWN),
    ),
    has=(encoder, lm_head, tying, biases),
)

"""Marian: an encoder and a decoder for translation, post-norm, with sinusoidal positions.

The library stores the positions of each stack as a parameter that is never trained; source and target share one
vocabulary or have one each.
"""

from dataclasses import replace

from symparams.architectures import Architecture
from symparams.architectures._encoder_decoders import DECODERS_OWN, stacks
from symparams.components import Tensor, block, linear, output_head, post_norm, sinusoidal_table
from symparams.expressions.nodes import Dimension
from symparams.expressions.symbols import V, V_dec, h, max_pos
from symparams.features import Feature, biases, encoder, lm_head, shared_vocabulary, tying

parts = stacks({"positions": sinusoidal_table(max_pos, h)}, post_norm, target=V_dec)


def output(rows: Dimension, *when: Feature) -> tuple[Tensor, ...]:
    """The matrix of the LM head over a vocabulary of these rows, where the model has all of these features."""
    return tuple(replace(tensor, when=when) for tensor in linear(h, rows, bias=False, tied_to=DECODERS_OWN).tensors)


# The library gives a decoder by itself a head over the source's vocabulary, and ties it to a table of the target's.
outputs = (
    *output(V, shared_vocabulary, encoder),
    *output(V, shared_vocabulary, ~encoder, ~tying),
    *output(V_dec, shared_vocabulary, ~encoder, tying),
    *output(V_dec, ~shared_vocabulary),
)
head = replace(output_head(h, V), tensors=outputs)

MARIAN = Architecture(
    "marian",
    title="Marian",
    source="Junczys-Dowmunt et al., 2018, arXiv:1804.00344",
    tree=block(**{**parts, "embeddings": shared_vocabulary * parts["embeddings"]}, lm_head=lm_head * head),
    relations={V_dec: V},
    has=(encoder, lm_head, shared_vocabulary, tying, biases),
)

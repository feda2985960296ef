"""BART: an encoder and a decoder, post-norm, over one embedding and learned positions.

The library's position embeddings have two rows more than there are positions.
"""

from symparams.architectures import Architecture
from symparams.architectures._encoder_decoders import encoder_decoder
from symparams.components import Rows, embedding, layer_norm, post_norm
from symparams.expressions.symbols import h, max_pos
from symparams.features import biases, encoder, lm_head, tying

inputs = {"position_embedding": embedding(max_pos + 2, h, of=Rows.POSITIONS), "layer_norm": layer_norm(h)}

BART = Architecture(
    "bart",
    title="BART",
    source="Lewis et al., 2020, arXiv:1910.13461",
    tree=encoder_decoder(inputs, post_norm),
    has=(encoder, lm_head, tying, biases),
)

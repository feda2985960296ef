"""MPNet: BERT without segments, whose layers share one table of relative positions.

Its positions begin after the index of the padding, so the published models have 514 rows for 512 positions.
"""

from dataclasses import replace

from symparams.architectures import Architecture
from symparams.architectures._encoders import classification, embedding_block, encoder_layer, masked_lm, pooled, second_bias
from symparams.components import Rows, attention, block, embedding
from symparams.expressions.symbols import L, d_ff, h, n_buckets, n_heads
from symparams.features import biases, classifier, mlm_head, pooler, tying

# One table for all layers.
position_bias = replace(embedding(n_buckets, n_heads, reads="distances", of=Rows.DISTANCES), acts_on="encoder")

MPNET = Architecture(
    "mpnet",
    title="MPNet",
    source="Song et al., 2020, arXiv:2004.09297",
    tree=block(
        embeddings=embedding_block(h, has_segments=False, relative_position_bias=position_bias),
        encoder=L * encoder_layer(attention(h, n_heads, bias=biases, positions="relative bias")),
        pooler=pooler * pooled(),
        mlm_head=mlm_head * masked_lm(h, output_bias=second_bias),
        classifier=classifier * classification(),
    ),
    relations={d_ff: 4 * h},
    has=(pooler, tying, biases),
)

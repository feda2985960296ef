"""RoBERTa: BERT trained longer, without next-sentence prediction.

Its positions begin after the index of the padding, so the published models have 514 rows for 512 positions.
"""

from symparams.architectures import Architecture
from symparams.architectures._encoders import classification, crossing_layer, embedding_block, masked_lm, pooled, second_bias
from symparams.components import block
from symparams.expressions.symbols import L, d_ff, h
from symparams.features import biases, classifier, mlm_head, pooler, segment_embeddings, tying

ROBERTA = Architecture(
    "roberta",
    title="RoBERTa",
    source="Liu et al., 2019, arXiv:1907.11692",
    tree=block(
        embeddings=embedding_block(h),
        encoder=L * crossing_layer,
        pooler=pooler * pooled(),
        mlm_head=mlm_head * masked_lm(h, output_bias=second_bias),
        classifier=classifier * classification(),
    ),
    relations={d_ff: 4 * h},
    has=(segment_embeddings, pooler, tying, biases),
)

"""BERT: a post-norm bidirectional encoder."""

from symparams.architectures import Architecture
from symparams.architectures._encoders import crossing_layer, embedding_block, labels, masked_lm, pooled, second_bias
from symparams.components import Gives, block, giving, linear, reading, seeing
from symparams.expressions.symbols import L, d_ff, h
from symparams.features import biases, classifier, mlm_head, nsp_head, pooler, segment_embeddings, tying

BERT = Architecture(
    "bert",
    title="BERT",
    source="Devlin et al., 2019, arXiv:1810.04805",
    tree=block(
        embeddings=embedding_block(h),
        encoder=L * crossing_layer,
        pooler=pooler * pooled(),
        mlm_head=mlm_head * masked_lm(h, output_bias=second_bias),
        nsp_head=nsp_head * giving(seeing(reading(linear(h, 2, bias=biases), "pooler"), 1), Gives.NEXT_SENTENCE),
        classifier=classifier * labels("pooler"),
    ),
    relations={d_ff: 4 * h},
    has=(segment_embeddings, pooler, tying, biases),
)

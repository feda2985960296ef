"""Longformer: RoBERTa with attention to a window around each token, and of some tokens to all.

The library fills a sequence up to whole windows. Positions begin after the index of the padding, as RoBERTa's do.
"""

from symparams.architectures import Architecture
from symparams.architectures._encoders import classification, embedding_block, encoder_layer, masked_lm, pooled, second_bias
from symparams.components import block, local_global_attention, seeing
from symparams.expressions.nodes import Ceiling, Quotient
from symparams.expressions.symbols import L, W, d_ff, h, n_heads, s
from symparams.features import biases, classifier, mlm_head, pooler, segment_embeddings, tying

LONGFORMER = Architecture(
    "longformer",
    title="Longformer",
    source="Beltagy et al., 2020, arXiv:2004.05150",
    tree=block(
        embeddings=embedding_block(h),
        encoder=seeing(L * encoder_layer(local_global_attention(h, n_heads, W, bias=biases)), W * Ceiling(Quotient(s, W))),
        pooler=pooler * pooled(),
        mlm_head=mlm_head * masked_lm(h, output_bias=second_bias),
        classifier=classifier * classification(),
    ),
    relations={d_ff: 4 * h},
    has=(segment_embeddings, pooler, tying, biases),
)

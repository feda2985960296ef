"""ALBERT: a BERT whose layers share their parameters, with a narrow embedding.

However many layers a token passes through, they fall into groups, and only the layers of one pass through each group are
stored: a single one in the published models.
"""

from symparams.architectures import Architecture
from symparams.architectures._encoders import embedding_block, encoder_layer, labels, masked_lm, pooled, second_bias
from symparams.components import Gives, block, giving, linear, reading, reused, seeing
from symparams.expressions.symbols import L, L_stored, d_emb, d_ff, h, n_labels
from symparams.features import biases, classifier, mlm_head, pooler, segment_embeddings, sop_head, tying

ALBERT = Architecture(
    "albert",
    title="ALBERT",
    source="Lan et al., 2020, arXiv:1909.11942",
    tree=block(
        embeddings=embedding_block(d_emb, projection=linear(d_emb, h, bias=biases)),
        encoder=reused(L_stored * encoder_layer(), L),
        pooler=pooler * pooled(),
        mlm_head=mlm_head * masked_lm(d_emb, output_bias=second_bias),
        sop_head=sop_head * giving(seeing(reading(linear(h, n_labels, bias=biases), "pooler"), 1), Gives.SENTENCE_ORDER),
        classifier=classifier * labels("pooler"),
    ),
    relations={d_ff: 4 * h},
    has=(segment_embeddings, pooler, tying, biases),
)

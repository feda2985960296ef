"""DistilBERT: BERT with half of its layers, without segments and pooler."""

from symparams.architectures import Architecture
from symparams.architectures._encoders import classification, embedding_block, encoder_layer, masked_lm
from symparams.components import block
from symparams.expressions.symbols import L, d_ff, h
from symparams.features import biases, classifier, mlm_head, tying

DISTILBERT = Architecture(
    "distilbert",
    title="DistilBERT",
    source="Sanh et al., 2019, arXiv:1910.01108",
    tree=block(
        embeddings=embedding_block(h, has_segments=False),
        encoder=L * encoder_layer(),
        mlm_head=mlm_head * masked_lm(h),
        classifier=classifier * classification("relu"),
    ),
    relations={d_ff: 4 * h},
    has=(tying, biases),
)

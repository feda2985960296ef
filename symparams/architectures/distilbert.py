"""DistilBERT: BERT with half of its layers, without segments and pooler (Sanh et al., 2019, arXiv:1910.01108)."""

from symparams.architectures import Architecture
from symparams.architectures._encoders import classification, encoder_layer, masked_lm
from symparams.components import Rows, block, embedding, layer_norm, parallel
from symparams.expressions.symbols import L, V, d_ff, h, max_pos
from symparams.features import biases, classifier, mlm_head, tying

DISTILBERT = Architecture(
    "distilbert",
    title="DistilBERT",
    source="Sanh et al., 2019, arXiv:1910.01108",
    tree=block(
        embeddings=block(
            parallel(token_embedding=embedding(V, h), position_embedding=embedding(max_pos, h, of=Rows.POSITIONS)),
            layer_norm=layer_norm(h),
        ),
        encoder=L * encoder_layer(),
        mlm_head=mlm_head * masked_lm(h),
        classifier=classifier * classification("relu"),
    ),
    relations={d_ff: 4 * h},
    has=(tying, biases),
)

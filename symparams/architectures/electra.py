"""ELECTRA: a BERT that tells replaced tokens from original ones, its embedding narrower than its layers where the sizes
differ."""

from symparams.architectures import Architecture
from symparams.architectures._encoders import classification, crossing_layer, embedding_block, masked_lm
from symparams.architectures._summaries import summaries
from symparams.components import Gives, Vector, block, giving, linear
from symparams.expressions.symbols import L, d_emb, d_ff, h
from symparams.features import biases, classifier, discriminator_head, embedding_projection, mlm_head, segment_embeddings, tying

discriminator = block(transform=linear(h, h, bias=biases, activation="gelu"), output=linear(h, 1, bias=biases))

ELECTRA = Architecture(
    "electra",
    title="ELECTRA",
    source="Clark et al., 2020, arXiv:2003.10555",
    tree=block(
        embeddings=embedding_block(d_emb, projection=embedding_projection * linear(d_emb, h, bias=biases)),
        encoder=L * crossing_layer,
        discriminator_head=discriminator_head * giving(discriminator, Gives.REPLACED),
        mlm_head=mlm_head * masked_lm(d_emb),
        **summaries(Vector.FIRST_TOKEN),
        classifier=classifier * classification("gelu"),
    ),
    relations={d_ff: 4 * h},
    has=(segment_embeddings, embedding_projection, tying, biases),
)

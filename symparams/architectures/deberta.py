"""DeBERTa, the first version: a post-norm encoder that attends to content and position apart, with query, key and value in one
matrix."""

from symparams.architectures import Architecture
from symparams.architectures._encoders import encoder_layer, labels, masked_lm, pooled, second_bias
from symparams.architectures.deberta_v2 import embeddings, plain_masked_lm
from symparams.components import block, fused_disentangled_attention
from symparams.expressions.symbols import L, d_emb, h, n_heads
from symparams.features import (
    biases,
    classifier,
    content_to_position,
    mlm_head,
    pooler,
    position_to_content,
    relative_positions,
    tieable_output,
    tying,
)

DEBERTA = Architecture(
    "deberta",
    title="DeBERTa",
    source="He et al., 2020, arXiv:2006.03654",
    tree=block(
        embeddings=embeddings(),
        encoder=L * encoder_layer(fused_disentangled_attention(h, n_heads, bias=biases)),
        pooler=pooler * pooled("gelu"),
        mlm_head=mlm_head * (tieable_output * masked_lm(d_emb, output_bias=second_bias)),
        plain_mlm_head=mlm_head * (~tieable_output * plain_masked_lm),
        classifier=classifier * labels("pooler"),
    ),
    relations={d_emb: h},
    has=(relative_positions, content_to_position, position_to_content, tieable_output, tying, biases),
)

"""Nomic BERT: a post-norm BERT with rotary positions and SwiGLU, without biases but for its heads."""

from symparams.architectures import Architecture
from symparams.architectures._encoders import labels, masked_lm, pooled, second_bias
from symparams.components import (
    Rows,
    block,
    embedding,
    gated_feed_forward,
    layer_norm,
    parallel,
    post_norm,
    rotary,
    wide_attention,
)
from symparams.expressions.symbols import L, V, d_ff, d_head, h, n_heads, n_types
from symparams.features import classifier, mlm_head, pooler, tying

attention = wide_attention(h, n_heads, d_head, positions="rotary")
norm = layer_norm(h)

NOMIC_BERT = Architecture(
    "nomic_bert",
    title="Nomic BERT",
    source="Nussbaum et al., 2024, arXiv:2402.01613",
    tree=block(
        embeddings=block(
            parallel(token_embedding=embedding(V, h), segment_embedding=embedding(n_types, h, of=Rows.SEGMENTS)),
            positions=rotary(),
            layer_norm=norm,
        ),
        encoder=L * block("encoder_layer", *post_norm(norm, attention=attention, feed_forward=gated_feed_forward(h, d_ff))),
        pooler=pooler * pooled(bias=True),
        mlm_head=mlm_head * masked_lm(h, bias=True, output_biases=True, activation="silu", output_bias=second_bias),
        classifier=classifier * labels("pooler", bias=True),
    ),
    relations={d_head: h / n_heads, d_ff: 4 * h},
    has=(tying,),
)

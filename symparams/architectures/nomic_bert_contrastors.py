"""Nomic BERT as its authors ship it: query, key and value in one matrix, biases, gates and learned positions where a config has
them."""

from symparams.architectures import Architecture
from symparams.architectures._encoders import labels, masked_lm, pooled
from symparams.architectures.nomic_bert import norm
from symparams.components import (
    Component,
    Rows,
    attention,
    block,
    embedding,
    feed_forward,
    gated_feed_forward,
    parallel,
    post_norm,
    rotary,
)
from symparams.expressions.symbols import L, V, d_ff, h, max_pos, n_heads, n_types
from symparams.features import (
    attention_bias,
    classifier,
    mlm_head,
    mlp_bias,
    pooler,
    position_embeddings,
    segment_embeddings,
    tying,
)
from symparams.features import gated_feed_forward as gated

embeddings = block(
    parallel(
        token_embedding=embedding(V, h),
        position_embedding=position_embeddings * embedding(max_pos, h, of=Rows.POSITIONS),
        segment_embedding=segment_embeddings * embedding(n_types, h, of=Rows.SEGMENTS),
    ),
    positions=~position_embeddings * rotary(),
    layer_norm=norm,
)


def layer(positions: str) -> Component:
    """A layer with these positions, whose network has a gate or has none."""
    mixer = attention(h, n_heads, fused=True, bias=attention_bias, positions=positions)
    networks = {gated: gated_feed_forward(h, d_ff, bias=mlp_bias), ~gated: feed_forward(h, d_ff, bias=mlp_bias)}
    return block(*(gate * block(*post_norm(norm, attention=mixer, feed_forward=one)) for gate, one in networks.items()))


NOMIC_BERT_CONTRASTORS = Architecture(
    "nomic_bert_contrastors",
    title="Nomic BERT (contrastors)",
    source="Nussbaum et al., 2024, arXiv:2402.01613",
    tree=block(
        embeddings=embeddings,
        encoder=L * block("encoder_layer", ~position_embeddings * layer("rotary"), position_embeddings * layer("")),
        pooler=pooler * pooled(bias=True),
        mlm_head=mlm_head * masked_lm(h, bias=mlp_bias, output_biases=mlp_bias, activation="silu"),
        classifier=classifier * labels("pooler", bias=True),
    ),
    relations={d_ff: 4 * h},
    has=(segment_embeddings, gated, tying),
)

"""ESM-2: a pre-norm BERT over the amino acids of a protein.

It has rotary positions; ESM-1b has learned ones, and a norm of its embeddings (Rives et al., 2021,
doi:10.1073/pnas.2016239118).
"""

from dataclasses import replace

from symparams.architectures import Architecture
from symparams.architectures._encoders import classification, masked_lm, pooled, up_and_down
from symparams.components import (
    Component,
    Gives,
    Rows,
    attention,
    bias,
    block,
    embedding,
    giving,
    layer_norm,
    linear,
    parallel,
    pre_norm,
    reading,
    rotary,
    seeing,
)
from symparams.components.facts import Stream
from symparams.expressions.symbols import L, V, d_ff, h, max_pos, n_heads
from symparams.features import (
    biases,
    causal,
    classifier,
    cross_attention,
    embedding_norm,
    mlm_head,
    pooler,
    position_embeddings,
    tying,
)

norm = layer_norm(h)
embeddings = block(
    parallel(
        token_embedding=embedding(V, h),
        position_embedding=position_embeddings * embedding(max_pos, h, of=Rows.POSITIONS),
    ),
    positions=~position_embeddings * rotary(),
    layer_norm=embedding_norm * norm,
)


def encoder_layer(positions: str) -> Component:
    """x + attention(norm(x)), as a decoder x + cross_attention(norm(x)), then x + feed_forward(norm(x))."""
    own = attention(h, n_heads, bias=biases, causal=causal, positions=positions)
    crossing = attention(h, n_heads, bias=biases, positions=positions, reads="encoder")
    return block(
        *pre_norm(norm, attention=own),
        cross_attention * block(*pre_norm(norm, cross_attention=crossing)),
        *pre_norm(norm, feed_forward=up_and_down),
    )


layer = block("encoder_layer", position_embeddings * encoder_layer(""), ~position_embeddings * encoder_layer("rotary"))
# Whether two amino acids touch, out of the scores of every head of every layer; a forward pass does not ask for it.
contacts = giving(seeing(reading(linear(L * n_heads, 1, bias=True), Stream.SCORES), 0), Gives.CONTACTS)

ESM = Architecture(
    "esm",
    title="ESM",
    source="Lin et al., 2022, doi:10.1126/science.ade2574",
    tree=block(
        embeddings=embeddings,
        encoder=L * layer,
        final_layer_norm=norm,
        pooler=pooler * pooled(),
        contact_head=replace(contacts, unread=True),
        mlm_head=mlm_head * masked_lm(h, output_biases=False, output_bias=bias(V)),
        classifier=classifier * classification(),
    ),
    relations={d_ff: 4 * h},
    has=(pooler, tying, biases),
)

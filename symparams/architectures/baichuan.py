"""Baichuan and Baichuan 2: LLaMA's decoder with query, key and value in one matrix, and with ALiBi in the larger models.

The output matrix of Baichuan 2 is divided by the length of each of its rows, which needs no parameter.
"""

from symparams.architectures import Architecture
from symparams.architectures._decoders import NORM, decoder_only
from symparams.components import Component, alibi, attention, block, embedding, gated_feed_forward, pre_norm, rotary
from symparams.expressions.symbols import L, V, d_ff, h, n_heads
from symparams.features import alibi_positions, lm_head, tying

embeddings = block(
    token_embedding=embedding(V, h), positions=~alibi_positions * rotary(), alibi_positions=alibi_positions * alibi()
)


def layer(positions: str) -> Component:
    """A layer whose attention has these positions."""
    mixer = attention(h, n_heads, fused=True, bias=False, causal=True, positions=positions)
    return block(*pre_norm(NORM, attention=mixer, feed_forward=gated_feed_forward(h, d_ff)))


decoder_layer = block("decoder_layer", ~alibi_positions * layer("rotary"), alibi_positions * layer("alibi"))

BAICHUAN = Architecture(
    "baichuan",
    title="Baichuan",
    source="Yang et al., 2023, arXiv:2309.10305",
    tree=decoder_only(L * decoder_layer, embeddings=embeddings),
    has=(lm_head, ~tying),
)

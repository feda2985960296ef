"""CLIP's text encoder by itself: a pre-norm stack over tokens (Radford et al., 2021, arXiv:2103.00020)."""

from symparams.architectures import Architecture
from symparams.architectures._images import clip_layer
from symparams.components import Component, attention, block, embedding, layer_norm, linear, parallel, reading
from symparams.expressions.nodes import Dimension
from symparams.expressions.symbols import L, V, d_ff, d_proj, h, max_pos, n_heads
from symparams.features import biases, projection


def text_embeddings(width: Dimension) -> Component:
    """The tables of tokens and positions, added."""
    return block(parallel(token_embedding=embedding(V, width), position_embedding=embedding(max_pos, width)))


CLIP_TEXT = Architecture(
    "clip_text_model",
    title="CLIP's text encoder",
    source="Radford et al., 2021, arXiv:2103.00020",
    tree=block(
        embeddings=text_embeddings(h),
        encoder=L * clip_layer(h, d_ff, attention(h, n_heads, causal=True)),
        final_layer_norm=layer_norm(h),
        text_projection=projection * reading(linear(h, d_proj, bias=False), "last token"),
    ),
    relations={d_ff: 4 * h},
    has=(biases,),
)

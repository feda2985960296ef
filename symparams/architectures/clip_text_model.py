"""CLIP's text encoder by itself: a pre-norm stack over tokens."""

from symparams.architectures import Architecture
from symparams.architectures._images import clip_layer
from symparams.components import Gives, Rows, Vector, attention, block, embedding, giving, layer_norm, linear, parallel, reading
from symparams.expressions.symbols import L, V, d_ff, d_proj, h, max_pos, n_heads
from symparams.features import biases, projection

text_encoder = block(
    embeddings=block(parallel(token_embedding=embedding(V, h), position_embedding=embedding(max_pos, h, of=Rows.POSITIONS))),
    encoder=L * clip_layer(attention(h, n_heads, bias=biases, causal=True, cached=False)),
    final_layer_norm=layer_norm(h),
)

CLIP_TEXT = Architecture(
    "clip_text_model",
    title="CLIP's text encoder",
    source="Radford et al., 2021, arXiv:2103.00020",
    tree=block(
        **dict(text_encoder.body),
        text_projection=projection * giving(reading(linear(h, d_proj, bias=False), Vector.END_TOKEN), Gives.TEXT_VECTOR),
    ),
    relations={d_ff: 4 * h},
    has=(biases,),
)

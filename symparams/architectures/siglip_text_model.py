"""SigLIP's text encoder by itself: CLIP's without a causal mask, whose last token is projected."""

from symparams.architectures import Architecture
from symparams.architectures._images import clip_layer
from symparams.architectures.siglip_vision_model import ACTIVATION
from symparams.components import Gives, Rows, Vector, attention, block, embedding, giving, layer_norm, linear, parallel, reading
from symparams.expressions.symbols import L, V, d_ff, d_proj, h, max_pos, n_heads
from symparams.features import biases

projected = reading(linear(h, d_proj, bias=biases), Vector.LAST_TOKEN)

text_encoder = block(
    embeddings=block(parallel(token_embedding=embedding(V, h), position_embedding=embedding(max_pos, h, of=Rows.POSITIONS))),
    encoder=L * clip_layer(attention(h, n_heads, bias=biases), ACTIVATION),
    final_layer_norm=layer_norm(h),
    projection=projected,
)

SIGLIP_TEXT = Architecture(
    "siglip_text_model",
    title="SigLIP's text encoder",
    source="Zhai et al., 2023, arXiv:2303.15343",
    tree=block(**{**dict(text_encoder.body), "projection": giving(projected, Gives.TEXT_VECTOR)}),
    relations={d_ff: 4 * h, d_proj: h},
    has=(biases,),
)

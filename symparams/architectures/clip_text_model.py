"""CLIP's text encoder by itself: a pre-norm stack over tokens (Radford et al., 2021, arXiv:2103.00020)."""

from symparams.architectures import Architecture
from symparams.components import Component, attention, block, embedding, feed_forward, layer_norm, linear
from symparams.expressions.features import biases, projection
from symparams.expressions.nodes import Dimension
from symparams.expressions.symbols import L, V, d_ff, d_head, d_proj, h, max_pos, n_heads
from symparams.models.library import Key, Library


def encoder_layer(width: Dimension, d_ff: Dimension, attention: Component) -> Component:
    """One pre-norm layer of either encoder."""
    return block(
        "encoder_layer",
        attention_norm=layer_norm(width),
        attention=attention,
        feed_forward_norm=layer_norm(width),
        feed_forward=feed_forward(width, d_ff),
    )


def embeddings(width: Dimension) -> Component:
    """The tables of tokens and positions."""
    return block(token_embedding=embedding(V, width), position_embedding=embedding(max_pos, width))


CLIP_TEXT = Architecture(
    "clip_text_model",
    title="CLIP's text encoder",
    source="Radford et al., 2021, arXiv:2103.00020",
    tree=block(
        embeddings=embeddings(h),
        encoder=L * encoder_layer(h, d_ff, attention(h, n_heads)),
        final_layer_norm=layer_norm(h),
        text_projection=projection * linear(h, d_proj, bias=False),
    ),
    library=Library(
        base="CLIPTextModel",
        classes={"CLIPTextModel": (), "CLIPTextModelWithProjection": (projection,)},
        sizes={
            V: Key("vocab_size", default=49_408),
            h: Key("hidden_size", default=512),
            L: Key("num_hidden_layers", default=12),
            n_heads: Key("num_attention_heads", default=8),
            d_ff: Key("intermediate_size", default=2_048),
            max_pos: Key("max_position_embeddings", default=77),
            d_proj: Key("projection_dim", default=512),
        },
    ),
    relations={d_ff: 4 * h},
    identities={d_head: h / n_heads},
    has=(biases,),
    may_have=(projection,),
)

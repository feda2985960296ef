"""T5: an encoder and a decoder, pre-norm with RMSNorm, without biases, whose positions are learned biases of the attention
scores.

T5 1.1 and its descendants have a gate in the feed-forward and an LM head of their own: tie_word_embeddings is false; their
heads side by side need not be as wide as h, nor d_ff four times as wide.
"""

from dataclasses import replace

from symparams.architectures import Architecture
from symparams.architectures._encoder_decoders import classification
from symparams.components import (
    Adjusting,
    Adjustment,
    Component,
    Rows,
    adjusted,
    block,
    embedding,
    feed_forward,
    output_head,
    pre_norm,
    reading,
    residual,
    rms_norm,
    seeing,
    wide_attention,
)
from symparams.components import gated_feed_forward as gated
from symparams.expressions.symbols import L_dec, L_enc, V, d_ff, d_head, h, n_buckets, n_heads, s_src
from symparams.features import classifier, decoder, gated_feed_forward, lm_head, tying


def layer(name: str, **attentions: Component) -> Component:
    """A pre-norm layer of these attentions and a feed-forward, with a gate or without one."""
    return block(
        name,
        *pre_norm(rms_norm(h), **attentions),
        residual(
            feed_forward_norm=rms_norm(h),
            feed_forward=~gated_feed_forward * feed_forward(h, d_ff, bias=False, activation="relu"),
            gated_feed_forward=gated_feed_forward * gated(h, d_ff, activation="gelu_new"),
        ),
    )


encoder_layer = layer("encoder_layer", attention=wide_attention(h, n_heads, d_head, positions="relative bias", scaled=False))
decoder_layer = layer(
    "decoder_layer",
    attention=wide_attention(h, n_heads, d_head, causal=True, positions="relative bias", scaled=False),
    cross_attention=wide_attention(h, n_heads, d_head, reads="encoder", scaled=False),
)

over_root = Adjustment(Adjusting.OVER_ROOT, h, when=(tying,))  # by which the library multiplies ahead of the matrix
position_bias = embedding(n_buckets, n_heads, reads="distances", of=Rows.DISTANCES)

T5 = Architecture(
    "t5",
    title="T5",
    source="Raffel et al., 2020, arXiv:1910.10683",
    tree=block(
        embeddings=block(
            token_embedding=embedding(V, h),
            encoder_position_bias=replace(position_bias, acts_on="encoder"),
            decoder_position_bias=decoder * replace(position_bias, acts_on="decoder"),
        ),
        encoder=seeing(L_enc * encoder_layer, s_src),
        encoder_final_norm=seeing(rms_norm(h), s_src),
        decoder=decoder * (L_dec * reading(decoder_layer, "embeddings.token_embedding")),
        decoder_final_norm=decoder * rms_norm(h),
        lm_head=lm_head * adjusted(output_head(h, V, tied_to="embeddings.token_embedding"), over_root),
        classifier=classifier * classification(bias=True),
    ),
    relations={L_dec: L_enc, d_head: h / n_heads, d_ff: 4 * h},
    has=(decoder, lm_head, tying),
)

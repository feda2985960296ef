"""The Transformer: encoder and decoder, post-norm, one embedding matrix used three times.

The paper writes biases in the feed-forward networks and none in attention, where those who build it have them.
"""

from symparams.architectures import Architecture
from symparams.components import (
    Adjusting,
    Adjustment,
    adjusted,
    attention,
    block,
    embedding,
    feed_forward,
    layer_norm,
    output_head,
    post_norm,
    seeing,
    sinusoidal,
)
from symparams.expressions.symbols import L, V, d_ff, h, n_heads, s_src
from symparams.features import attention_bias, biases, decoder, embeddings, encoder, final_layer_norm, lm_head, tying

two_layers = feed_forward(h, d_ff, bias=biases, activation="relu")

bias = (biases, attention_bias)

encoder_layer = block(
    "encoder_layer", *post_norm(layer_norm(h), attention=attention(h, n_heads, bias=bias), feed_forward=two_layers)
)
decoder_layer = block(
    "decoder_layer",
    *post_norm(
        layer_norm(h),
        attention=attention(h, n_heads, bias=bias, causal=True),
        cross_attention=attention(h, n_heads, bias=bias, reads="encoder"),
        feed_forward=two_layers,
    ),
)
target_embedding = embedding(V, h, tied_to="embeddings.source_embedding", reads="target tokens")
by_root = Adjustment(Adjusting.ROOT, h)
output = output_head(h, V, tied_to="embeddings.target_embedding", activation="softmax")

TRANSFORMER = Architecture(
    "transformer",
    title="Transformer",
    source="Vaswani et al., 2017, arXiv:1706.03762",
    tree=block(
        embeddings=embeddings
        * block(
            source_embedding=encoder * adjusted(embedding(V, h), by_root),
            target_embedding=decoder * adjusted(target_embedding, by_root),
            positions=sinusoidal(),
        ),
        encoder=encoder * seeing(L * encoder_layer, s_src),
        encoder_norm=encoder * (final_layer_norm * seeing(layer_norm(h), s_src)),
        decoder=decoder * (L * decoder_layer),
        decoder_norm=decoder * (final_layer_norm * layer_norm(h)),
        lm_head=embeddings * (decoder * (lm_head * output)),
    ),
    relations={d_ff: 4 * h},
    has=(embeddings, encoder, decoder, lm_head, tying, biases, attention_bias),
)

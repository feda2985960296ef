"""The Transformer: encoder and decoder, post-norm, one embedding matrix used three times (Vaswani et al., 2017,
arXiv:1706.03762)."""

from symparams.architectures import Architecture, Published
from symparams.components import attention, block, embedding, feed_forward, layer_norm, linear, sinusoidal
from symparams.expressions.features import biases, decoder, embeddings, encoder, final_layer_norm, lm_head, tying
from symparams.expressions.symbols import L, V, d_ff, d_head, h, n_heads

encoder_layer = block(
    "encoder_layer",
    attention=attention(h, n_heads),
    attention_norm=layer_norm(h),
    feed_forward=feed_forward(h, d_ff),
    feed_forward_norm=layer_norm(h),
)

decoder_layer = block(
    "decoder_layer",
    attention=attention(h, n_heads),
    attention_norm=layer_norm(h),
    cross_attention=attention(h, n_heads),
    cross_attention_norm=layer_norm(h),
    feed_forward=feed_forward(h, d_ff),
    feed_forward_norm=layer_norm(h),
)

TRANSFORMER = Architecture(
    "transformer",
    title="Transformer",
    source="Vaswani et al., 2017, arXiv:1706.03762",
    tree=block(
        embeddings=embeddings
        * block(
            source_embedding=encoder * embedding(V, h),
            target_embedding=decoder * embedding(V, h, tied_to="embeddings.source_embedding"),
            positions=sinusoidal(),
        ),
        encoder=encoder * (L * encoder_layer),
        encoder_norm=encoder * (final_layer_norm * layer_norm(h)),
        decoder=decoder * (L * decoder_layer),
        decoder_norm=decoder * (final_layer_norm * layer_norm(h)),
        lm_head=embeddings * (decoder * (lm_head * linear(h, V, bias=False, tied_to="embeddings.target_embedding"))),
    ),
    relations={d_ff: 4 * h},
    identities={d_head: h / n_heads},
    has=(embeddings, encoder, decoder, lm_head, tying, biases),
    may_have=(final_layer_norm,),
    models={
        "transformer-base": Published(
            {V: 37_000, h: 512, L: 6, n_heads: 8, d_ff: 2_048},
            source="https://arxiv.org/abs/1706.03762, table 3 and section 5.1",
        ),
        "transformer-big": Published(
            {V: 37_000, h: 1_024, L: 6, n_heads: 16, d_ff: 4_096},
            source="https://arxiv.org/abs/1706.03762, table 3 and section 5.1",
        ),
    },
)

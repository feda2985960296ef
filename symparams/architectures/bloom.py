"""BLOOM: a pre-norm decoder with ALiBi and a LayerNorm after the embedding."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import decoder_only, layer_around_either
from symparams.components import alibi, attention, block, embedding, feed_forward, layer_norm
from symparams.expressions.symbols import L, V, d_ff, h, n_heads
from symparams.features import biases, lm_head, tying

embeddings = block(token_embedding=embedding(V, h), layer_norm=layer_norm(h), positions=alibi())
sublayers = {
    "attention": attention(h, n_heads, bias=biases, fused=True, causal=True, positions="alibi"),
    "feed_forward": feed_forward(h, d_ff, bias=biases, activation="gelu_pytorch_tanh"),
}

BLOOM = Architecture(
    "bloom",
    title="BLOOM",
    source="Scao et al., 2022, arXiv:2211.05100",
    tree=decoder_only(L * layer_around_either(layer_norm(h), **sublayers), layer_norm(h), embeddings=embeddings),
    relations={d_ff: 4 * h},
    has=(lm_head, tying, biases),
)

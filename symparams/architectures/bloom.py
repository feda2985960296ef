"""BLOOM: a pre-norm decoder with ALiBi and a LayerNorm after the embedding."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import decoder_only
from symparams.components import alibi, attention, block, embedding, feed_forward, layer_norm, pre_norm, residual, then
from symparams.expressions.symbols import L, V, d_ff, h, n_heads
from symparams.features import biases, lm_head, residual_after_norm, tying

embeddings = block(token_embedding=embedding(V, h), layer_norm=layer_norm(h), positions=alibi())
norm = layer_norm(h)
sublayers = {
    "attention": attention(h, n_heads, bias=biases, fused=True, causal=True, positions="alibi"),
    "feed_forward": feed_forward(h, d_ff, bias=biases, activation="gelu_pytorch_tanh"),
}
after_norm = block(*(part for name, f in sublayers.items() for part in (then(**{f"{name}_norm": norm}), residual(**{name: f}))))
decoder_layer = block(
    "decoder_layer", ~residual_after_norm * block(*pre_norm(norm, **sublayers)), residual_after_norm * after_norm
)

BLOOM = Architecture(
    "bloom",
    title="BLOOM",
    source="Scao et al., 2022, arXiv:2211.05100",
    tree=decoder_only(L * decoder_layer, layer_norm(h), embeddings=embeddings),
    relations={d_ff: 4 * h},
    has=(lm_head, tying, biases),
)

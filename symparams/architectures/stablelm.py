"""StableLM: a pre-norm decoder with LayerNorm, SwiGLU and partly rotary positions."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import decoder_only, grouped
from symparams.components import (
    Biases,
    block,
    gated_feed_forward,
    layer_norm,
    parallel,
    pre_norm,
    residual,
    with_query_key_norms,
)
from symparams.expressions.symbols import L, d_ff, d_head, h, n_heads, n_kv_heads
from symparams.features import lm_head, parallel_residual, qkv_bias, query_key_norm, tying

head_norm = layer_norm(d_head, bias=False)
attention = with_query_key_norms(
    grouped(bias=Biases(inputs=qkv_bias, output=False)),
    query_key_norm * (n_heads * head_norm),
    query_key_norm * (n_kv_heads * head_norm),
)
sublayers = {"attention": attention, "feed_forward": gated_feed_forward(h, d_ff)}
decoder_layer = block(
    "decoder_layer",
    ~parallel_residual * block(*pre_norm(layer_norm(h), **sublayers)),
    parallel_residual * residual(attention_norm=layer_norm(h), branches=parallel(**sublayers)),
)

STABLELM = Architecture(
    "stablelm",
    title="StableLM",
    source="Bellagente et al., 2024, arXiv:2402.17834",
    tree=decoder_only(L * decoder_layer, layer_norm(h)),
    identities={d_head: h / n_heads},
    has=(lm_head, ~tying),
)

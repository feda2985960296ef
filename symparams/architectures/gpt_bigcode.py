"""GPT-BigCode: GPT-2 whose query heads share one head of key and value, as SantaCoder and StarCoder have it (Li et al., 2023,
arXiv:2305.06161; multi-query attention: Shazeer, 2019, arXiv:1911.02150)."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import crossing_layer, decoder_only, learned_embeddings
from symparams.components import attention, feed_forward, layer_norm
from symparams.expressions.symbols import L, d_ff, d_head, h, n_heads, n_kv_heads
from symparams.features import lm_head, tying

decoder_layer = crossing_layer(
    attention=attention(h, n_heads, n_kv_heads, d_head, fused=True, bias=True, causal=True),
    feed_forward=feed_forward(h, d_ff, bias=True, activation="gelu_pytorch_tanh"),
    bias=True,
)

GPT_BIGCODE = Architecture(
    "gpt_bigcode",
    title="GPT-BigCode",
    source="Li et al., 2023, arXiv:2305.06161",
    tree=decoder_only(L * decoder_layer, layer_norm(h), embeddings=learned_embeddings),
    relations={d_ff: 4 * h, n_kv_heads: n_heads},
    identities={d_head: h / n_heads},
    has=(lm_head, tying),
)

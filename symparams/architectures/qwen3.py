"""Qwen3: LLaMA's layer with norms of query and key in each head."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import decoder_layer, decoder_only, grouped, normed
from symparams.components import first, gated_feed_forward, rms_norm
from symparams.expressions.symbols import L, W, d_ff, d_head, h, n_heads, n_kv_heads
from symparams.features import attention_bias, lm_head, query_key_norm, tying

after_the_first = first(28, but=True, keys=("max_window_layers",))
attention = normed(grouped(bias=attention_bias, window=W, windowed=after_the_first), rms_norm(d_head))

QWEN3 = Architecture(
    "qwen3",
    title="Qwen3",
    source="Yang et al., 2025, arXiv:2505.09388",
    tree=decoder_only(L * decoder_layer(attention, gated_feed_forward(h, d_ff))),
    relations={n_kv_heads: n_heads},
    has=(lm_head, query_key_norm, ~tying),
)

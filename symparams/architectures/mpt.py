"""MPT: a pre-norm decoder with ALiBi, no biases at all and a tied head.

The library builds no other: it reads no_bias, expansion_ratio, learned_pos_emb and attn_config, and shapes nothing by them.
"""

from symparams.architectures import Architecture
from symparams.architectures._decoders import decoder_layer, decoder_only
from symparams.components import alibi, attention, block, embedding, feed_forward, layer_norm
from symparams.expressions.symbols import L, V, d_ff, h, n_heads
from symparams.features import lm_head, tying

embeddings = block(token_embedding=embedding(V, h), positions=alibi())
norm = layer_norm(h, bias=False)
multi_head = attention(h, n_heads, fused=True, bias=False, causal=True, positions="alibi")
layer = decoder_layer(multi_head, feed_forward(h, d_ff, bias=False), norm)

MPT = Architecture(
    "mpt",
    title="MPT",
    source="MosaicML, 2023, https://www.databricks.com/blog/mpt-7b",
    tree=decoder_only(L * layer, norm, embeddings=embeddings),
    relations={d_ff: 4 * h},
    has=(lm_head, tying),
)

"""Cohere's Command R: attention and feed-forward in parallel behind one LayerNorm without a bias, and a tied head."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, decoder_only, grouped
from symparams.components import (
    Adjusting,
    Adjustment,
    block,
    gated_feed_forward,
    heads_layer_norm,
    layer_norm,
    parallel,
    residual,
    with_query_key_norms,
)
from symparams.expressions.symbols import L, d_ff, d_head, h, n_heads, n_kv_heads
from symparams.features import attention_bias, lm_head, query_key_norm, tying

norm = layer_norm(h, bias=False)
attention = with_query_key_norms(
    grouped(bias=attention_bias),
    query_key_norm * heads_layer_norm(n_heads, d_head),
    query_key_norm * heads_layer_norm(n_kv_heads, d_head),
)
branches = parallel(attention=attention, feed_forward=gated_feed_forward(h, d_ff))

COHERE = Architecture(
    "cohere",
    title="Cohere",
    source="Cohere For AI, 2024, https://huggingface.co/CohereLabs/c4ai-command-r-v01",
    tree=decoder_only(
        L * block("decoder_layer", residual(layer_norm=norm, branches=branches)),
        norm,
        logits=(Adjustment(Adjusting.TIMES, "logit_scale"),),
    ),
    relations=GROUPED,
    has=(lm_head, tying),
)

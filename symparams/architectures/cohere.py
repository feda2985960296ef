"""Cohere's Command R: attention and feed-forward in parallel behind one LayerNorm without a bias, and a tied head."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, decoder_only, grouped, parallel_layer
from symparams.components import (
    Adjusting,
    Adjustment,
    Component,
    gated_feed_forward,
    heads_layer_norm,
    layer_norm,
    with_query_key_norms,
)
from symparams.expressions.symbols import L, d_ff, d_head, h, n_heads, n_kv_heads
from symparams.features import attention_bias, lm_head, query_key_norm, tying


def command(attention: Component) -> Component:
    """A decoder whose layers have one norm before attention and feed-forward alike, and whose logits have a scale."""
    norm = layer_norm(h, bias=False)
    layer = parallel_layer(norm, attention=attention, feed_forward=gated_feed_forward(h, d_ff))
    return decoder_only(L * layer, norm, logits=(Adjustment(Adjusting.TIMES, "logit_scale"),))


attention = with_query_key_norms(
    grouped(bias=attention_bias),
    query_key_norm * heads_layer_norm(n_heads, d_head),
    query_key_norm * heads_layer_norm(n_kv_heads, d_head),
)

COHERE = Architecture(
    "cohere",
    title="Cohere",
    source="Cohere For AI, 2024, https://huggingface.co/CohereLabs/c4ai-command-r-v01",
    tree=command(attention),
    relations=GROUPED,
    has=(lm_head, tying),
)

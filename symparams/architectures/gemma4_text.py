"""Gemma 4, its text model: local layers and global ones with larger heads, the last of which may share the keys and values of
an earlier layer; inputs of each layer's own, or experts beside the feed-forward network."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import LOGIT_CAP, NORM, decoder_only, root_embeddings
from symparams.architectures._gemmas import ACTIVATION, LAWS, Layer, inputs_of_layers, local_and_global, normed_heads, own_input
from symparams.components import (
    Component,
    attention,
    block,
    gated_feed_forward,
    normed_mixture_of_experts,
    parallel,
    residual,
    sandwiched,
    with_one_key_value,
)
from symparams.expressions.nodes import Dimension
from symparams.expressions.symbols import (
    W,
    d_expert,
    d_ff_shared,
    d_head,
    d_head_global,
    h,
    n_active,
    n_experts,
    n_heads,
    n_kv_global,
    n_kv_heads,
)
from symparams.features import (
    attention_bias,
    bidirectional,
    experts_beside,
    global_layers,
    key_is_value,
    lm_head,
    local_layers,
    per_layer_inputs,
    tying,
)

experts = normed_mixture_of_experts(h, n_experts, n_active, d_expert, activation=ACTIVATION, scores="softmax")


def heads(shared: Dimension, width: Dimension, window: Dimension | None = None) -> Component:
    """Attention of heads of this width; their queries, keys and values are normed, their scores not scaled."""
    plain = attention(
        h, n_heads, shared, width,
        bias=attention_bias, causal=~bidirectional, window=window, positions="rotary", scaled=False,
    )  # fmt: skip
    return normed_heads(plain, width)


def layer(name: str, attention: Component, width: Dimension) -> Component:
    """Gemma 2's layer; the feed-forward network may have experts beside it, and a layer an input of its own."""
    network = gated_feed_forward(h, width, activation=ACTIVATION)
    dense = block(feed_forward_norm=NORM, feed_forward=network, feed_forward_branch_norm=NORM)
    return block(
        name,
        *sandwiched(NORM, attention=attention),
        ~experts_beside * block(*sandwiched(NORM, feed_forward=network)),
        experts_beside
        * residual(parallel(dense, block(experts=experts, experts_branch_norm=NORM)), post_feed_forward_norm=NORM),
        per_layer_inputs * own_input(),
    )


def decoder(layer: Layer) -> Component:
    """Local and global layers; the feed-forward network of those that share keys and values may be wider."""
    near, far = heads(n_kv_heads, d_head, W), with_one_key_value(heads(n_kv_global, d_head_global), key_is_value)
    return local_and_global(layer, near, far, shared_width=d_ff_shared)


model = decoder_only(decoder(layer), embeddings=root_embeddings, logits=(LOGIT_CAP,))

GEMMA4_TEXT = Architecture(
    "gemma4_text",
    title="Gemma 4",
    source="Google DeepMind, 2026, https://ai.google.dev/gemma/docs/core/model_card_4",
    tree=block(per_layer_inputs=per_layer_inputs * inputs_of_layers, **dict(model.body)),
    relations={n_kv_global: n_kv_heads},
    laws=LAWS,
    has=(lm_head, local_layers, global_layers, per_layer_inputs, tying),
)

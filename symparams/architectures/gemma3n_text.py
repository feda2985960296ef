"""Gemma 3n, its text model: of several residual streams a layer computes one and corrects all; local layers and global ones,
the last of which share the keys and values of an earlier layer; inputs of each layer's own (Google DeepMind, 2025)."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import NORM, TOKENS, grouped, local_and_global, rotary_embeddings
from symparams.components import (
    Component,
    altup_correction,
    altup_prediction,
    block,
    equals,
    gated_feed_forward,
    layer_scale,
    non_parametric_rms_norm,
    output_head,
    parallel,
    per_layer_embeddings,
    per_layer_gate,
    residual,
    rms_norm,
    sandwiched,
    sharing,
    stream_merging,
    stream_projection,
    with_query_key_norms,
    with_sparse_gate,
    with_value_norm,
)
from symparams.components import laurel as low_rank
from symparams.expressions.symbols import (
    L,
    L_global,
    L_global_shared,
    L_local,
    L_local_shared,
    V,
    V_layers,
    W,
    d_ff,
    d_head,
    d_layer,
    h,
    n_streams,
    r_laurel,
)
from symparams.features import attention_bias, gate_sparsity, global_layers, lm_head, local_layers, tying

ACTIVATION, INPUTS, PREDICTION = "gelu_pytorch_tanh", "per_layer_inputs", "altup_prediction"
network = with_sparse_gate(gated_feed_forward(h, d_ff, activation=ACTIVATION), gate_sparsity)
near, far = (
    with_value_norm(
        with_query_key_norms(grouped(bias=attention_bias, window=window, scaled=False), rms_norm(d_head), rms_norm(d_head)),
        non_parametric_rms_norm(),
    )
    for window in (W, None)
)


def layer(name: str, attention: Component) -> Component:
    """Gemma 2's layer in one of the streams, with a low-rank path beside attention, between AltUp's two steps."""
    laurel = residual(laurel=low_rank(h, r_laurel), post_laurel_norm=NORM)
    return block(
        name,
        block(altup_prediction=altup_prediction(h, n_streams)),
        residual(block(attention_norm=NORM), parallel(laurel, block(attention=attention, post_attention_norm=NORM))),
        *sandwiched(NORM, feed_forward=network),
        block(altup_correction=altup_correction(h, n_streams, PREDICTION)),
        residual(
            correction_scale=layer_scale(h),
            per_layer_gate=per_layer_gate(h, d_layer, INPUTS, activation=ACTIVATION),
            post_per_layer_gate_norm=NORM,
        ),
    )


decoder = local_and_global(
    layer("local_layer", near),
    layer("global_layer", far),
    layer("local_shared_layer", sharing(near)),
    layer("global_shared_layer", sharing(far)),
)

GEMMA3N_TEXT = Architecture(
    "gemma3n_text",
    title="Gemma 3n",
    source="Google DeepMind, 2025, https://ai.google.dev/gemma/docs/gemma-3n",
    tree=block(
        per_layer_inputs=per_layer_embeddings(V_layers, L, d_layer, h, TOKENS),
        embeddings=rotary_embeddings,
        stream_projection=stream_projection(h, n_streams),
        decoder=decoder,
        stream_merging=stream_merging(h, n_streams),
        final_norm=NORM,
        lm_head=lm_head * output_head(h, V, tied_to=TOKENS),
    ),
    laws=[equals(L, L_local + L_global + L_local_shared + L_global_shared)],
    has=(lm_head, local_layers, global_layers, tying),
)

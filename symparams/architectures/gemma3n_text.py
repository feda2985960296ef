"""Gemma 3n, its text model: of several residual streams a layer computes one and corrects all; local layers and global ones,
the last of which share the keys and values of an earlier layer; inputs of each layer's own."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import LOGIT_CAP, NORM, TOKENS, grouped, root_embeddings
from symparams.architectures._gemmas import ACTIVATION, LAWS, inputs_of_layers, local_and_global, normed_heads, own_input
from symparams.components import (
    Component,
    adjusted,
    altup_correction,
    altup_prediction,
    block,
    gated_feed_forward,
    layer_scale,
    output_head,
    parallel,
    residual,
    sandwiched,
    stream_merging,
    stream_projection,
    with_sparse_gate,
)
from symparams.components import laurel as low_rank
from symparams.expressions.nodes import Dimension
from symparams.expressions.symbols import V, W, d_head, h, n_streams, r_laurel
from symparams.features import attention_bias, gate_sparsity, global_layers, lm_head, local_layers, tying

near, far = (normed_heads(grouped(bias=attention_bias, window=window, scaled=False), d_head) for window in (W, None))


def layer(name: str, attention: Component, width: Dimension) -> Component:
    """Gemma 2's layer in one of the streams, with a low-rank path beside attention, between AltUp's two steps."""
    laurel = residual(laurel=low_rank(h, r_laurel), post_laurel_norm=NORM)
    network = with_sparse_gate(gated_feed_forward(h, width, activation=ACTIVATION), gate_sparsity)
    return block(
        name,
        block(altup_prediction=altup_prediction(h, n_streams)),
        residual(block(attention_norm=NORM), parallel(laurel, block(attention=attention, post_attention_norm=NORM))),
        *sandwiched(NORM, feed_forward=network),
        block(altup_correction=altup_correction(h, n_streams, "altup_prediction")),
        own_input(correction_scale=layer_scale(h)),
    )


GEMMA3N_TEXT = Architecture(
    "gemma3n_text",
    title="Gemma 3n",
    source="Google DeepMind, 2025, https://ai.google.dev/gemma/docs/gemma-3n",
    tree=block(
        per_layer_inputs=inputs_of_layers,
        embeddings=root_embeddings,
        stream_projection=stream_projection(h, n_streams),
        decoder=local_and_global(layer, near, far),
        stream_merging=stream_merging(h, n_streams),
        final_norm=NORM,
        lm_head=lm_head * adjusted(output_head(h, V, tied_to=TOKENS), LOGIT_CAP),
    ),
    laws=LAWS,
    has=(lm_head, local_layers, global_layers, tying),
)

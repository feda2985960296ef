"""Components: the tree of tensors of an architecture, and the builders of its layers, one kind a file."""

from symparams.components.activations import with_learned_activation
from symparams.components.attention import (
    Biases,
    attention,
    axis_attention,
    disentangled_attention,
    fused_cross_attention,
    fused_disentangled_attention,
    keyless_bias_attention,
    latent_attention,
    local_global_attention,
    mask_embedding,
    relative_attention,
    sharing,
    wide_attention,
    window_attention,
    with_one_key_value,
    with_output_gate,
    with_query_key_norms,
    with_sinks,
    with_value_norm,
)
from symparams.components.embeddings import (
    alibi,
    class_vector,
    embedding,
    fourier_positions,
    pair_similarity,
    patch_embedding,
    per_layer_embeddings,
    pixel_decoder,
    position_grid,
    position_table,
    rotary,
    shared_space,
    sinusoidal,
    sinusoidal_table,
    token,
    tokens,
    vectors,
)
from symparams.components.facts import Gate, Gives, Projection, Rows, Tokens, Vector
from symparams.components.feed_forward import (
    experts,
    feed_forward,
    fused_gated_feed_forward,
    gated_feed_forward,
    mixture_of_experts,
    normed_mixture_of_experts,
    per_layer_gate,
    perceptron,
    plain_mixture_of_experts,
    shared_expert,
    with_balancing_bias,
)
from symparams.components.flow import (
    alternating,
    block,
    giving,
    parallel,
    prepended,
    reading,
    residual,
    reused,
    second_stream,
    seeing,
    then,
    unordered,
)
from symparams.components.laws import always, at_most, default, divides, equals
from symparams.components.linear import (
    bias,
    classifying,
    convolution,
    depthwise_convolution,
    linear,
    output_head,
    parameter,
    transposed_convolution,
)
from symparams.components.norms import (
    heads_layer_norm,
    layer_norm,
    layer_scale,
    non_parametric_layer_norm,
    non_parametric_rms_norm,
    normed_after,
    post_norm,
    pre_norm,
    rms_norm,
    sandwiched,
    scaled_pre_norm,
    side_by_side,
)
from symparams.components.patterns import Pattern, every, first, indices
from symparams.components.state_space import (
    channel_mixing,
    dual_state_space,
    gated_delta_rule,
    gated_short_convolution,
    lightning_attention,
    selective_state_space,
    time_mixing,
    with_selection_norms,
)
from symparams.components.tree import Component, Tensor
from symparams.components.walks import Leaf

__all__ = [
    "Biases", "Component", "Gate", "Gives", "Leaf", "Pattern", "Projection", "Rows", "Tensor", "Tokens", "Vector", "alibi",
    "alternating", "always", "at_most", "attention", "axis_attention", "bias", "block", "channel_mixing", "class_vector",
    "classifying", "convolution", "default", "depthwise_convolution", "disentangled_attention", "divides",
    "dual_state_space", "embedding", "equals", "every", "experts", "feed_forward", "first", "fourier_positions",
    "fused_cross_attention", "fused_disentangled_attention", "fused_gated_feed_forward", "gated_delta_rule",
    "gated_feed_forward", "gated_short_convolution", "giving", "heads_layer_norm", "indices", "keyless_bias_attention",
    "latent_attention", "layer_norm", "layer_scale", "lightning_attention", "linear", "local_global_attention",
    "mask_embedding", "mixture_of_experts", "non_parametric_layer_norm", "non_parametric_rms_norm", "normed_after",
    "normed_mixture_of_experts", "output_head", "pair_similarity", "parallel", "parameter", "patch_embedding",
    "per_layer_embeddings", "per_layer_gate", "perceptron", "pixel_decoder", "plain_mixture_of_experts", "position_grid",
    "position_table", "post_norm", "pre_norm", "prepended", "reading", "relative_attention", "residual", "reused",
    "rms_norm", "rotary", "sandwiched", "scaled_pre_norm", "second_stream", "seeing", "selective_state_space",
    "shared_expert", "shared_space", "sharing", "side_by_side", "sinusoidal", "sinusoidal_table", "then", "time_mixing",
    "token", "tokens", "transposed_convolution", "unordered", "vectors", "wide_attention", "window_attention",
    "with_balancing_bias", "with_learned_activation", "with_one_key_value", "with_output_gate", "with_query_key_norms",
    "with_selection_norms", "with_sinks", "with_value_norm",
]  # fmt: skip

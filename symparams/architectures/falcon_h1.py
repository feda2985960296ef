"""Falcon-H1: attention and a state space of Mamba 2 side by side in each layer, then a feed-forward network."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, NORM, decoder_only, grouped, multiplied_embeddings
from symparams.components import (
    Adjusting,
    Adjustment,
    Biases,
    block,
    dual_state_space,
    gated_feed_forward,
    parallel,
    pre_norm,
    residual,
)
from symparams.expressions.symbols import L, chunk, d_conv, d_ff, d_inner, d_state, h, n_groups, n_ssm_heads
from symparams.features import (
    attention_bias,
    conv_bias,
    gated_norm,
    lm_head,
    mlp_bias,
    state_input_bias,
    state_output_bias,
    tying,
)

biases = Biases(inputs=state_input_bias, output=state_output_bias)
state_space = dual_state_space(
    h, d_inner, n_ssm_heads, n_groups, d_state, d_conv, chunk=chunk, bias=biases, conv_bias=conv_bias, norm=gated_norm
)
mixers = parallel(attention=grouped(bias=attention_bias), state_space=state_space)
feed_forward = gated_feed_forward(h, d_ff, bias=mlp_bias)
decoder_layer = block("decoder_layer", residual(block(mixer_norm=NORM), mixers), *pre_norm(NORM, feed_forward=feed_forward))

FALCON_H1 = Architecture(
    "falcon_h1",
    title="Falcon-H1",
    source="Zuo et al., 2025, arXiv:2507.22448",
    tree=decoder_only(
        L * decoder_layer,
        embeddings=multiplied_embeddings,
        logits=(Adjustment(Adjusting.TIMES, "logit_multiplier"),),
    ),
    relations=GROUPED,
    has=(lm_head, conv_bias, ~tying),
)

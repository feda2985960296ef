"""ModernBERT: a pre-norm encoder with GeGLU and rotary positions.

The first layer has no norm before its attention, since the embeddings are normed already.
"""

from symparams.architectures import Architecture
from symparams.components import (
    Gives,
    Tokens,
    attention,
    block,
    classifying,
    embedding,
    every,
    fused_gated_feed_forward,
    giving,
    layer_norm,
    linear,
    pre_norm,
    residual,
    rotary,
    seeing,
)
from symparams.expressions.symbols import L, V, W, d_ff, h, n_heads, n_labels
from symparams.features import attention_bias, classifier, mlm_head, mlp_bias, norm_bias, output_bias, transform_bias, tying

norm = layer_norm(h, bias=norm_bias)
whole = attention(h, n_heads, fused=True, bias=attention_bias, positions="rotary")
but_every_third = every(3, but=True, keys=("global_attn_every_n_layers",))
local = attention(h, n_heads, fused=True, bias=attention_bias, positions="rotary", window=W, windowed=but_every_third)
feed_forward = fused_gated_feed_forward(h, d_ff, bias=mlp_bias, activation="gelu")
prediction = {"transform": linear(h, h, bias=transform_bias, activation="gelu"), "layer_norm": norm}
words = linear(h, V, bias=output_bias, tied_to="embeddings.token_embedding")

MODERNBERT = Architecture(
    "modernbert",
    title="ModernBERT",
    source="Warner et al., 2024, arXiv:2412.13663",
    tree=block(
        embeddings=block(token_embedding=embedding(V, h), layer_norm=norm, positions=rotary()),
        first_layer=block("encoder_layer", residual(attention=whole), *pre_norm(norm, feed_forward=feed_forward)),
        encoder=(L - 1) * block("encoder_layer", *pre_norm(norm, attention=local, feed_forward=feed_forward)),
        final_layer_norm=norm,
        mlm_head=mlm_head * giving(seeing(block(**prediction, output=words), Tokens.EACH), Gives.MASKED_TOKEN),
        classifier=classifier * classifying(block(**prediction, output=linear(h, n_labels, bias=True))),
    ),
    has=(tying, output_bias),
)

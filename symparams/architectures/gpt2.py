"""GPT-2: a pre-norm decoder with learned positions and a tied head (Radford et al., 2019, "Language Models are
Unsupervised Multitask Learners")."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import decoder_only, learned_embeddings
from symparams.components import attention, block, feed_forward, layer_norm, pre_norm
from symparams.expressions.symbols import L, d_ff, h, n_heads
from symparams.features import biases, lm_head, tying

decoder_layer = block(
    "decoder_layer",
    *pre_norm(
        layer_norm(h),
        attention=attention(h, n_heads, fused=True, causal=True),
        feed_forward=feed_forward(h, d_ff, activation="gelu_new"),
    ),
)

GPT2 = Architecture(
    "gpt2",
    title="GPT-2",
    source="Radford et al., 2019, Language Models are Unsupervised Multitask Learners",
    tree=decoder_only(L * decoder_layer, layer_norm(h), embeddings=learned_embeddings, label_bias=False),
    relations={d_ff: 4 * h},
    has=(lm_head, tying, biases),
)

"""GPT-2: a pre-norm decoder with learned positions and a tied head."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import crossing_layer, decoder_only, learned_embeddings
from symparams.architectures._summaries import summaries
from symparams.components import Vector, attention, feed_forward, layer_norm
from symparams.expressions.symbols import L, d_ff, h, n_heads
from symparams.features import biases, lm_head, tying

decoder_layer = crossing_layer(
    attention=attention(h, n_heads, bias=biases, fused=True, causal=True),
    feed_forward=feed_forward(h, d_ff, bias=biases, activation="gelu_new"),
)

GPT2 = Architecture(
    "gpt2",
    title="GPT-2",
    source="Radford et al., 2019, Language Models are Unsupervised Multitask Learners",
    tree=decoder_only(L * decoder_layer, layer_norm(h), embeddings=learned_embeddings, heads=summaries(Vector.CLASS_TOKEN)),
    relations={d_ff: 4 * h},
    has=(lm_head, tying, biases),
)

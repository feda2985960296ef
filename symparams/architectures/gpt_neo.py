"""GPT-Neo: GPT-2 with local and global attention in turn, and biases on the output of attention alone."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import decoder_layer, decoder_only, learned_embeddings
from symparams.components import Biases, attention, every, feed_forward, layer_norm
from symparams.expressions.symbols import L, W, d_ff, h, n_heads
from symparams.features import lm_head, tying

biases, local = Biases(inputs=False, output=True), every(2, offset=1, listed=("attention_types", "local", "global"))
up_and_down = feed_forward(h, d_ff, bias=True, activation="gelu_new")
layer = decoder_layer(
    attention(h, n_heads, bias=biases, causal=True, window=W, windowed=local, scaled=False), up_and_down, layer_norm(h)
)

GPT_NEO = Architecture(
    "gpt_neo",
    title="GPT-Neo",
    source="Black et al., 2021, doi:10.5281/zenodo.5297715",
    tree=decoder_only(L * layer, layer_norm(h), embeddings=learned_embeddings),
    relations={d_ff: 4 * h},
    has=(lm_head, tying),
)

"""GPT-Neo: GPT-2 with local and global attention in turn, and biases on the output of attention alone (Black et al., 2021,
https://doi.org/10.5281/zenodo.5297715)."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import decoder_only, learned_embeddings
from symparams.components import Biases, attention, block, every, feed_forward, layer_norm, pre_norm
from symparams.expressions.symbols import L, W, d_ff, h, n_heads
from symparams.features import lm_head, tying

biases, local = Biases(inputs=False, output=True), every(2, offset=1, listed=("attention_types", "local"))

decoder_layer = block(
    "decoder_layer",
    *pre_norm(
        layer_norm(h),
        attention=attention(h, n_heads, bias=biases, causal=True, window=W, windowed=local),
        feed_forward=feed_forward(h, d_ff, bias=True, activation="gelu_new"),
    ),
)

GPT_NEO = Architecture(
    "gpt_neo",
    title="GPT-Neo",
    source="Black et al., 2021, doi:10.5281/zenodo.5297715",
    tree=decoder_only(L * decoder_layer, layer_norm(h), embeddings=learned_embeddings),
    relations={d_ff: 4 * h},
    has=(lm_head, tying),
)

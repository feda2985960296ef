"""StarCoder2: a pre-norm decoder with LayerNorm, grouped queries, rotary positions and biases."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import decoder_layer, decoder_only, grouped
from symparams.components import feed_forward, layer_norm
from symparams.expressions.symbols import L, W, d_ff, d_head, h, n_heads
from symparams.features import biases, lm_head, tying

attention = grouped(bias=biases, window=W)
up_and_down = feed_forward(h, d_ff, bias=biases, activation="gelu_pytorch_tanh")

STARCODER2 = Architecture(
    "starcoder2",
    title="StarCoder2",
    source="Lozhkov et al., 2024, arXiv:2402.19173",
    tree=decoder_only(L * decoder_layer(attention, up_and_down, layer_norm(h)), layer_norm(h)),
    relations={d_head: h / n_heads},
    has=(lm_head, tying, biases),
)

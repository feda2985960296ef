"""MiniCPM3: DeepSeek-V2's latent attention in a dense decoder, its sublayers scaled before they are added."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import decoder_layer, decoder_only
from symparams.architectures.deepseek_v2 import latent
from symparams.components import gated_feed_forward
from symparams.expressions.symbols import L, d_ff, d_v, h, n_heads
from symparams.features import lm_head, mlp_bias, query_compression, tying

MINICPM3 = Architecture(
    "minicpm3",
    title="MiniCPM3",
    source="Hu et al., 2024, arXiv:2404.06395",
    tree=decoder_only(L * decoder_layer(latent, gated_feed_forward(h, d_ff, bias=mlp_bias))),
    relations={d_v: h / n_heads},
    has=(lm_head, query_compression, tying),
)

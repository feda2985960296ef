"""LLaMA: a pre-norm decoder with RMSNorm, SwiGLU, rotary positions and no biases (Touvron et al., 2023,
arXiv:2302.13971; grouped queries from Llama 2 on, arXiv:2307.09288)."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, decoder_layer, decoder_only, grouped
from symparams.components import gated_feed_forward
from symparams.expressions.symbols import L, d_ff, h
from symparams.features import attention_bias, lm_head, mlp_bias, tying

LLAMA = Architecture(
    "llama",
    title="LLaMA",
    source="Touvron et al., 2023, arXiv:2302.13971",
    tree=decoder_only(L * decoder_layer(grouped(bias=attention_bias), gated_feed_forward(h, d_ff, bias=mlp_bias))),
    relations=GROUPED,
    has=(lm_head, ~tying),
)

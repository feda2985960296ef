"""Gemma: LLaMA's layer with heads of a size of their own and a tied head."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import decoder_layer, decoder_only, grouped, root_embeddings
from symparams.components import gated_feed_forward
from symparams.expressions.symbols import L, d_ff, h
from symparams.features import attention_bias, lm_head, tying

feed_forward = gated_feed_forward(h, d_ff, activation="gelu_pytorch_tanh")

GEMMA = Architecture(
    "gemma",
    title="Gemma",
    source="Mesnard et al., 2024, arXiv:2403.08295",
    tree=decoder_only(L * decoder_layer(grouped(bias=attention_bias), feed_forward), embeddings=root_embeddings),
    has=(lm_head, tying),
)

"""Seed-OSS: LLaMA's decoder with grouped queries whose heads are wider than h together, and biases on query, key and value."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, decoder_layer, decoder_only, grouped
from symparams.components import Biases, gated_feed_forward
from symparams.expressions.symbols import L, d_ff, h
from symparams.features import attention_output_bias, lm_head, mlp_bias, qkv_bias, tying

attention = grouped(bias=Biases(inputs=qkv_bias, output=attention_output_bias))

SEED_OSS = Architecture(
    "seed_oss",
    title="Seed-OSS",
    source="ByteDance Seed, 2025, https://github.com/ByteDance-Seed/seed-oss",
    tree=decoder_only(L * decoder_layer(attention, gated_feed_forward(h, d_ff, bias=mlp_bias))),
    relations=GROUPED,
    has=(lm_head, qkv_bias, ~tying),
)

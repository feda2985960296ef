"""Arcee Foundation Models: LLaMA's decoder with a squared ReLU in place of a gate."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, decoder_layer, decoder_only, grouped
from symparams.components import feed_forward
from symparams.expressions.symbols import L, d_ff, h
from symparams.features import attention_bias, lm_head, mlp_bias, tying

up_and_down = feed_forward(h, d_ff, bias=mlp_bias, activation="relu2")

ARCEE = Architecture(
    "arcee",
    title="Arcee",
    source="Arcee AI, 2025, https://www.arcee.ai/blog/deep-dive-afm-4-5b-the-first-arcee-foundational-model",
    tree=decoder_only(L * decoder_layer(grouped(bias=attention_bias), up_and_down)),
    relations=GROUPED,
    has=(lm_head, ~tying),
)

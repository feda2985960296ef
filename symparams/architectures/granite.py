"""Granite: LLaMA's decoder with fixed multipliers on embeddings, residuals, attention and logits (Granite Team, 2024,
https://github.com/ibm-granite/granite-3.0-language-models)."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, decoder_layer, decoder_only, grouped
from symparams.components import gated_feed_forward
from symparams.expressions.symbols import L, d_ff, h
from symparams.features import attention_bias, lm_head, mlp_bias, tying

GRANITE = Architecture(
    "granite",
    title="Granite",
    source="Granite Team, 2024, https://github.com/ibm-granite/granite-3.0-language-models",
    tree=decoder_only(L * decoder_layer(grouped(bias=attention_bias), gated_feed_forward(h, d_ff, bias=mlp_bias))),
    relations=GROUPED,
    has=(lm_head, ~tying),
)

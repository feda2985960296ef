"""Granite: LLaMA's decoder with fixed multipliers on embeddings, residuals, attention and logits (Granite Team, 2024,
https://github.com/ibm-granite/granite-3.0-language-models)."""

from typing import Any

from symparams.architectures import Architecture
from symparams.architectures._decoders import decoder_layer, decoder_only, grouped, multiplied_embeddings
from symparams.architectures.llama import LLAMA
from symparams.components import Adjusting, Adjustment, gated_feed_forward
from symparams.expressions.symbols import L, d_ff, h
from symparams.features import attention_bias, mlp_bias, tying

attention = grouped(bias=attention_bias, scaled=False)  # a multiplier of the config's own in the place of 1/√d_head
multipliers: dict[str, Any] = {"embeddings": multiplied_embeddings, "logits": (Adjustment(Adjusting.OVER, "logits_scaling"),)}

GRANITE = Architecture(
    "granite",
    title="Granite",
    source="Granite Team, 2024, https://github.com/ibm-granite/granite-3.0-language-models",
    tree=decoder_only(L * decoder_layer(attention, gated_feed_forward(h, d_ff, bias=mlp_bias)), **multipliers),
    relations=LLAMA.relations,
    has=(*LLAMA.has, ~tying),
)

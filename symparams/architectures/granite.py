"""Granite: LLaMA's decoder with fixed multipliers on embeddings, residuals, attention and logits."""

from typing import Any

from symparams.architectures import Architecture
from symparams.architectures._decoders import decoder_layer, decoder_only, grouped, multiplied_embeddings
from symparams.architectures.llama import LLAMA
from symparams.components import Adjusting, Adjustment, Component, adjusted, gated_feed_forward
from symparams.expressions.symbols import L, d_ff, h
from symparams.features import attention_bias, mlp_bias, tying


def multiplied(part: Component) -> Component:
    """A part whose output is multiplied before it is added to what came in."""
    return adjusted(part, Adjustment(Adjusting.TIMES, "residual_multiplier"))


attention = multiplied(grouped(bias=attention_bias, scaled=False))  # a multiplier of its own in the place of 1/√d_head
network = multiplied(gated_feed_forward(h, d_ff, bias=mlp_bias))
multipliers: dict[str, Any] = {"embeddings": multiplied_embeddings, "logits": (Adjustment(Adjusting.OVER, "logits_scaling"),)}

GRANITE = Architecture(
    "granite",
    title="Granite",
    source="Granite Team, 2024, https://github.com/ibm-granite/granite-3.0-language-models",
    tree=decoder_only(L * decoder_layer(attention, network), **multipliers),
    relations=LLAMA.relations,
    has=(*LLAMA.has, ~tying),
)

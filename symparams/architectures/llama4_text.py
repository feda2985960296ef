"""Llama 4, its text model: one routed expert beside a shared one, in every layer or every second one.

Three of every four layers attend within chunks and have rotary positions, the fourth attends to all and has none.
"""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, decoder_only, grouped, normed
from symparams.architectures._mixed_stacks import dense_and_mixture
from symparams.components import alternating, every, gated_feed_forward, mixture_of_experts, non_parametric_rms_norm
from symparams.expressions.symbols import W, d_expert, h, n_active, n_experts
from symparams.features import attention_bias, lm_head, moe_layers, query_key_norm, tying

but_every_fourth = every(4, offset=-1, but=True, keys=("no_rope_layer_interval",), listed=("no_rope_layers", True, False))
in_chunks = grouped(bias=attention_bias, window=W, windowed=but_every_fourth, chunked=True, positioned=but_every_fourth)
attention = normed(in_chunks, non_parametric_rms_norm(), turned_first=True)

LLAMA4_TEXT = Architecture(
    "llama4_text",
    title="Llama 4",
    source="Meta AI, 2025, https://ai.meta.com/blog/llama-4-multimodal-intelligence",
    tree=decoder_only(
        alternating(
            dense_and_mixture(
                attention,
                experts=mixture_of_experts(h, n_experts, n_active, d_expert, scores="sigmoid"),
                shared_expert=gated_feed_forward(h, d_expert),
            )
        )
    ),
    relations=GROUPED,
    has=(lm_head, moe_layers, query_key_norm, ~tying),
)

"""SmolLM3: LLaMA's decoder with grouped queries, a tied head, and no positions in every fourth layer."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, decoder_layer, decoder_only, grouped
from symparams.components import every, gated_feed_forward
from symparams.expressions.symbols import L, W, d_ff, h
from symparams.features import attention_bias, lm_head, mlp_bias, tying

INTERVAL = ("no_rope_layer_interval",)  # a key of a config

attention = grouped(
    bias=attention_bias,
    window=W,
    windowed=every(4, offset=-1, keys=INTERVAL, listed=("no_rope_layers", False, True)),
    positioned=every(4, offset=-1, but=True, keys=INTERVAL, listed=("no_rope_layers", True, False)),
)

SMOLLM3 = Architecture(
    "smollm3",
    title="SmolLM3",
    source="Bakouch et al., 2025, https://huggingface.co/blog/smollm3",
    tree=decoder_only(L * decoder_layer(attention, gated_feed_forward(h, d_ff, bias=mlp_bias))),
    relations=GROUPED,
    has=(lm_head, tying),
)

"""InternLM2: LLaMA's decoder whose grouped queries, keys and values are one matrix."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, decoder_layer, decoder_only, grouped
from symparams.components import gated_feed_forward
from symparams.expressions.symbols import L, d_ff, h
from symparams.features import attention_bias, lm_head, tying

INTERNLM2 = Architecture(
    "internlm2",
    title="InternLM2",
    source="Cai et al., 2024, arXiv:2403.17297",
    tree=decoder_only(L * decoder_layer(grouped(fused=True, bias=attention_bias), gated_feed_forward(h, d_ff))),
    relations=GROUPED,
    has=(lm_head, attention_bias, ~tying),
)

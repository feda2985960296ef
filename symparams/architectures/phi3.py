"""Phi-3: LLaMA's layer with query, key and value in one matrix, gate and up in another."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, decoder_layer, decoder_only, grouped
from symparams.components import fused_gated_feed_forward
from symparams.expressions.symbols import L, W, d_ff, h
from symparams.features import lm_head, tying

PHI3 = Architecture(
    "phi3",
    title="Phi-3",
    source="Abdin et al., 2024, arXiv:2404.14219",
    tree=decoder_only(L * decoder_layer(grouped(fused=True, window=W), fused_gated_feed_forward(h, d_ff))),
    relations=GROUPED,
    has=(lm_head, ~tying),
)

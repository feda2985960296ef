"""Qwen3-VL, its text model: Qwen3 without windows."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, decoder_layer, decoder_only, grouped, normed
from symparams.components import gated_feed_forward, rms_norm
from symparams.expressions.symbols import L, d_ff, d_head, h
from symparams.features import attention_bias, query_key_norm

attention = normed(grouped(bias=attention_bias), rms_norm(d_head))

QWEN3_VL_TEXT = Architecture(
    "qwen3_vl_text",
    title="Qwen3-VL (text)",
    source="Bai et al., 2025, arXiv:2511.21631",
    tree=decoder_only(L * decoder_layer(attention, gated_feed_forward(h, d_ff))),
    relations=GROUPED,
    has=(query_key_norm,),
)

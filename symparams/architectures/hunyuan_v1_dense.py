"""Hunyuan, dense: LLaMA's decoder with norms of query and key in each head, behind their rotary positions."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, decoder_layer, decoder_only, grouped, normed
from symparams.components import gated_feed_forward, rms_norm
from symparams.expressions.symbols import L, d_ff, d_head, h
from symparams.features import attention_bias, lm_head, query_key_norm, tying

attention = normed(grouped(bias=attention_bias), rms_norm(d_head), turned_first=True)

HUNYUAN_V1_DENSE = Architecture(
    "hunyuan_v1_dense",
    title="Hunyuan",
    source="Tencent, 2025, https://github.com/Tencent-Hunyuan/Hunyuan-7B",
    tree=decoder_only(L * decoder_layer(attention, gated_feed_forward(h, d_ff))),
    relations=GROUPED,
    has=(lm_head, query_key_norm, ~tying),
)

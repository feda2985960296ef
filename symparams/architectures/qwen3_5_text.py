"""Qwen3.5, text: the attention and linear attention of Qwen3-Next, with feed-forward networks in place of experts."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import GROUPED, NORM, decoder_only
from symparams.architectures._mixed_stacks import attention_and_linear
from symparams.architectures.qwen3_next import HEADS, attention
from symparams.components import gated_delta_rule, gated_feed_forward, pre_norm
from symparams.expressions.symbols import d_conv, d_ff, h
from symparams.features import attention_layers, linear_attention_layers, lm_head, query_key_norm, tying

linear_attention = gated_delta_rule(h, *HEADS, d_conv)
mixers = pre_norm(NORM, attention=attention, linear_attention=linear_attention)
network = pre_norm(NORM, feed_forward=gated_feed_forward(h, d_ff))

QWEN3_5_TEXT = Architecture(
    "qwen3_5_text",
    title="Qwen3.5 (text)",
    source="Qwen Team, 2026, https://qwen.ai/blog?id=qwen3.5",
    tree=decoder_only(attention_and_linear(*mixers, *network)),
    relations=GROUPED,
    has=(lm_head, linear_attention_layers, attention_layers, query_key_norm, ~tying),
)

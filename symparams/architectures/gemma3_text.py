"""Gemma 3, its text model: Gemma 2's layer with norms of query and key."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import LOGIT_CAP, decoder_only, grouped, normed, root_embeddings
from symparams.components import block, every, gated_feed_forward, rms_norm, sandwiched
from symparams.expressions.symbols import L, W, d_ff, d_head, h
from symparams.features import attention_bias, bidirectional, lm_head, query_key_norm, tying

PATTERN = ("sliding_window_pattern", "_sliding_window_pattern")  # keys of a config

windowed = grouped(
    bias=attention_bias,
    causal=~bidirectional,
    window=W,
    windowed=every(6, offset=-1, but=True, keys=PATTERN),
    scaled=False,
    capped="score_cap",
)
attention = normed(windowed, rms_norm(d_head))
feed_forward = gated_feed_forward(h, d_ff, activation="gelu_pytorch_tanh")

GEMMA3_TEXT = Architecture(
    "gemma3_text",
    title="Gemma 3",
    source="Kamath et al., 2025, arXiv:2503.19786",
    tree=decoder_only(
        L * block("decoder_layer", *sandwiched(rms_norm(h), attention=attention, feed_forward=feed_forward)),
        embeddings=root_embeddings,
        logits=(LOGIT_CAP,),
    ),
    has=(lm_head, tying, query_key_norm),
)

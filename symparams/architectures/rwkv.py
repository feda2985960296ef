"""RWKV-4: layers that mix time by a running mean of values and channels by a network, each of which also sees the token
before."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import decoder_only
from symparams.components import block, channel_mixing, embedding, layer_norm, pre_norm, time_mixing
from symparams.expressions.symbols import L, V, d_attn, d_ff, h
from symparams.features import lm_head, tying

norm = layer_norm(h)
layer = block("decoder_layer", *pre_norm(norm, time_mixing=time_mixing(h, d_attn), channel_mixing=channel_mixing(h, d_ff)))

RWKV = Architecture(
    "rwkv",
    title="RWKV-4",
    source="Peng et al., 2023, arXiv:2305.13048",
    tree=decoder_only(L * layer, norm, embeddings=block(token_embedding=embedding(V, h), layer_norm=norm)),
    relations={d_attn: h, d_ff: 4 * h},
    has=(lm_head, ~tying),
)

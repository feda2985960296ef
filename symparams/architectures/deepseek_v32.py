"""DeepSeek-V3.2: DeepSeek-V3 whose queries attend to the keys that an indexer picks."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import decoder_only
from symparams.architectures.deepseek_v2 import DEEPSEEK_V2, decoder, latent
from symparams.components.attention import with_indexer
from symparams.expressions.symbols import d_index, h, n_index_heads, n_index_keys, r_q
from symparams.features import tying

sparse = with_indexer(latent, h, r_q, n_index_heads, d_index, n_index_keys)

DEEPSEEK_V32 = Architecture(
    "deepseek_v32",
    title="DeepSeek-V3.2",
    source="DeepSeek-AI, 2025, arXiv:2512.02556",
    tree=decoder_only(decoder(sparse)),
    has=(*DEEPSEEK_V2.has, ~tying),
)

"""DeepSeek-V3: DeepSeek-V2 larger, its router balanced by a bias that is not trained."""

from symparams.architectures import Architecture
from symparams.architectures._decoders import decoder_only
from symparams.architectures.deepseek_v2 import DEEPSEEK_V2, decoder
from symparams.features import tying

DEEPSEEK_V3 = Architecture(
    "deepseek_v3",
    title="DeepSeek-V3",
    source="DeepSeek-AI, 2024, arXiv:2412.19437",
    tree=decoder_only(decoder()),
    has=(*DEEPSEEK_V2.has, ~tying),
)

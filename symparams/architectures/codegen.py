"""CodeGen: GPT-J's architecture with query, key and value in one matrix."""

from symparams.architectures import Architecture
from symparams.architectures.gptj import parallel_decoder
from symparams.components import attention
from symparams.expressions.symbols import d_ff, h, n_heads
from symparams.features import lm_head, tying

CODEGEN = Architecture(
    "codegen",
    title="CodeGen",
    source="Nijkamp et al., 2022, arXiv:2203.13474",
    tree=parallel_decoder(attention(h, n_heads, fused=True, bias=False, causal=True, positions="rotary")),
    relations={d_ff: 4 * h},
    has=(lm_head, ~tying),
)

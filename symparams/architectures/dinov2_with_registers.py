"""DINOv2 with registers: tokens more, which hold what would spoil patches."""

from symparams.architectures import Architecture
from symparams.architectures._images import PATCHES, masked_patches
from symparams.architectures.dinov2 import sublayers
from symparams.components import block, parallel, parameter, position_table, prepended, seeing, token, tokens
from symparams.components.kinds import EMBEDDING
from symparams.expressions.symbols import d_ff, h, n_patches, n_registers
from symparams.features import biases, qkv_bias

sequence = prepended(masked_patches(parameter(1, h, kind=EMBEDDING)), class_token=token(h))

DINOV2_WITH_REGISTERS = Architecture(
    "dinov2_with_registers",
    title="DINOv2 with registers",
    source="Darcet et al., 2023, arXiv:2309.16588",
    tree=seeing(
        block(
            embeddings=block(
                prepended(
                    parallel(sequence, position_embedding=position_table(n_patches + 1, h)),
                    register_tokens=tokens(n_registers, h),
                )
            ),
            **sublayers,
        ),
        n_patches + 1 + n_registers,
    ),
    relations={d_ff: 4 * h, **PATCHES},
    has=(qkv_bias, biases),
)

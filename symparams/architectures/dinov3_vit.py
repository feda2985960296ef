"""DINOv3's ViT: DINOv2's layer with rotary positions of the patches, and registers."""

from symparams.architectures import Architecture
from symparams.architectures._images import PATCHES, masked_patches, scaled_encoder
from symparams.components import Biases, attention, block, prepended, rotary, seeing, token, tokens
from symparams.expressions.symbols import d_ff, h, n_heads, n_patches, n_registers
from symparams.features import key_bias, mlp_bias, output_projection_bias, query_bias, value_bias

sequence = prepended(masked_patches(token(h)), class_token=token(h), register_tokens=tokens(n_registers, h))
bias = Biases(inputs=value_bias, output=output_projection_bias, query=query_bias, key=key_bias)

DINOV3_VIT = Architecture(
    "dinov3_vit",
    title="DINOv3 (ViT)",
    source="Siméoni et al., 2025, arXiv:2508.10104",
    tree=seeing(
        block(
            embeddings=block(sequence, positions=rotary()),
            **scaled_encoder(attention(h, n_heads, bias=bias, positions="rotary"), bias=mlp_bias),
        ),
        n_patches + 1 + n_registers,
    ),
    relations={d_ff: 4 * h, **PATCHES},
    has=(query_bias, value_bias, output_projection_bias, mlp_bias),
)

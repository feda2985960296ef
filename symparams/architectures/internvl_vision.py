"""InternVL's image encoder by itself: InternViT, a ViT that scales what each sublayer gives; of the largest, norms without a
mean, of queries and keys, too."""

from symparams.architectures import Architecture
from symparams.architectures._images import PATCHES, masked_patches
from symparams.components import (
    Biases,
    Component,
    attention,
    block,
    feed_forward,
    layer_norm,
    layer_scale,
    parallel,
    position_table,
    prepended,
    residual,
    rms_norm,
    seeing,
    then,
    token,
    with_query_key_norms,
)
from symparams.expressions.symbols import L, d_ff, h, n_heads, n_patches
from symparams.features import (
    attention_bias,
    biases,
    final_layer_norm,
    mask_token,
    position_embeddings,
    query_key_norm,
    rms_norms,
)

sequence = prepended(masked_patches(mask_token * token(h)), class_token=token(h))
norm = query_key_norm * rms_norm(h)
normed = with_query_key_norms(attention(h, n_heads, bias=Biases(inputs=attention_bias, output=biases)), norm, norm)


def scaled(name: str, sublayer: Component) -> Component:
    """x + γ·sublayer(norm(x)), with either norm."""
    norms = ~rms_norms * then(**{f"{name}_norm": layer_norm(h)}), rms_norms * then(**{f"{name}_norm": rms_norm(h)})
    return residual(*norms, **{name: sublayer, f"{name}_layer_scale": layer_scale(h)})


INTERNVL_VISION = Architecture(
    "internvl_vision",
    title="InternVL's image encoder",
    source="Chen et al., 2023, arXiv:2312.14238",
    tree=seeing(
        block(
            embeddings=block(
                parallel(sequence, position_embedding=position_embeddings * position_table(n_patches + 1, h)),
            ),
            encoder=L
            * block(
                "encoder_layer",
                scaled("attention", normed),
                scaled("feed_forward", feed_forward(h, d_ff, bias=biases)),
            ),
            final_layer_norm=final_layer_norm * layer_norm(h),
        ),
        n_patches + 1,
    ),
    relations={d_ff: 4 * h, **PATCHES},
    has=(position_embeddings, biases),
)

"""SAM's image encoder: a ViT that attends within windows in most layers, and to the whole image in some."""

from symparams.architectures import Architecture
from symparams.architectures._mixed_stacks import in_turn, stack
from symparams.components import (
    Biases,
    Component,
    axis_attention,
    block,
    convolution,
    feed_forward,
    layer_norm,
    parallel,
    patch_embedding,
    position_grid,
    pre_norm,
    seeing,
)
from symparams.components.facts import Tiles
from symparams.expressions.nodes import Ceiling, Floor
from symparams.expressions.symbols import (
    L_full,
    L_windowed,
    d_ff,
    d_head,
    d_out,
    grid,
    h,
    image,
    n_channels,
    n_heads,
    n_windowed,
    patch,
    window,
)
from symparams.features import position_embeddings, qkv_bias, relative_positions, whole_layers, window_layers


def layer(attention: Component) -> tuple[Component, ...]:
    """A pre-norm layer."""
    return pre_norm(layer_norm(h), attention=attention, feed_forward=feed_forward(h, d_ff))


bias = Biases(inputs=qkv_bias, output=True)
whole = axis_attention(h, n_heads, d_head, grid, bias=bias)
windowed = seeing(axis_attention(h, n_heads, d_head, window, bias=bias, tiles=Tiles(window**2)), n_windowed)

patches = patch_embedding(h, n_channels, patch, patches=grid**2, image=image)
image_encoder = seeing(
    block(
        embeddings=block(parallel(patch_embedding=patches, position_embedding=position_embeddings * position_grid(grid, h))),
        encoder=in_turn(
            stack("window_layer", L_windowed, *layer(windowed)),
            stack("whole_layer", L_full, *layer(whole)),
        ),
        neck=block(
            neck_projection=convolution(d_out, h, 1, 1, bias=False),
            first_layer_norm=layer_norm(d_out),
            neck_convolution=convolution(d_out, d_out, 3, 3, bias=False),
            second_layer_norm=layer_norm(d_out),
        ),
    ),
    grid**2,
)

SAM_VISION_MODEL = Architecture(
    "sam_vision_model",
    title="SAM's image encoder",
    source="Kirillov et al., 2023, arXiv:2304.02643",
    tree=image_encoder,
    relations={d_ff: 4 * h, grid: Floor(image / patch), n_windowed: (Ceiling(grid / window) * window) ** 2},
    has=(position_embeddings, relative_positions, qkv_bias, window_layers, whole_layers),
)

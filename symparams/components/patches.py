"""Images as sequences: the embedding of patches, the tokens put before them, and how configs give an image's size.

An image of image × image pixels is cut into ⌊image / patch⌋² patches, each a token (Dosovitskiy et al., 2021,
arXiv:2010.11929).
"""

from __future__ import annotations

from collections.abc import Mapping

from symparams.components import ATTENTION, EMBEDDING, Component, Heads, Tensor, linear
from symparams.errors import ConfigError, quoted
from symparams.expressions.features import qkv_bias
from symparams.expressions.nodes import Dimension, Expression, Floor, Operand
from symparams.expressions.symbols import image, n_patches, patch
from symparams.expressions.written import ONE, size
from symparams.models.library import Key, Settings, SizeReader, read_whole

PATCHES: Mapping[Dimension, Expression] = {n_patches: Floor(image / patch) ** 2}


def patch_embedding(width: Operand, channels: Operand, side: Operand, *, bias: bool = True) -> Component:
    """A convolution whose stride is its own size: h × n_channels × patch × patch + h (torch.nn.Conv2d)."""
    weight = Tensor("weight", (size(width), size(channels), size(side), size(side)), "weight")
    return Component("convolution", tensors=(weight, *_bias(width, bias)))


def pixel_decoder(width: Operand, channels: Operand, stride: Dimension) -> Component:
    """A 1 × 1 convolution from one token to stride² pixels: h × stride²·n_channels + stride²·n_channels."""
    pixels = size(stride**2 * channels)
    return Component("convolution", tensors=(Tensor("weight", (pixels, size(width), ONE, ONE), "weight"), *_bias(pixels, True)))


def token(width: Operand) -> Component:
    """One learned vector that stands in the sequence by itself: 1 × 1 × h."""
    return Component(EMBEDDING, tensors=(Tensor("weight", (ONE, ONE, size(width)), "weight"),))


def class_vector(width: Operand) -> Component:
    """The same as CLIP stores it, with no other sides: h."""
    return Component(EMBEDDING, tensors=(Tensor("weight", (size(width),), "weight"),))


def position_table(rows: Operand, width: Operand) -> Component:
    """Learned positions, stored with a side of 1 for the batch: 1 × (n_patches + 1) × h."""
    return Component(EMBEDDING, tensors=(Tensor("weight", (size(rows), ONE, size(width)), "weight"),))


def image_attention(width: Operand, n_heads: Expression) -> Component:
    """Attention whose query, key and value have biases as qkv_bias says, and whose output always has one."""
    query_key_value = 3 * linear(width, width, bias=qkv_bias, heads=Heads(n_heads))
    return Component(f"image_{ATTENTION}", children=(("query_key_value", query_key_value), ("output", linear(width, width))))


def shared_space(text: Operand, images: Operand, d_proj: Operand) -> Component:
    """CLIP's two projections and the scale of its logits: h_text × d_proj + h_vision × d_proj + 1 (arXiv:2103.00020)."""
    matrices = (
        Tensor("text_projection", (size(text), size(d_proj)), "weight"),
        Tensor("image_projection", (size(images), size(d_proj)), "weight"),
    )
    return Component("shared_space", tensors=(*matrices, Tensor("logit_scale", (), "weight")))


class Side(Key):
    """The side of a square: a whole number, or a pair of equal ones; None where the pair differs."""

    def __call__(self, settings: Settings) -> int | None:
        height, breadth = sides(settings, self.names[0], self.default)
        return height if height == breadth else None


def sides(settings: Settings, name: str, default: int | None) -> tuple[int, int]:
    """Height and width, which a config gives as one whole number or as a pair."""
    value = settings.values.get(name, default)
    pair = value if isinstance(value, (list, tuple)) else (value, value)
    if len(pair) != len(("height", "width")):
        raise ConfigError(f"{name} = {quoted(value, 30)} in the config must be a whole number or a pair of them.")
    return read_whole(name, pair[0]), read_whole(name, pair[1])


def patches(image_size: int, patch_size: int) -> SizeReader:
    """A reader of the number of patches, with the library's defaults for the sides of the image and of a patch."""

    def read(settings: Settings) -> int:
        (height, breadth), (rows, columns) = (
            sides(settings, name, default) for name, default in (("image_size", image_size), ("patch_size", patch_size))
        )
        return (height // rows) * (breadth // columns)

    return read


def square_patches(settings: Settings) -> None:
    """Refuse a patch that is not as high as it is wide: its side is one dimension here."""
    height, breadth = sides(settings, "patch_size", 1)
    if height != breadth:
        raise ConfigError(
            f"patch_size = {quoted(settings.values['patch_size'], 30)} in the config: only square patches are known."
        )


def _bias(width: Operand, is_there: bool) -> tuple[Tensor, ...]:
    return (Tensor("bias", (size(width),), "bias"),) if is_there else ()

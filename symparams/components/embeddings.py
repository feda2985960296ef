"""Embeddings: tables of tokens and positions, patches of images, and positions that are not learned."""

from __future__ import annotations

from dataclasses import replace

from symparams.components.facts import Gives, Multiplication, Projection, Rows
from symparams.components.flow import block, parallel, reading
from symparams.components.kinds import EMBEDDING, Kind, Role, Use
from symparams.components.laws import divides
from symparams.components.linear import PARAMETER, convolution, linear
from symparams.components.norms import rms_norm
from symparams.components.tree import Component, Tensor
from symparams.expressions.extent import size
from symparams.expressions.nodes import Dimension, Operand, as_expression
from symparams.expressions.symbols import n_patches
from symparams.expressions.written import ONE

SINUSOIDAL, ROTARY, ALIBI, SINUSOIDAL_TABLE = (
    Kind(name, Role.ABSENT, Role.TABLE) for name in ("sinusoidal", "rotary", "alibi", "sinusoidal_table")
)
PLANE_SINUSOIDAL, ZEROS = (Kind(name, Role.ABSENT, Role.TABLE) for name in ("plane_sinusoidal", "zeros"))
POSITION_GRID, FOURIER_POSITIONS = Kind("position_grid", Role.TABLE), Kind("fourier_positions", Role.MATRIX)
CODEBOOKS = Kind("codebooks", Role.VECTOR)
AXIS_POSITIONS, PATCH_POOLING = Kind("axis_positions", Role.TABLE), Kind("patch_pooling", Role.ABSENT)
SHARED_SPACE, PAIR_SIMILARITY = Kind("shared_space", Role.OTHER), Kind("pair_similarity", Role.VECTOR)


def embedding(rows: Operand, width: Operand, *, tied_to: str = "", reads: str = "", of: Rows = Rows.TOKENS) -> Component:
    """A table of shape rows × width, one row for each token, or for what ``of`` says (torch.nn.Embedding).

    ``tied_to`` is the path of the layer whose table it reuses, as for ``linear``.
    """
    table = Tensor("weight", (size(rows), size(width)), Use.WEIGHT, tied_to=tied_to)
    return Component(EMBEDDING, tensors=(table,), reads=reads, rows=of)


def per_layer_embeddings(rows: Operand, layers: Operand, d_layer: Operand, width: Operand, tokens: str) -> Component:
    """Vectors of d_layer numbers for each token and each layer: rows × L·d_layer + h × L·d_layer + d_layer.

    A table, and a projection of the token embedding at the path ``tokens``, normed layer by layer; the two are added (Gemma
    3n, Per-Layer Embeddings).
    """
    wide = size(layers) * size(d_layer)
    projected = block(
        layer_projection=reading(linear(width, wide, bias=False), tokens), layer_projection_norm=rms_norm(d_layer)
    )
    return block(parallel(projected, layer_embedding=embedding(rows, wide)))


def token(width: Operand) -> Component:
    """A learned vector that is a token of the sequence, stored as 1 × 1 × h (ViT's class token; arXiv:2010.11929)."""
    return _table(ONE, ONE, width)


def tokens(number: Operand, width: Operand) -> Component:
    """Learned vectors that are tokens of the sequence, stored as 1 × n_registers × h (registers; arXiv:2309.16588)."""
    return _table(number, ONE, width)


def vectors(number: Operand, width: Operand) -> Component:
    """Learned vectors that stand for something other than words, stored as number × h (torch.nn.Embedding)."""
    return _table(number, width)


def class_vector(width: Operand) -> Component:
    """A class token stored as a plain vector, as in CLIP: h (arXiv:2103.00020)."""
    return _table(width)


def position_table(rows: Operand, width: Operand) -> Component:
    """A position embedding, stored with a batch side of 1: 1 × (n_patches + 1) × h (arXiv:2010.11929)."""
    return replace(_table(rows, ONE, width), rows=Rows.POSITIONS)


def position_grid(side: Operand, width: Operand) -> Component:
    """A position embedding of an image, stored as 1 × G × G × h: a vector for each patch (SAM, arXiv:2304.02643)."""
    table = Tensor("weight", (ONE, size(side), size(side), size(width)), Use.WEIGHT)
    return Component(POSITION_GRID, tensors=(table,))


def axis_positions(rows: Operand, width: Operand) -> Component:
    """Positions of an image of any size by its two axes, a table each, whose rows are added: 2 × rows × h (Gemma 4)."""
    table = Tensor("weight", (size(2), size(rows), size(width)), Use.WEIGHT)
    return Component(AXIS_POSITIONS, tensors=(table,))


def patch_pooling(width: Operand, side: Operand, *, patches: Operand) -> Component:
    """The mean of each square of ``side * side`` patches, so 0 parameters: a product with a share for each patch (Gemma 4)."""
    means = Multiplication("shares", (size(patches), size(width)), is_fixed=True)
    return Component(PATCH_POOLING, multiplies=(means,), tokens=as_expression(patches) / size(side) ** 2)


def patch_embedding(
    width: Operand,
    channels: Operand,
    side: Operand,
    *,
    bias: bool = True,
    patches: Operand | None = n_patches,
    image: Operand | None = None,
) -> Component:
    """A convolution with a stride of its own size: h × n_channels × patch × patch + h (arXiv:2010.11929; torch.nn.Conv2d).

    Each of the ``patches`` becomes a token; ``seeing`` of the tower gives their number with the tokens before them. ``image``
    is the side of the image in pixels, if it may have more pixels than the patches. Without ``patches``, None, nobody knows how
    many there are.
    """
    if patches is None:
        return replace(convolution(width, channels, side, side, bias=bias), makes=(Projection.PATCHES,))
    pixels = size(patches) * size(side) ** 2 if image is None else size(image) ** 2
    made = convolution(width, channels, side, side, bias=bias, tokens=patches, reads_data=channels * pixels)
    return replace(made, makes=(Projection.PATCHES,))


def pixel_decoder(width: Operand, channels: Operand, stride: Dimension, *, patches: Operand = n_patches) -> Component:
    """A 1 × 1 convolution from a patch's token to stride² pixels: h × stride²·n_channels + stride²·n_channels."""
    return convolution(stride**2 * channels, width, ONE, ONE, tokens=patches)


def shared_space(
    text: Operand, images: Operand, d_proj: Operand, *, of: tuple[str, str] = ("", ""), reads: tuple[str, str] = ("", "")
) -> Component:
    """CLIP's two projections and the scale of its logits: h_text × d_proj + h_vision × d_proj + 1 (arXiv:2103.00020).

    ``of`` are the paths of the towers whose outputs are projected, and ``reads`` what of each is: a vector, or all.
    """
    on_text, on_images = (
        replace(linear(width, d_proj, bias=False, reads=read), tokens=ONE, acts_on=tower)
        for width, read, tower in zip((text, images), reads, of, strict=True)
    )
    compared = Multiplication("similarity", (size(d_proj),), each_pair=True, normed=True)  # every text meets every image
    scale = Component(PARAMETER, tensors=(Tensor("weight", (), Use.WEIGHT),), multiplies=(compared,))
    body = (("text_projection", on_text), ("image_projection", on_images), ("logit_scale", scale))
    return Component(SHARED_SPACE, body=body, tokens=ONE, gives=Gives.SIMILARITIES)


def codebooks(number: Operand, codes: Operand, width: Operand) -> Component:
    """Codebooks, a code of each of which makes a part of a vector: 1 × number·codes × width/number (product quantization;
    Jégou et al., 2011, doi:10.1109/TPAMI.2010.57; in wav2vec 2.0: arXiv:2006.11477).
    """
    table = Tensor("weight", (ONE, size(size(number) * size(codes)), size(size(width) / size(number))), Use.WEIGHT)
    return Component(CODEBOOKS, tensors=(table,), laws=(divides(number, width),))


def pair_similarity(width: Operand) -> Component:
    """The scale and the bias of the logit of each pair of a text and an image, of vectors of this width: 1 + 1 (SigLIP;
    arXiv:2303.15343).
    """
    compared = Multiplication("similarity", (size(width),), each_pair=True, normed=True)
    tensors = (Tensor("logit_scale", (ONE,), Use.WEIGHT), Tensor("logit_bias", (ONE,), Use.BIAS))
    return Component(PAIR_SIMILARITY, tensors=tensors, tokens=ONE, multiplies=(compared,), gives=Gives.SIMILARITIES)


def fourier_positions(width: Operand, *, tied_to: str = "", is_once: bool = False) -> Component:
    """Sine and cosine of points in the plane times a matrix, 2 × h / 2 (Tancik et al., 2020, arXiv:2006.10739).

    Points that are those of every sequence, as the middles of an image's patches, are multiplied ``once``.
    """
    frequencies = Tensor("weight", (size(2), size(width) / 2), Use.WEIGHT, tied_to=tied_to)
    return Component(FOURIER_POSITIONS, tensors=(frequencies,), reads_data=True, is_once=is_once)


def sinusoidal() -> Component:
    """Fixed sine and cosine positions, computed and not trained, so 0 parameters (arXiv:1706.03762, section 3.5)."""
    return Component(SINUSOIDAL)


def plane_sinusoidal() -> Component:
    """Fixed sine and cosine positions of rows and columns, computed and not trained: 0 (DETR, arXiv:2005.12872)."""
    return Component(PLANE_SINUSOIDAL)


def zeros() -> Component:
    """Vectors of zeros in the place of tokens: 0 parameters (DETR, arXiv:2005.12872)."""
    return Component(ZEROS)


def sinusoidal_table(rows: Operand, width: Operand) -> Component:
    """Sine and cosine positions, stored as a parameter of shape rows × width that is never trained."""
    table = Tensor("weight", (size(rows), size(width)), Use.WEIGHT, trained=False)
    return Component(SINUSOIDAL_TABLE, tensors=(table,))


def rotary() -> Component:
    """RoPE: queries and keys are rotated by fixed angles, so 0 parameters (Su et al., 2021, arXiv:2104.09864)."""
    return Component(ROTARY)


def alibi() -> Component:
    """ALiBi: fixed slopes added to the attention scores, so 0 parameters (Press et al., 2022, arXiv:2108.12409)."""
    return Component(ALIBI)


def _table(*shape: Operand) -> Component:
    return Component(EMBEDDING, tensors=(Tensor("weight", tuple(size(side) for side in shape), Use.WEIGHT),))

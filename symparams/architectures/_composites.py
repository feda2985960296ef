"""Parts of composites: a tower that reads images, a projector, and a text model, each with letters of its own.

The trees are those of the families that the parts come from; h of a text model is h_text here, h of a tower h_vision.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from symparams.architectures._decoders import TOKENS
from symparams.components import (
    Component,
    Gives,
    Projection,
    Rows,
    block,
    convolution,
    embedding,
    giving,
    layer_norm,
    linear,
    parallel,
    reading,
    rotary,
    seeing,
)
from symparams.components.facts import Stream
from symparams.components.letters import in_letters, written_in
from symparams.expressions.nodes import Dimension, Expression
from symparams.expressions.symbols import (
    L,
    L_text,
    L_vision,
    d_ff,
    d_ff_text,
    d_ff_vision,
    d_head,
    d_head_text,
    d_head_vision,
    d_proj,
    frames,
    h,
    h_text,
    h_vision,
    merge,
    n_channels,
    n_deepstack,
    n_heads,
    n_heads_text,
    n_heads_vision,
    n_image_patches,
    n_kv_heads,
    n_kv_heads_text,
    n_positions,
    patch,
)
from symparams.features import vision

TEXT: Mapping[Dimension, Dimension] = {
    L: L_text, h: h_text, n_heads: n_heads_text, n_kv_heads: n_kv_heads_text, d_head: d_head_text, d_ff: d_ff_text
}  # fmt: skip
VISION: Mapping[Dimension, Dimension] = {
    L: L_vision, h: h_vision, n_heads: n_heads_vision, d_head: d_head_vision, d_ff: d_ff_vision
}  # fmt: skip

# A patch of Qwen2-VL is a square in so many frames of a video; an image is a video of equal frames (arXiv:2409.12191).
video, biased_video = (
    replace(
        convolution(h, n_channels, frames, patch, patch, bias=bias, tokens=n_image_patches, reads_data=True),
        makes=(Projection.PATCHES,),
    )
    for bias in (False, True)
)
patches_of_videos = block(patch_embedding=video, positions=rotary())
# Qwen3-VL adds to each the row of a table of positions, interpolated to the size of the image (arXiv:2511.21631).
patches_at_positions = block(
    parallel(
        patch_embedding=biased_video,
        position_embedding=embedding(n_positions, h, of=Rows.POSITIONS),
    ),
    positions=rotary(),
)


def of_images(tower: Component) -> Component:
    """A component of an image encoder, in the letters of the tower."""
    return in_letters(tower, VISION)


def of_text(model: Component) -> Component:
    """A component of a text model, in its letters within the composite."""
    return in_letters(model, TEXT)


def text_relations(relations: Mapping[Dimension, Expression]) -> dict[Dimension, Expression]:
    """The relations of a text model, in its letters within the composite."""
    return {TEXT.get(letter, letter): written_in(value, TEXT) for letter, value in relations.items()}


def vision_language(
    image_encoder: Component, projector: Component, decoder: Component, *heads: str, deepstack: Component | None = None
) -> Component:
    """A decoder-only family that reads, beside its tokens, what a projector makes of an encoded image (arXiv:2304.08485).

    ``image_encoder`` is a tower and ``decoder`` the tree of a family, both in the plain letters; ``heads`` are the heads of
    the family that the composite has, which stand outside of the text model. Without ``vision`` the text model is alone.
    The first layers of the text model read, besides, what ``deepstack`` makes of earlier layers of the image encoder.
    """
    parts, deep = dict(of_text(decoder).body), {} if deepstack is None else {"deepstack": vision * deepstack}
    if deep:
        parts["decoder"] = reading(parts["decoder"], "deepstack")
    return block(
        image_encoder=vision * of_images(image_encoder),
        projector=vision * projector,
        **deep,
        text_model=reading(block(**{name: part for name, part in parts.items() if part.gives is None}), "projector"),
        **{name: _tied(parts[name]) for name in heads},
    )


def merger(**norm: Component) -> Component:
    """The projector of Qwen2-VL: of a square of merge² normed patches two layers make one token (arXiv:2409.12191)."""
    side_by_side = merge**2 * h_vision
    merged = block(
        **norm,
        patch_merging=linear(side_by_side, side_by_side, bias=True, activation="gelu"),
        output_projection=linear(side_by_side, d_proj, bias=True),
    )
    return seeing(merged, n_image_patches / merge**2)


# What as many earlier layers give, a merger each, is added to the text's tokens of the image after as many of its first layers
# (DeepStack; Meng et al., 2024, arXiv:2406.04334).
deepstack = giving(
    n_deepstack
    * replace(
        reading(merger(layer_norm=layer_norm(merge**2 * h_vision)), Stream.EARLIER_LAYERS),
        name="deepstack_merger",
        is_named=True,
        unread="unread_mergers",
    ),
    Gives.DEEPSTACK,
)


def _tied(head: Component) -> Component:
    """A head tied to the tokens of its text model, where these stand in the composite."""
    tensors = (replace(t, tied_to=f"text_model.{TOKENS}") if t.tied_to else t for t in head.tensors)
    return replace(head, tensors=tuple(tensors))

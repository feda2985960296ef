"""SAM: a decoder in which the points of a prompt and an image attend to one another writes masks."""

from functools import partial

from symparams.architectures import Architecture
from symparams.architectures._composites import image_part
from symparams.architectures._masks import mask_convolutions, mask_head, two_way_layer
from symparams.architectures.sam_vision_model import SAM_VISION_MODEL
from symparams.components import (
    Component,
    Gives,
    Vector,
    block,
    fourier_positions,
    giving,
    layer_norm,
    parallel,
    perceptron,
    post_norm,
    prepended,
    reading,
    reading_only,
    residual,
    seeing,
    then,
    vectors,
    wide_attention,
)
from symparams.components.facts import Stream
from symparams.components.letters import in_letters
from symparams.expressions.nodes import Dimension
from symparams.expressions.symbols import (
    L,
    L_iou,
    d_ff,
    d_head_cross,
    d_head_final,
    d_iou,
    d_mask,
    d_out,
    grid,
    h,
    n_heads,
    n_masks,
    n_points,
    s,
)

POSITIONS = "mask_decoder.image_positions"
patches = grid**2
mask = reading_only(mask_convolutions(h, d_mask, patches), "mask")
mask_prompt = block(mask_convolutions=mask, no_mask=reading(vectors(1, h), "no mask"))
points = block(
    parallel(
        point_positions=seeing(reading(fourier_positions(h, tied_to=POSITIONS), "points"), s),
        point_embedding=reading(n_points * vectors(1, h), "kinds of points"),
    ),
    not_a_point=reading(vectors(1, h), "padding"),
)


def crossing(reads: str, d_head: Dimension = d_head_cross) -> Component:
    """Attention between tokens and image, whose heads are narrower than those between tokens."""
    return wide_attention(h, n_heads, d_head, bias=True, reads=reads, positions="added", placed_by=POSITIONS)


two_way = partial(two_way_layer, h, n_heads, d_ff, seen=crossing(Stream.IMAGE), shown=crossing(Stream.TOKENS), patches=patches)
mask_decoder = block(
    prompt=block(prepended(points, iou_token=vectors(1, h), mask_tokens=vectors(n_masks, h))),
    image_positions=seeing(reading(fourier_positions(h, is_once=True), "places of the patches"), patches),
    first_two_way_layer=two_way(is_first=True),
    two_way_layers=(L - 1) * two_way(is_first=False),
    final_layer=block("final_layer", *post_norm(layer_norm(h), final_attention=crossing(Stream.IMAGE, d_head_final))),
    mask_head=giving(reading(mask_head(h, n_masks, patches), Stream.IMAGE), Gives.MASKS),
    iou_head=giving(reading(perceptron(h, d_iou, n_masks, L_iou), Vector.FIRST_TOKEN), Gives.QUALITY),
)


def composed(images: Architecture) -> Architecture:
    """SAM of its image encoder, whose vectors are as long as those of the decoder."""
    tower = image_part(images)
    return Architecture(
        "sam",
        title="SAM",
        source="Kirillov et al., 2023, arXiv:2304.02643",
        of=(images.name,),
        tree=block(
            then(image_encoder=in_letters(tower.component, {d_out: h})),
            seeing(residual(mask_prompt=mask_prompt), patches),
            mask_decoder=seeing(mask_decoder, s + n_masks + 1),
        ),
        relations={**tower.relations, d_head_final: h / (2 * n_heads)},
        identities={**tower.identities, d_head_cross: h / (2 * n_heads)},
        has=tower.has,
    )


SAM = composed(SAM_VISION_MODEL)

"""DETR: object queries attend to what a residual network and an encoder see of an image, and each gives a class and a box
(Carion et al., 2020, arXiv:2005.12872)."""

from dataclasses import replace

from symparams.architectures import Architecture
from symparams.architectures._bottlenecks import behind_frozen
from symparams.architectures._encoder_decoders import decoder_stack, encoder_stack
from symparams.architectures._masks import attention_map
from symparams.architectures._residual_networks import FIRST_TRAINED, positions, residual_stages
from symparams.components import (
    Component,
    Gives,
    attention,
    block,
    convolution,
    divides,
    giving,
    group_norm,
    layer_norm,
    linear,
    parallel,
    perceptron,
    plane_sinusoidal,
    post_norm,
    reading,
    reading_only,
    residual,
    seeing,
    then,
    vectors,
    zeros,
)
from symparams.components.facts import Stream
from symparams.expressions.nodes import Dimension, Operand
from symparams.expressions.symbols import (
    d_head_dec,
    d_head_enc,
    h,
    h_1,
    h_2,
    h_3,
    h_4,
    n_heads_dec,
    n_heads_enc,
    n_labels,
    n_queries,
    s,
)
from symparams.expressions.written import times
from symparams.features import detection_heads, mask_head, position_embeddings, trained_stages

SIDE = 50  # rows, and columns, that learned positions can tell apart
QUERIES, PLACES = "decoder.object_queries", "image_positions"
places = block(
    sine_positions=~position_embeddings * plane_sinusoidal(),
    learned_positions=position_embeddings
    * block(parallel(row_embedding=vectors(SIDE, h / 2), column_embedding=vectors(SIDE, h / 2))),
)


def seen(d_head: Operand, heads: Operand, placed_by: str, reads: str = "", *, on_zeros: bool = False) -> Component:
    """Attention whose queries and keys are made of vectors with positions."""
    return attention(h, heads, d_head=d_head, reads=reads, positions="added", placed_by=placed_by, on_zeros=on_zeros)


def refined(name: str, inputs: Operand, outputs: Operand, stage: int, reads: str = "") -> Component:
    """A convolution of 3 × 3, a norm and ReLU, at the positions of a stage for each query."""
    norm = replace(group_norm(outputs, in_groups=True), activation="relu")
    parts = {name: reading(convolution(outputs, inputs, 3, 3), reads), f"{name}_norm": norm}
    return seeing(then(**parts), times(n_queries, positions(stage)))


def merged(stage: int, channels: Dimension, outputs: Operand) -> Component:
    """What is upsampled, and a stage's vectors of as many channels; no gradient comes to one that is not trained."""
    adapter = seeing(reading_only(convolution(outputs, channels, 1, 1), f"stage_{stage}"), times(n_queries, positions(stage)))
    name = f"adapter_{stage}"
    if stage < FIRST_TRAINED:
        return residual(**{name: behind_frozen(adapter)})
    return residual(then(**{name: trained_stages * adapter}), then(**{name: ~trained_stages * behind_frozen(adapter)}))


masks = block(
    then(attention_map=reading(attention_map(h, n_queries, s), Stream.ENCODER)),
    refined("first_refinement", h + n_heads_enc, h + n_heads_enc, 4, Stream.IMAGE),
    refined("second_refinement", h + n_heads_enc, h / 2, 4),
    merged(3, h_3, h / 2),
    refined("third_refinement", h / 2, h / 4, 3),
    merged(2, h_2, h / 4),
    refined("fourth_refinement", h / 4, h / 8, 2),
    merged(1, h_1, h / 8),
    refined("fifth_refinement", h / 8, h / 16, 1),
    then(mask_output=seeing(convolution(1, h / 16, 3, 3), times(n_queries, positions(1)))),
)
projection = convolution(h, h_4, 1, 1)
encoder = encoder_stack(post_norm, seen(d_head_enc, n_heads_enc, PLACES), bias=True, activation="relu")
attentions = (seen(d_head_dec, n_heads_dec, QUERIES, on_zeros=True), seen(d_head_dec, n_heads_dec, PLACES, "encoder"))
decoder = block(
    zeros=reading(zeros(), "zeros"),
    object_queries=vectors(n_queries, h),
    layers=decoder_stack(post_norm, *attentions, bias=True, activation="relu"),
    final_layer_norm=layer_norm(h),
)

DETR = Architecture(
    "detr",
    title="DETR",
    source="Carion et al., 2020, arXiv:2005.12872",
    tree=block(
        then(resnet=residual_stages(trained_stages)),
        then(input_projection=trained_stages * projection),
        then(input_projection=~trained_stages * behind_frozen(projection)),
        image_positions=places,
        encoder=seeing(encoder, s),
        decoder=seeing(decoder, n_queries),
        class_head=detection_heads * giving(seeing(linear(h, n_labels + 1), n_queries), Gives.LABELS),
        box_head=detection_heads * giving(seeing(perceptron(h, h, 4), n_queries), Gives.BOXES),
        mask_head=mask_head * giving(masks, Gives.MASKS),
    ),
    laws=[divides(16, h), divides(8, h + n_heads_enc)],
    has=(trained_stages, detection_heads),
)

"""DETR: object queries attend to what a residual network and an encoder see of an image, and each gives a class and a box."""

from symparams.architectures import Architecture
from symparams.architectures._bottlenecks import behind_frozen
from symparams.architectures._encoder_decoders import decoder_stack, encoder_stack
from symparams.architectures._masks import attention_map
from symparams.architectures._pyramids import mask_pyramid
from symparams.architectures._residual_networks import residual_stages
from symparams.components import (
    Component,
    Gives,
    attention,
    block,
    convolution,
    giving,
    layer_norm,
    linear,
    parallel,
    perceptron,
    plane_sinusoidal,
    post_norm,
    reading,
    seeing,
    then,
    vectors,
    zeros,
)
from symparams.components.facts import Stream
from symparams.expressions.nodes import Operand
from symparams.expressions.symbols import d_head_dec, d_head_enc, h, h_4, n_heads_dec, n_heads_enc, n_labels, n_queries, s
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


masks = mask_pyramid(reading(attention_map(h, n_queries, s), Stream.ENCODER), h, n_heads_enc, n_queries, trained_stages)
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
    has=(trained_stages, detection_heads),
)

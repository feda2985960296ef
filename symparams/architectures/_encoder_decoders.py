"""Parts of the line of BART: two stacks, their layers, their embeddings, their heads.

An encoder reads, a decoder writes and looks at what the encoder read through cross-attention (Lewis et al., 2020,
arXiv:1910.13461). Each stack has a number of layers, of heads and a feed-forward size of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from symparams.components import (
    Adjusting,
    Adjustment,
    Component,
    Gate,
    Vector,
    adjusted,
    attention,
    block,
    classifying,
    embedding,
    feed_forward,
    layer_norm,
    linear,
    output_head,
    parallel,
    pre_norm,
    reading,
    seeing,
)
from symparams.components.kinds import Role
from symparams.expressions.nodes import Dimension
from symparams.expressions.symbols import (
    L_dec,
    L_enc,
    V,
    d_ff_dec,
    d_ff_enc,
    d_head_dec,
    d_head_enc,
    h,
    n_heads_dec,
    n_heads_enc,
    n_labels,
    s_src,
)
from symparams.features import biases, classifier, classifier_transform, encoder, lm_head, scaled_embeddings

SHARED, DECODERS_OWN = "embeddings.shared_embedding", "decoder_embeddings.decoder_token_embedding"

Arrangement = Callable[..., tuple[Component, ...]]  # pre_norm or post_norm

encoder_attention = attention(h, n_heads_enc, bias=biases, d_head=d_head_enc)
decoder_attention = attention(h, n_heads_dec, bias=biases, d_head=d_head_dec, causal=True)
cross_attention = attention(h, n_heads_dec, bias=biases, d_head=d_head_dec, reads="encoder")


def classification(*, bias: Gate = biases) -> Component:
    """The classifier: over sequences a dense layer on the end token, where all has been seen, then the labels."""
    transform = reading(linear(h, h, bias=bias, activation="tanh"), Vector.END_TOKEN)
    return classifying(block(transform=classifier_transform * transform, output=linear(h, n_labels, bias=bias)))


def encoder_stack(
    arrange: Arrangement, attention: Component = encoder_attention, *, bias: Gate = biases, activation: str = "gelu"
) -> Component:
    """L_enc layers of attention and a feed-forward."""
    up_and_down = feed_forward(h, d_ff_enc, bias=bias, activation=activation)
    sublayers = {"attention": attention, "feed_forward": up_and_down}
    return L_enc * block("encoder_layer", *arrange(layer_norm(h), **sublayers))


def decoder_stack(
    arrange: Arrangement,
    attention: Component = decoder_attention,
    cross_attention: Component = cross_attention,
    *,
    bias: Gate = biases,
    activation: str = "gelu",
) -> Component:
    """L_dec layers of attention, cross-attention and a feed-forward."""
    up_and_down = feed_forward(h, d_ff_dec, bias=bias, activation=activation)
    sublayers = {"attention": attention, "cross_attention": cross_attention, "feed_forward": up_and_down}
    return L_dec * block("decoder_layer", *arrange(layer_norm(h), **sublayers))


def stacks(inputs: Mapping[str, Component], arrange: Arrangement, target: Dimension = V) -> dict[str, Component]:
    """The two stacks with their embeddings; the ``inputs`` follow the token embedding of each, ``target`` is the decoder's V.

    A stack of pre-norm layers ends in a norm of its own.
    """
    norms = {"encoder_norm": encoder * seeing(layer_norm(h), s_src)}, {"decoder_norm": layer_norm(h)}
    encoder_norm, decoder_norm = norms if arrange is pre_norm else ({}, {})
    return {
        "embeddings": encoder * block(shared_embedding=embedding(V, h)),
        "encoder_embeddings": encoder * seeing(_embeddings("encoder", V, inputs), s_src),
        "encoder": encoder * seeing(encoder_stack(arrange), s_src),
        **encoder_norm,
        "decoder_embeddings": reading(_embeddings("decoder", target, inputs), "target tokens"),
        "decoder": decoder_stack(arrange),
        **decoder_norm,
    }


def encoder_decoder(inputs: Mapping[str, Component], arrange: Arrangement) -> Component:
    """The two stacks over one vocabulary, and their heads."""
    return block(
        **stacks(inputs, arrange),
        lm_head=lm_head * output_head(h, V, tied_to=DECODERS_OWN),
        classifier=classifier * classification(),
    )


def _embeddings(stack: str, rows: Dimension, inputs: Mapping[str, Component]) -> Component:
    """The embeddings of one stack: tokens and positions added, tables named for the stack, and the norm that follows."""
    by = Adjustment(Adjusting.ROOT, h, when=(scaled_embeddings,))
    tables = {"token_embedding": adjusted(embedding(rows, h, tied_to=SHARED), by), **inputs}
    named = {f"{stack}_{name}" if part.role is Role.TABLE else name: part for name, part in tables.items()}
    added = {name: part for name, part in named.items() if part.role is not Role.NORM}
    return block(parallel(**added), **{name: part for name, part in named.items() if name not in added})

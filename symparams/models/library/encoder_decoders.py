"""What the library's line of BART shares: two stacks under keys of their own, layers, embeddings, and the classes.

An encoder reads, a decoder writes and looks at what the encoder read through cross-attention (Lewis et al., 2020,
arXiv:1910.13461). Each stack has a number of layers, of heads and a feed-forward size of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from symparams.components import (
    ATTENTION,
    EMBEDDING,
    Component,
    Tensor,
    block,
    embedding,
    feed_forward,
    layer_norm,
    linear,
)
from symparams.errors import ConfigError
from symparams.expressions.features import classifier, classifier_transform, encoder, lm_head, tying
from symparams.expressions.nodes import Dimension, Operand, Quotient
from symparams.expressions.symbols import (
    L_dec,
    L_enc,
    V,
    d_ff_dec,
    d_ff_enc,
    d_head_dec,
    d_head_enc,
    h,
    max_pos,
    n_heads_dec,
    n_heads_enc,
    n_labels,
)
from symparams.expressions.written import size
from symparams.models.library import Flag, Key, Settings, SizeReader
from symparams.models.library.decoders import outputs

SHARED, DECODERS_OWN = "embeddings.shared_embedding", "decoder_embeddings.decoder_token_embedding"

HEADS: Mapping[Dimension, Quotient] = {d_head_enc: h / n_heads_enc, d_head_dec: h / n_heads_dec}
WIDTH, N_HEADS = 1_024, 16  # the library's defaults for the models of text
TIED = {tying: Flag("tie_word_embeddings", default=True)}

classification = block(
    transform=classifier_transform * linear(h, h),
    output=linear(h, n_labels),
)


def attention(width: Operand) -> Component:
    """Multi-head attention that is not cut by head: the heads of encoder and decoder differ in size."""
    return Component(ATTENTION, children=(("query_key_value", 3 * linear(width, width)), ("output", linear(width, width))))


def layer(name: str, sublayers: Mapping[str, Component], *, pre_norm: bool) -> Component:
    """A layer of these sublayers, each with a norm before it or after it."""
    children: dict[str, Component] = {}
    for sublayer, component in sublayers.items():
        pair = {f"{sublayer}_norm": layer_norm(h), sublayer: component}
        children |= pair if pre_norm else dict(reversed(pair.items()))
    return block(name, **children)


def encoder_stack(attention: Component, *, pre_norm: bool) -> Component:
    """L_enc layers of attention and a feed-forward."""
    return L_enc * layer(
        "encoder_layer", {"attention": attention, "feed_forward": feed_forward(h, d_ff_enc)}, pre_norm=pre_norm
    )


def decoder_stack(attention: Component, *, pre_norm: bool) -> Component:
    """L_dec layers of attention, cross-attention and a feed-forward."""
    sublayers = {"attention": attention, "cross_attention": attention, "feed_forward": feed_forward(h, d_ff_dec)}
    return L_dec * layer("decoder_layer", sublayers, pre_norm=pre_norm)


def sinusoidal_table(rows: Operand, width: Operand) -> Component:
    """Sine and cosine positions, stored as a parameter of shape rows × width that is never trained."""
    return Component("sinusoidal_table", tensors=(Tensor("weight", (size(rows), size(width)), "weight", trained=False),))


def stacks(inputs: Mapping[str, Component], *, pre_norm: bool, target: Dimension = V) -> dict[str, Component]:
    """The two stacks with their embeddings; the ``inputs`` follow the token embedding of each, ``target`` is the decoder's V.

    A stack of pre-norm layers ends in a norm of its own.
    """
    ends = {"encoder_norm": encoder * layer_norm(h)}, {"decoder_norm": layer_norm(h)}
    encoder_norm, decoder_norm = ends if pre_norm else ({}, {})
    return {
        "embeddings": encoder * block(shared_embedding=embedding(V, h)),
        "encoder_embeddings": encoder * _embeddings("encoder", V, inputs),
        "encoder": encoder * encoder_stack(attention(h), pre_norm=pre_norm),
        **encoder_norm,
        "decoder_embeddings": _embeddings("decoder", target, inputs),
        "decoder": decoder_stack(attention(h), pre_norm=pre_norm),
        **decoder_norm,
    }


def _embeddings(stack: str, rows: Dimension, inputs: Mapping[str, Component]) -> Component:
    """The embeddings of one stack; its tables are named for it."""
    tables = {"token_embedding": embedding(rows, h, tied_to=SHARED), **inputs}
    return block(**{f"{stack}_{name}" if part.kind == EMBEDDING else name: part for name, part in tables.items()})


def encoder_decoder(inputs: Mapping[str, Component], *, pre_norm: bool) -> Component:
    """The two stacks over one vocabulary, and their heads."""
    return block(
        **stacks(inputs, pre_norm=pre_norm),
        lm_head=lm_head * linear(h, V, bias=False, tied_to=DECODERS_OWN),
        classifier=classifier * classification,
    )


def stack_sizes(layers: int, heads: int, width: int, d_ff: int) -> dict[Dimension, Key]:
    """The keys of the two stacks, with the library's defaults, which are the same for both."""
    return {
        h: Key("d_model", "hidden_size", default=width),
        L_enc: Key("encoder_layers", "num_hidden_layers", default=layers),
        L_dec: Key("decoder_layers", default=layers),
        n_heads_enc: Key("encoder_attention_heads", "num_attention_heads", default=heads),
        n_heads_dec: Key("decoder_attention_heads", default=heads),
        d_ff_enc: Key("encoder_ffn_dim", default=d_ff),
        d_ff_dec: Key("decoder_ffn_dim", default=d_ff),
    }


def text_sizes(vocabulary: int, labels: SizeReader = outputs) -> dict[Dimension, SizeReader]:
    """The keys of the models of text: those of the stacks, the vocabulary, the positions, the labels."""
    return {
        V: Key("vocab_size", default=vocabulary),
        **stack_sizes(layers=12, heads=N_HEADS, width=WIDTH, d_ff=4_096),
        max_pos: Key("max_position_embeddings", default=1_024),
        n_labels: labels,
    }


def whole_heads(width: int = WIDTH, heads: int = N_HEADS) -> Callable[[Settings], None]:
    """A check that refuses, as the library does, a hidden size that the heads of a stack do not divide; its defaults."""

    def check(settings: Settings) -> None:
        sizes = stack_sizes(1, heads, width, 1)
        for number in (n_heads_enc, n_heads_dec):
            found = {key.names[0]: settings.need(*key.names, default=key.default) for key in (sizes[h], sizes[number])}
            (name, size), (heads_name, count) = found.items()
            if size % count:
                raise ConfigError(f"{name} = {size} in the config is not a multiple of {heads_name} = {count}.")

    return check

"""Parts of decoders: token embeddings, grouped queries of rotary positions, the stack between embedding and heads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from symparams.components import (
    Adjusting,
    Adjustment,
    Biases,
    Component,
    Gate,
    Gives,
    Rows,
    Tokens,
    Vector,
    adjusted,
    attention,
    block,
    embedding,
    fused_cross_attention,
    giving,
    layer_norm,
    linear,
    output_head,
    parallel,
    pre_norm,
    reading,
    residual,
    rms_norm,
    rotary,
    seeing,
    then,
    with_query_key_norms,
)
from symparams.components.kinds import RMS_NORM
from symparams.expressions.nodes import Dimension, Expression
from symparams.expressions.symbols import V, d_head, h, max_pos, n_heads, n_kv_heads, n_labels
from symparams.features import (
    biases,
    classifier,
    classifier_bias,
    cross_attention,
    lm_head,
    query_key_norm,
    residual_after_norm,
)

NORM = rms_norm(h)
TOKENS = "embeddings.token_embedding"
GROUPED: Mapping[Dimension, Expression] = {n_kv_heads: n_heads, d_head: h / n_heads}

plain_embeddings = block(token_embedding=embedding(V, h))
rotary_embeddings = block(token_embedding=embedding(V, h), positions=rotary())
EMBEDDING_MULTIPLIER = Adjustment(Adjusting.TIMES, "embedding_multiplier")
multiplied_embeddings, root_embeddings = (
    block(token_embedding=adjusted(embedding(V, h), by), positions=rotary())
    for by in (EMBEDDING_MULTIPLIER, Adjustment(Adjusting.ROOT, h))
)
LOGIT_CAP = Adjustment(Adjusting.CAP, "logit_cap")
learned_positions = embedding(max_pos, h, of=Rows.POSITIONS)
learned_embeddings = block(parallel(token_embedding=embedding(V, h), position_embedding=learned_positions))


def grouped(*, bias: Gate | Biases = False, **facts: Any) -> Component:
    """Causal attention with grouped queries and rotary positions: n_heads query heads share n_kv_heads key-value heads."""
    return attention(h, n_heads, n_kv_heads, d_head, bias=bias, **{"causal": True, "positions": "rotary", **facts})


def normed(attention: Component, norm: Component, *, turned_first: bool = False) -> Component:
    """Attention whose queries and keys are normed head by head, where the model has the feature (arXiv:2010.04245)."""
    return with_query_key_norms(attention, query_key_norm * norm, query_key_norm * norm, turned_first=turned_first)


def normed_across_heads(attention: Component) -> Component:
    """Attention whose queries are normed over all heads at once, and so are its keys (OLMo 2, arXiv:2501.00656)."""
    return with_query_key_norms(attention, rms_norm(n_heads * d_head), rms_norm(n_kv_heads * d_head))


def decoder_layer(attention: Component, feed_forward: Component, norm: Component = NORM) -> Component:
    """A pre-norm layer: x + attention(norm(x)), then x + feed_forward(norm(x))."""
    return block("decoder_layer", *pre_norm(norm, attention=attention, feed_forward=feed_forward))


def crossing_layer(attention: Component, feed_forward: Component, *, bias: Gate = biases) -> Component:
    """GPT-2's layer, and as a decoder beside an encoder, to which it attends (Rothe et al., 2020, arXiv:1907.12461)."""
    norm = layer_norm(h)
    return block(
        "decoder_layer",
        *pre_norm(norm, attention=attention),
        cross_attention * block(*pre_norm(norm, cross_attention=fused_cross_attention(h, n_heads, bias=bias))),
        *pre_norm(norm, feed_forward=feed_forward),
    )


def parallel_layer(norm: Component, **sublayers: Component) -> Component:
    """x + attention(norm(x)) + feed_forward(norm(x)): one norm for both (GPT-J; Wang & Komatsuzaki, 2021)."""
    return block("decoder_layer", residual(layer_norm=norm, branches=parallel(**sublayers)))


def layer_around_either(norm: Component, **sublayers: Component) -> Component:
    """x + f(norm(x)) for each sublayer f in turn, or, where the model has the feature, norm(x) + f(norm(x))."""
    after = (part for name, f in sublayers.items() for part in (then(**{f"{name}_norm": norm}), residual(**{name: f})))
    return block(
        "decoder_layer", ~residual_after_norm * block(*pre_norm(norm, **sublayers)), residual_after_norm * block(*after)
    )


def normed_mixture(norm: Component = NORM, **experts: Component) -> Component:
    """x + experts(norm(x)): routed experts, and beside them those that all tokens share."""
    fed = parallel(**experts) if len(experts) > 1 else block(**experts)
    return residual(block(feed_forward_norm=norm), fed)


def mixture_layer(
    attention: Component, name: str = "decoder_layer", *, norm: Component = NORM, **experts: Component
) -> Component:
    """A pre-norm layer that feeds forward through experts, those that all tokens share beside the others."""
    return block(name, *pre_norm(norm, attention=attention), normed_mixture(norm, **experts))


def labels(width: Dimension = h) -> Component:
    """The classifier of a decoder, width × n_labels: over sequences, of which it reads the last token, it has no bias."""
    last = reading(linear(width, n_labels, bias=classifier_bias), Vector.LAST_TOKEN)
    return giving(seeing(last, Tokens.EACH), Gives.LABELS)


def decoder_only(
    decoder: Component,
    norm: Component = NORM,
    *,
    embeddings: Component = rotary_embeddings,
    head_bias: Gate = False,
    logits: Sequence[Adjustment] = (),
    heads: Mapping[str, Component] = MappingProxyType({}),
) -> Component:
    """A stack between the embedding and the heads: the language-model head, tied to the embedding, and the classifier.

    Each head, and further ``heads``, is there where the model has it. ``logits`` is what is done to those of a next token.
    """
    return block(
        embeddings=embeddings,
        decoder=decoder,
        **{"final_norm" if norm.kind == RMS_NORM else "final_layer_norm": norm},
        lm_head=lm_head * adjusted(output_head(h, V, bias=head_bias, tied_to=TOKENS), *logits),
        classifier=classifier * labels(),
        **heads,
    )

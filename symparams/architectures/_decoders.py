"""Parts of decoders: token embeddings, grouped queries of rotary positions, the stack between embedding and heads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from symparams.components import (
    Biases,
    Component,
    Gate,
    Gives,
    Rows,
    Tokens,
    Vector,
    alternating,
    attention,
    block,
    concatenation,
    embedding,
    fused_cross_attention,
    gated_feed_forward,
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
    tied,
    with_output_width,
    with_query_key_norms,
)
from symparams.components.kinds import RMS_NORM
from symparams.expressions.nodes import Dimension, Expression
from symparams.expressions.symbols import (
    L_attn,
    L_dense,
    L_global,
    L_global_shared,
    L_linear,
    L_local,
    L_local_shared,
    L_mamba,
    L_moe,
    L_own,
    L_shared,
    V,
    d_ff,
    d_head,
    h,
    max_pos,
    n_heads,
    n_kv_heads,
    n_labels,
)
from symparams.features import (
    Feature,
    attention_layers,
    biases,
    classifier,
    classifier_bias,
    cross_attention,
    dense_layers,
    global_layers,
    global_shared_layers,
    hybrid_layers,
    hybrid_shared_layers,
    linear_attention_layers,
    lm_head,
    local_layers,
    local_shared_layers,
    mamba_layers,
    moe_layers,
    query_key_norm,
    sharing_layers,
)

NORM = rms_norm(h)
TOKENS = "embeddings.token_embedding"
GROUPED: Mapping[Dimension, Expression] = {n_kv_heads: n_heads, d_head: h / n_heads}
SHARED_BLOCKS: Mapping[Dimension, Expression] = {n_kv_heads: n_heads, d_head: 2 * h / n_heads, d_ff: 4 * h}

rotary_embeddings = block(token_embedding=embedding(V, h), positions=rotary())
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


def mixture_layer(
    attention: Component, name: str = "decoder_layer", *, norm: Component = NORM, **experts: Component
) -> Component:
    """A pre-norm layer that feeds forward through experts, those that all tokens share beside the others."""
    return block(name, *pre_norm(norm, attention=attention), normed_mixture(norm, **experts))


def normed_mixture(norm: Component = NORM, **experts: Component) -> Component:
    """x + experts(norm(x)): routed experts, and beside them those that all tokens share."""
    fed = parallel(**experts) if len(experts) > 1 else block(**experts)
    return residual(block(feed_forward_norm=norm), fed)


def dense_and_mixture(attention: Component, *, bias: Gate = False, **experts: Component) -> Component:
    """The layers without experts and those with them, wherever in the stack they stand."""
    feed_forward = gated_feed_forward(h, d_ff, bias=bias)
    dense = block("dense_layer", *pre_norm(rms_norm(h), attention=attention, feed_forward=feed_forward))
    return block(
        dense_layers=dense_layers * (L_dense * dense),
        moe_layers=moe_layers * (L_moe * mixture_layer(attention, "moe_layer", **experts)),
    )


def attention_and_mamba(attention: Component, state_space: Component, *network: Component) -> Component:
    """Layers that start with attention and layers that start with a state space, in any order, the same network after each."""
    attending = _starting("attention_layer", attention_layers, L_attn, attention, network)
    return alternating(block(**attending, **_starting("mamba_layer", mamba_layers, L_mamba, state_space, network)))


def attention_and_linear(attention: Component, linear_attention: Component, *network: Component) -> Component:
    """Layers of linear attention and layers of attention, in any order, the same network after each."""
    attending, recurring = pre_norm(NORM, attention=attention, linear_attention=linear_attention)
    linear = _starting("linear_attention_layer", linear_attention_layers, L_linear, recurring, network)
    return alternating(block(**linear, **_starting("attention_layer", attention_layers, L_attn, attending, network)))


def doubled(positions: str = "") -> Component:
    """Attention that reads vectors of twice the hidden size and gives some of that size; scores are over √(d_head / 2)."""
    wide = attention(2 * h, n_heads, n_kv_heads, d_head, bias=False, causal=True, positions=positions, scaled=False)
    return with_output_width(wide, h)


def sharing_blocks(state_space: Component, transformer: Callable[[str], Component]) -> Component:
    """Layers with a state space, and layers before whose state space stands a transformer block: its own, or that of an earlier
    layer, in turn (Zamba; arXiv:2405.16712).

    ``transformer`` gives the block of the layers at a path, or one that is its own.
    """
    mamba_layer = block("mamba_layer", *pre_norm(NORM, state_space=state_space))
    owner = "decoder.hybrid_layers"
    own, shared = (
        _hybrid_layer(name, norm, transformer(path), state_space)
        for name, norm, path in (
            ("hybrid_layer", rms_norm(2 * h), ""),
            ("hybrid_shared_layer", tied(rms_norm(2 * h), f"{owner}.attention_norm"), owner),
        )
    )
    return alternating(
        block(
            mamba_layers=mamba_layers * (L_mamba * mamba_layer),
            hybrid_layers=hybrid_layers * (L_own * own),
            hybrid_shared_layers=hybrid_shared_layers * (L_shared * shared),
        )
    )


def _hybrid_layer(name: str, norm: Component, transformer: Component, state_space: Component) -> Component:
    """x + state_space(norm(x + projection(transformer(norm([x; embedding])))))."""
    before = block(concatenation=concatenation(TOKENS), attention_norm=norm)
    transformed = residual(before, transformer, hybrid_projection=linear(h, h, bias=False))
    return block(name, residual(transformed, state_space_norm=NORM, state_space=state_space))


def _starting(
    name: str, feature: Feature, number: Dimension, mixing: Component, network: Sequence[Component]
) -> dict[str, Component]:
    """The stack of so many layers that mix tokens by the same part, if a model has any."""
    return {f"{name}s": feature * (number * block(name, mixing, *network))}


def local_and_global(local: Component, whole: Component, local_shared: Component, whole_shared: Component) -> Component:
    """Layers with a window and layers without one in turn; those that share keys and values come after all that make them."""
    return block(
        own=alternating(block(own_local=local_layers * (L_local * local), own_global=global_layers * (L_global * whole))),
        sharing=sharing_layers
        * alternating(
            block(
                shared_local=local_shared_layers * (L_local_shared * local_shared),
                shared_global=global_shared_layers * (L_global_shared * whole_shared),
            )
        ),
    )


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
    heads: Mapping[str, Component] = MappingProxyType({}),
) -> Component:
    """A stack between the embedding and the heads: the language-model head, tied to the embedding, and the classifier.

    Each head, and further ``heads``, is there where the model has it.
    """
    return block(
        embeddings=embeddings,
        decoder=decoder,
        **{"final_norm" if norm.kind == RMS_NORM else "final_layer_norm": norm},
        lm_head=lm_head * output_head(h, V, bias=head_bias, tied_to=TOKENS),
        classifier=classifier * labels(),
        **heads,
    )

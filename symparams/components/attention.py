"""Attention: multi-head, with grouped queries, with its inputs stored as one matrix; norms and sinks put to it.

Latent, whose keys and values of all heads are made from one short vector (arXiv:2405.04434). To relative positions: the
projections of DeBERTa, the biases of Transformer-XL and XLNet.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from symparams.components.facts import (
    GLOBAL_QKV,
    KV,
    QKV,
    AttentionFacts,
    Blocks,
    Gate,
    Heads,
    Indexer,
    Latent,
    Projection,
    Tiles,
)
from symparams.components.kinds import Kind, Role, Use
from symparams.components.laws import Law, always, divides
from symparams.components.linear import linear
from symparams.components.norms import layer_norm, rms_norm
from symparams.components.patterns import Pattern, every
from symparams.components.tree import Component, Tensor, gated
from symparams.errors import DefinitionError
from symparams.expressions import symbols
from symparams.expressions.closed_form import multiply_out
from symparams.expressions.extent import size
from symparams.expressions.nodes import Dimension, Expression, Number, Operand, as_expression
from symparams.expressions.symbols import max_rel
from symparams.expressions.written import ONE
from symparams.features import Feature, content_to_position, position_to_content, relative_positions
from symparams.records import frozen

SINKS = Kind("sinks", Role.VECTOR)
AXIS_ATTENTION = Kind("axis_attention", Role.ATTENTION)
ROW_VECTORS, COLUMN_VECTORS = Kind("row_vectors", Role.VECTOR), Kind("column_vectors", Role.VECTOR)
LOCAL_GLOBAL_ATTENTION = Kind("local_global_attention", Role.ATTENTION)
BLOCK_ATTENTION, QUERY_SCALE = Kind("block_attention", Role.ATTENTION), Kind("query_scale", Role.VECTOR)
WINDOW_ATTENTION, WINDOW_BIASES = Kind("window_attention", Role.ATTENTION), Kind("window_biases", Role.VECTOR)

# What the catalogues call attention: by whether queries are grouped, inputs are one matrix, and where biases are.
KINDS: Mapping[tuple[bool, bool, str], str] = MappingProxyType(
    {
        (False, False, "all"): "attention",
        (False, True, "all"): "fused_attention",
        (False, False, "output"): "output_biased_attention",
        (False, False, "either"): "image_attention",
        (True, False, "all"): "grouped_query_attention",
        (True, False, "inputs"): "input_biased_attention",
        (True, True, "all"): "fused_grouped_query_attention",
    }
)
PARTLY_BIASED = "partly_biased_attention"


@frozen
class Biases:
    """The biases of attention: ``inputs`` on query, key and value, ``output`` on the output; each a bool or a feature.

    ``query`` is that of the query, if it is another than that of key and value: Biases(query=True) has no other. So is
    ``key`` that of the key.
    """

    inputs: Gate = False
    output: Gate = False
    query: Gate | None = None
    key: Gate | None = None

    @property
    def of_query(self) -> Gate:
        """The bias of the query."""
        return self.inputs if self.query is None else self.query

    @property
    def of_key(self) -> Gate:
        """The bias of the key."""
        return self.inputs if self.key is None else self.key

    @property
    def where(self) -> str:
        """The matrices with a bias: "all", only the "inputs", only the "output", "some" of the inputs, or "either" if a
        feature decides.
        """
        if self.of_query != self.inputs or self.of_key != self.inputs:
            return "some"
        if self.inputs == self.output:
            return "all"
        return "inputs" if self.output is False else "output" if self.inputs is False else "either"


def attention(
    width: Operand,
    n_heads: Operand,
    n_kv_heads: Operand | None = None,
    d_head: Operand | None = None,
    *,
    fused: bool = False,
    bias: Gate | Biases = True,
    causal: Gate | None = False,
    window: Operand | None = None,
    windowed: Pattern | None = None,
    positions: str = "",
    positioned: Pattern | None = None,
    positioned_in_windows: bool = False,
    reads: str = "",
    cached: bool = True,
    tiles: Tiles | None = None,
    scaled: bool = True,
    capped: str = "",
    chunked: bool = False,
    placed_by: str = "",
    on_zeros: bool = False,
) -> Component:
    """Multi-head attention: 3 × (h × h + h) for query, key and value, h × h + h for the output (arXiv:1706.03762).

    With ``n_kv_heads``, the n_heads query heads share n_kv_heads key-value heads (arXiv:2305.13245): h × n_heads·d_head for
    the query, 2 × (h × n_kv_heads·d_head) for key and value, n_heads·d_head × h for the output, each with a bias as long as
    its output. Otherwise d_head is h / n_heads. ``bias`` is a bool, a feature, or ``Biases``. ``fused`` stores query, key and
    value as one matrix; the count is the same.

    Facts of the data flow: ``causal``, None where nobody knows, and then there are none of these facts; ``window``, the
    number of tokens that a query sees, itself included, in the layers of the pattern ``windowed`` (every(2)), or in all;
    ``chunked``, True if windows stand side by side, so that it sees no token before its own chunk; ``positions``, in the
    layers of ``positioned``, or ``positioned_in_windows``, in those with a window; ``reads``, "encoder" in cross-attention;
    ``cached``, False if causal attention never generates tokens; ``tiles``, windows beside one another; ``scaled``, False if
    scores are not divided by √d_head; ``capped``, the name of the config's choice that brings them below a number;
    ``placed_by``, the path of what makes the positions that are "added";
    ``on_zeros``, True where the first layer reads zeros.
    """
    wide, heads = as_expression(width), as_expression(n_heads)
    head_width = as_expression(symbols.d_head if d_head is None else d_head)
    biases = bias if isinstance(bias, Biases) else Biases(bias, bias)
    if biases.of_key != biases.inputs and (fused or n_kv_heads is not None):
        raise DefinitionError("A bias of the key of its own needs a matrix for each head's key: leave out key of Biases.")
    if fused and biases.of_query != biases.inputs:
        raise DefinitionError("The fused matrix of query, key and value has one bias: leave out fused, or query of Biases.")
    laws: tuple[Law, ...]
    if n_kv_heads is None:
        shared, laws = heads, _cut(wide, heads, head_width)
        body = _whole(wide, heads, head_width, biases, fused=fused)
    elif d_head is None:
        raise DefinitionError("Grouped queries need the head size: write attention(h, n_heads, n_kv_heads, d_head).")
    else:
        shared = as_expression(n_kv_heads)
        laws, body = (divides(shared, heads),), _grouped(wide, heads, shared, head_width, biases, fused=fused)
    return Component(
        Kind(KINDS.get((n_kv_heads is not None, fused, biases.where), PARTLY_BIASED), Role.ATTENTION),
        body=body,
        attending=None
        if causal is None
        else AttentionFacts(
            Heads(heads, head_width),
            Heads(shared, head_width),
            causal,
            None if window is None else as_expression(window),
            windowed,
            positions,
            positioned,
            positioned_in_windows=positioned_in_windows,
            cached=cached,
            tiles=tiles,
            scaled=scaled,
            capped=capped,
            chunked=chunked,
            placed_by=placed_by,
            on_zeros=on_zeros,
            values=size(wide) if n_kv_heads is None else None,
        ),
        reads=reads,
        laws=laws,
    )


def fused_cross_attention(
    width: Operand, n_heads: Operand, d_head: Operand = symbols.d_head, *, bias: Gate = True
) -> Component:
    """Attention to the encoder with key and value as one matrix: h × h + h, h × 2h + 2h, and h × h + h for the output."""
    wide, heads = as_expression(width), Heads(as_expression(n_heads), as_expression(d_head))
    return Component(
        Kind("fused_cross_attention", Role.ATTENTION),
        body=(
            ("query", linear(wide, wide, bias=bias, heads=heads, makes=(Projection.QUERY,))),
            ("key_value", linear(wide, 2 * wide, bias=bias, heads=replace(heads, matrices=2), makes=KV)),
            ("output", linear(wide, wide, bias=bias, makes=(Projection.OUTPUT,))),
        ),
        attending=AttentionFacts(heads, heads, values=size(wide)),
        reads="encoder",
        laws=_cut(wide, heads.number, heads.width),
    )


def wide_attention(
    width: Operand, n_heads: Operand, d_head: Operand, *, bias: Gate = False, reads: str = "", **facts: Any
) -> Component:
    """Attention whose inner width n_heads·d_head is not h: 4 × h × n_heads·d_head (T5, arXiv:1910.10683).

    With a ``bias``, 3 × n_heads·d_head + h more.
    """
    heads = Heads(as_expression(n_heads), as_expression(d_head))
    inner = heads.number * heads.width
    inputs = {made.name.lower(): linear(width, inner, bias=bias, heads=heads, makes=(made,)) for made in QKV}
    return Component(
        Kind("wide_attention", Role.ATTENTION),
        body=(*inputs.items(), ("output", linear(inner, width, bias=bias, makes=(Projection.OUTPUT,)))),
        attending=AttentionFacts(heads, heads, **facts),
        reads=reads,
    )


def keyless_bias_attention(width: Operand, n_heads: Operand, d_head: Operand, *, reads: str = "", **facts: Any) -> Component:
    """Attention without a bias on the key, where it would not change the scores: 4 × h × h + 3 × h (arXiv:2212.04356)."""
    heads = Heads(as_expression(n_heads), as_expression(d_head))
    projections = {
        made.name.lower(): linear(width, width, bias=made is not Projection.KEY, makes=(made,))
        for made in (*QKV, Projection.OUTPUT)
    }
    return Component(
        Kind("keyless_bias_attention", Role.ATTENTION),
        body=tuple(projections.items()),
        attending=AttentionFacts(heads, heads, values=size(width), **facts),
        reads=reads,
        laws=_cut(as_expression(width), heads.number, heads.width),
    )


def with_query_key_norms(
    attention: Component, query_norm: Component, key_norm: Component, *, turned_first: bool = False
) -> Component:
    """Return attention with norms of queries and keys (Henry et al., 2020, arXiv:2010.04245).

    They come before the positions turn queries and keys, or after that where these are ``turned_first``.
    """
    if attention.kind.role is not Role.ATTENTION:
        raise DefinitionError(f"{attention.kind} has no queries and keys to normalise: give attention(h, n_heads).")
    attending = None if attention.attending is None else replace(attention.attending, normed=True, turned_first=turned_first)
    norms = (
        ("query_norm", replace(query_norm, makes=(Projection.QUERY,))),
        ("key_norm", replace(key_norm, makes=(Projection.KEY,))),
    )
    return replace(attention, body=(*attention.body, *norms), attending=attending)


def with_output_gate(attention: Component) -> Component:
    """Return attention whose output is multiplied by a sigmoid gate before the output projection (arXiv:2505.06708).

    The matrix of the queries makes a gate beside each query: h × 2·n_heads·d_head in place of h × n_heads·d_head.
    """
    parts = dict(attention.body)
    query = parts.get("query")
    if query is None or query.heads is None or query.makes != (Projection.QUERY,):
        raise DefinitionError(
            f"{attention.kind} has no matrix of queries alone: give attention(h, n_heads, n_kv_heads, d_head)."
        )
    wide = tuple(replace(tensor, shape=(*tensor.shape[:-1], size(2 * tensor.shape[-1]))) for tensor in query.tensors)
    both = replace(query, tensors=wide, heads=replace(query.heads, matrices=2), makes=(Projection.QUERY, Projection.GATE))
    body = tuple(("query_gate", both) if part is query else (name, part) for name, part in attention.body)
    return replace(attention, kind=Kind("output_gated_attention", Role.ATTENTION), body=body)


def with_output_width(attention: Component, width: Operand) -> Component:
    """Return attention whose output has another width than its input: n_heads·d_head × width (Zamba; arXiv:2405.16712)."""
    parts = dict(attention.body)
    if "output" not in parts:
        raise DefinitionError(f"{attention.kind} has no matrix of the output: give attention(h, n_heads, n_kv_heads, d_head).")
    narrow = tuple(replace(tensor, shape=(*tensor.shape[:-1], size(width))) for tensor in parts["output"].tensors)
    return replace(attention, body=tuple((parts | {"output": replace(parts["output"], tensors=narrow)}).items()))


def with_value_norm(attention: Component, norm: Component) -> Component:
    """Return attention with a norm of the values as well (Gemma 3n; Gemma Team, 2025)."""
    return replace(attention, body=(*attention.body, ("value_norm", replace(norm, makes=(Projection.VALUE,)))))


def with_one_key_value(attention: Component, feature: Feature) -> Component:
    """Return attention in which one matrix makes keys and values, if the model has the feature: h × n_kv_heads·d_head for both.

    What comes after the matrix, norms and positions, tells keys and values apart, and both are cached.
    """
    body: list[tuple[str, Component]] = []
    for name, part in attention.body:
        is_of_both = part.makes == KV and part.role is Role.MATRIX
        body += [(name, ~feature * part), (name, feature * replace(part, times=ONE))] if is_of_both else [(name, part)]
    return replace(attention, body=tuple(body))


def has_one_key_value(attention: Component) -> bool:
    """True if one matrix makes keys that are the values too, and no second one stands beside or in it."""
    made = [part for _, part in attention.body if part.makes == KV and part.role is Role.MATRIX and part.heads]
    return [(part.times, part.heads.matrices) for part in made if part.heads] == [(ONE, 1)]


def sharing(attention: Component) -> Component:
    """Return attention to the keys and values of an earlier layer: without matrices and norms for them, and without a cache.

    h × n_heads·d_head for the query and n_heads·d_head × h for the output (Brandon et al., 2024, arXiv:2405.12981).
    """
    if attention.attending is None or attention.reads:
        raise DefinitionError(f"{attention.kind} makes no keys and values of its own: give attention(h, n_heads, causal=True).")
    body = tuple((name, part) for name, part in attention.body if not {*part.makes} & {*KV})
    return replace(attention, body=body, attending=replace(attention.attending, cached=False, shares=True))


def window_attention(
    width: Operand, n_heads: Operand, d_head: Operand, window: Operand, *, bias: Gate | Biases = True
) -> Component:
    """Attention within windows of M × M patches, shifted by half a window in every other layer (Swin, arXiv:2103.14030).

    4 × (h × h + h), and (2·M - 1)² × n_heads biases: a number for each head and each way from one patch of a window to another.
    """
    side, tiles = size(window), Tiles(size(window) ** 2, shifted=every(2, offset=1))
    plain = attention(width, n_heads, d_head=d_head, bias=bias, tiles=tiles, positions="relative bias")
    biases = Tensor("weight", ((2 * side - 1) ** 2, size(n_heads)), Use.WEIGHT)
    table = Component(WINDOW_BIASES, tensors=(biases,))
    return replace(plain, kind=WINDOW_ATTENTION, body=(*plain.body, ("position_bias", table)))


def axis_attention(
    width: Operand, n_heads: Operand, d_head: Operand, side: Operand, *, bias: Gate | Biases, tiles: Tiles | None = None
) -> Component:
    """Attention whose queries meet vectors of relative rows and columns, in a square of so many patches a side (SAM's ViT).

    4 × (h × h + h), and two arrays of (2·side - 1) × d_head, which all heads share (Li et al., 2022, arXiv:2112.01526).
    """
    plain = attention(width, n_heads, d_head=d_head, fused=True, bias=bias, tiles=tiles, positions="relative")
    assert plain.attending is not None
    vectors = (Tensor("weight", (2 * size(side) - 1, size(d_head)), Use.WEIGHT),)
    rows, columns = (Component(kind, tensors=vectors) for kind in (ROW_VECTORS, COLUMN_VECTORS))
    tables = (("row_positions", relative_positions * rows), ("column_positions", relative_positions * columns))
    return replace(
        plain,
        kind=AXIS_ATTENTION,
        body=(*plain.body, *tables),
        attending=replace(plain.attending, relative=relative_positions, axes=size(side)),
    )


def local_global_attention(
    width: Operand, n_heads: Operand, window: Operand, d_head: Operand = symbols.d_head, *, bias: Gate = True
) -> Component:
    """Attention to a window around each token, and of some global tokens to all (Longformer, Beltagy et al., 2020,
    arXiv:2004.05150).

    4 × (h × h + h), and 3 × (h × h + h) for the queries of the global tokens, which the input chooses, and for the keys and
    values that they meet. All others meet the global tokens, too, by the queries, keys and values of their own window.
    """
    plain = attention(width, n_heads, d_head=d_head, bias=bias, window=window)
    assert plain.attending is not None
    for_global = 3 * linear(width, width, bias=bias, makes=GLOBAL_QKV)
    inputs, output = plain.body
    return replace(
        plain,
        kind=LOCAL_GLOBAL_ATTENTION,
        body=(inputs, ("global_query_key_value", for_global), output),
        attending=replace(plain.attending, banded=True),
    )


def block_attention(
    width: Operand, n_heads: Operand, d_head: Operand, *, blocks: Blocks, distances: Operand, **facts: Any
) -> Component:
    """Attention in blocks of frames, whose queries also meet keys of relative positions (Gemma 3n and 4, after Dai
    et al., 2019, arXiv:1901.02860).

    4 × h × h for query, key, value and output, and h × h for the keys of the ``distances``. Softplus of d_head numbers scales
    the components of the queries, of all heads alike.
    """
    plain = attention(width, n_heads, d_head=d_head, bias=False, positions="relative", cached=False, **facts)
    assert plain.attending is not None
    inputs, output = plain.body
    scale = Component(QUERY_SCALE, tensors=(Tensor("weight", (size(d_head),), Use.WEIGHT),))
    position = replace(linear(width, width, bias=False, makes=(Projection.POSITION_KEY,)), reads_data=True, is_once=True)
    return replace(
        plain,
        kind=BLOCK_ATTENTION,
        body=(inputs, output, ("position_key", position), ("query_scale", scale)),
        attending=replace(plain.attending, relative=True, distances=size(distances), blocks=blocks),
    )


def with_sinks(attention: Component, n_heads: Operand) -> Component:
    """Return attention with an extra score per head, so that it can attend to nothing: n_heads (arXiv:2508.10925)."""
    sinks = Component(SINKS, tensors=(Tensor("weight", (size(n_heads),), Use.WEIGHT),))
    return replace(attention, kind=Kind("sink_attention", Role.ATTENTION), body=(*attention.body, (SINKS.name, sinks)))


def _whole(
    width: Expression, n_heads: Expression, d_head: Expression, bias: Biases, *, fused: bool
) -> tuple[tuple[str, Component], ...]:
    output = ("output", linear(width, width, bias=bias.output, makes=(Projection.OUTPUT,)))
    heads = Heads(n_heads, d_head)
    if bias.of_key != bias.inputs:
        of_each = zip(QKV, (bias.of_query, bias.of_key, bias.inputs), strict=True)
        apart = ((made.name.lower(), linear(width, width, bias=own, heads=heads, makes=(made,))) for made, own in of_each)
        return *apart, output
    if bias.of_query != bias.inputs:
        query = linear(width, width, bias=bias.of_query, heads=heads, makes=(Projection.QUERY,))
        return ("query", query), ("key_value", 2 * linear(width, width, bias=bias.inputs, heads=heads, makes=KV)), output
    inputs = (
        linear(width, 3 * width, bias=bias.inputs, heads=Heads(n_heads, d_head, 3), makes=QKV)
        if fused
        else 3 * linear(width, width, bias=bias.inputs, heads=heads, makes=QKV)
    )
    return ("query_key_value", inputs), output


def _grouped(
    width: Expression, n_heads: Expression, n_kv_heads: Expression, d_head: Expression, bias: Biases, *, fused: bool
) -> tuple[tuple[str, Component], ...]:
    query, key_value = n_heads * d_head, n_kv_heads * d_head
    output = ("output", linear(query, width, bias=bias.output, makes=(Projection.OUTPUT,)))
    if fused:
        return ("query_key_value", linear(width, (n_heads + 2 * n_kv_heads) * d_head, bias=bias.inputs, makes=QKV)), output
    return (
        ("query", linear(width, query, bias=bias.of_query, heads=Heads(n_heads, d_head), makes=(Projection.QUERY,))),
        ("key_value", 2 * linear(width, key_value, bias=bias.inputs, heads=Heads(n_kv_heads, d_head), makes=KV)),
        output,
    )


def _cut(width: Expression, n_heads: Expression, d_head: Expression) -> tuple[Law, ...]:
    """The law by which heads fill the width; a head whose width is not a letter must do so as it stands."""
    if isinstance(d_head, Dimension):
        return (always(d_head, width / n_heads),)
    if multiply_out(n_heads * d_head, {}) != multiply_out(width, {}):
        raise DefinitionError(
            f"{n_heads!r} heads of size {d_head!r} do not add up to {width!r}: leave d_head out, or write wide_attention(…)."
        )
    return ()


LATENT_ATTENTION = Kind("latent_attention", Role.ATTENTION)
COMPRESSED = (Projection.COMPRESSED_KEY_VALUE,)


def latent_attention(
    width: Operand,
    n_heads: Operand,
    *,
    low_rank_query: Feature,
    r_q: Operand,
    r_kv: Operand,
    d_nope: Operand,
    d_rope: Operand,
    d_v: Operand,
    bias: Gate = False,
) -> Component:
    """Causal attention with compressed keys and values of r_kv numbers and queries of r_q (DeepSeek-V2, section 2.1).

    Keys and values: h × (r_kv + d_rope) down, which includes the part of the key that RoPE rotates, a norm of r_kv, and r_kv ×
    n_heads·(d_nope + d_v) up. Queries: h × r_q down, a norm of r_q, and r_q × n_heads·(d_nope + d_rope) up; without
    ``low_rank_query`` one matrix, h × n_heads·(d_nope + d_rope). Output: n_heads·d_v × h. Only the down-projections and the
    output can have a ``bias``.
    """
    heads = Heads(size(n_heads), size(d_nope) + d_rope)
    latent = Latent(size(r_kv), size(d_rope), size(d_nope), size(d_v))
    queries, values = heads.number * heads.width, size(n_heads) * d_v
    return Component(
        LATENT_ATTENTION,
        body=(
            ("query", ~low_rank_query * linear(width, queries, bias=False, makes=(Projection.QUERY,))),
            ("query_down", low_rank_query * linear(width, r_q, bias=bias, makes=(Projection.COMPRESSED_QUERY,))),
            ("query_norm", low_rank_query * replace(rms_norm(r_q), makes=(Projection.COMPRESSED_QUERY,))),
            ("query_up", low_rank_query * linear(r_q, queries, bias=False, makes=(Projection.QUERY,))),
            ("key_value_down", linear(width, size(r_kv) + d_rope, bias=bias, makes=(*COMPRESSED, Projection.ROTARY_KEY))),
            ("key_value_norm", replace(rms_norm(r_kv), makes=COMPRESSED)),
            ("key_value_up", linear(r_kv, size(n_heads) * (size(d_nope) + d_v), bias=False, makes=KV)),
            ("output", linear(values, width, bias=bias, makes=(Projection.OUTPUT,))),
        ),
        attending=AttentionFacts(
            heads, heads, causal=True, positions="rotary", values=size(values), latent=latent, scaled=False
        ),
    )


def with_indexer(
    attention: Component, width: Operand, r_q: Operand, n_heads: Operand, d_head: Operand, keys: Operand
) -> Component:
    """Return latent attention whose queries attend to ``keys`` tokens that an indexer picks (DeepSeek-V3.2, arXiv:2512.02556).

    Its queries are made of the compressed ones, r_q × n_heads·d_head; its heads share one key, h × d_head, which passes a
    LayerNorm, 2·d_head; h × n_heads weighs their scores, of which no gradient comes back.
    """
    if attention.attending is None or attention.attending.latent is None:
        raise DefinitionError(f"{attention.kind} has no compressed queries to index by: give latent_attention(…).")
    heads = Heads(size(n_heads), size(d_head))
    parts = (
        ("index_query", linear(r_q, heads.inner, bias=False, makes=(Projection.INDEX_QUERY,))),
        ("index_key", linear(width, d_head, bias=False, makes=(Projection.INDEX_KEY,))),
        ("index_key_norm", replace(layer_norm(d_head), makes=(Projection.INDEX_KEY,))),
        ("index_weights", linear(width, n_heads, bias=False, makes=(Projection.INDEX_WEIGHTS,))),
    )
    facts = replace(attention.attending, indexer=Indexer(heads, size(keys)))
    return replace(attention, body=(*attention.body, *parts), attending=facts)


DISENTANGLED_ATTENTION = Kind("disentangled_attention", Role.ATTENTION)
FUSED_DISENTANGLED_ATTENTION = Kind("fused_disentangled_attention", Role.ATTENTION)
QUERY_BIAS, VALUE_BIAS = Kind("bias_of_query", Role.VECTOR), Kind("bias_of_value", Role.VECTOR)
RELATIVE_ATTENTION = Kind("relative_attention", Role.ATTENTION)
PROJECTION = Kind("linear", Role.MATRIX)
POSITION_BIASES, SEGMENT_VECTORS = Kind("position_biases", Role.VECTOR), Kind("segment_vectors", Role.VECTOR)
MASK_EMBEDDING = Kind("mask_embedding", Role.VECTOR)
SEGMENT_RELATIONS = Number(2)  # the same segment, and another


def disentangled_attention(
    width: Operand,
    n_heads: Operand,
    distances: Operand = 2 * max_rel,
    *,
    bias: Gate = True,
    relative: Gate = relative_positions,
) -> Component:
    """Attention whose relative positions have keys and queries (He et al., 2021, arXiv:2006.03654).

    4 × (h × h + h), and h × h + h for each of the model's projections of positions, if it has the feature ``relative``, with
    so many ``distances``.
    """
    plain = attention(width, n_heads, bias=bias, positions="relative", scaled=False)
    assert plain.attending is not None
    key = content_to_position * linear(width, width, bias=bias, makes=(Projection.POSITION_KEY,))
    query = position_to_content * linear(width, width, bias=bias, makes=(Projection.POSITION_QUERY,))
    return Component(
        DISENTANGLED_ATTENTION,
        body=(*plain.body, ("position_key", key), ("position_query", query)),
        attending=replace(plain.attending, relative=relative, distances=size(distances), shared_projections=True),
        laws=plain.laws,
    )


def fused_disentangled_attention(
    width: Operand,
    n_heads: Operand,
    distances: Operand = 2 * max_rel,
    *,
    bias: Gate = True,
    relative: Gate = relative_positions,
) -> Component:
    """Disentangled attention with its inputs in one matrix, as the first DeBERTa stores it (He et al., 2020, arXiv:2006.03654).

    h × 3h without biases for query, key and value, h each for the biases of query and value, h × h + h for the output; h × h
    for the keys of positions and h × h + h for their queries, of the ``distances`` that a sequence has.
    """
    plain = attention(width, n_heads, fused=True, bias=Biases(False, bias), positions="relative", scaled=False)
    assert plain.attending is not None
    inputs, output = plain.body
    vector = gated(Tensor("bias", (size(width),), Use.BIAS), bias)
    key = content_to_position * linear(width, width, bias=False, makes=(Projection.POSITION_KEY,))
    query = position_to_content * linear(width, width, bias=bias, makes=(Projection.POSITION_QUERY,))
    return Component(
        FUSED_DISENTANGLED_ATTENTION,
        body=(
            inputs,
            ("query_bias", Component(QUERY_BIAS, tensors=vector)),
            ("value_bias", Component(VALUE_BIAS, tensors=vector)),
            output,
            ("position_key", key),
            ("position_query", query),
        ),
        attending=replace(plain.attending, relative=relative, distances=size(distances), clipped=True),
        laws=plain.laws,
    )


def relative_attention(width: Operand, n_heads: Operand, d_head: Operand, *, causal: Gate = False) -> Component:
    """Attention with a projection of relative positions (Yang et al., 2019, arXiv:1906.08237, after arXiv:1901.02860).

    5 × h × n_heads × d_head for query, key, value, position and output; 3 × n_heads × d_head for the biases of the query
    towards content, position and segment; 2 × n_heads × d_head for whether two tokens share a segment.
    """
    heads = Heads(size(n_heads), size(d_head))
    projection = Component(PROJECTION, tensors=(Tensor("weight", (size(width), heads.number, heads.width), Use.WEIGHT),))
    query_key_value, position = (
        replace(projection, makes=QKV),
        replace(projection, makes=(Projection.POSITION_KEY,), reads_data=True),
    )
    query_bias = Component(POSITION_BIASES, tensors=(Tensor("bias", (heads.number, heads.width), Use.BIAS),))
    relations = Tensor("weight", (SEGMENT_RELATIONS, heads.number, heads.width), Use.WEIGHT)
    return Component(
        RELATIVE_ATTENTION,
        body=(
            ("query_key_value", 3 * query_key_value),
            ("position", position),
            ("output", replace(projection, makes=(Projection.OUTPUT,))),
            ("position_biases", 3 * query_bias),
            ("segment_vectors", Component(SEGMENT_VECTORS, tensors=(relations,))),
        ),
        attending=AttentionFacts(heads, heads, causal, positions="relative", cached=False, relative=True),
    )


def mask_embedding(width: Operand) -> Component:
    """The vector that replaces a token to be predicted, stored as 1 × 1 × h (XLNet; arXiv:1906.08237)."""
    return Component(MASK_EMBEDDING, tensors=(Tensor("weight", (ONE, ONE, size(width)), Use.WEIGHT),))

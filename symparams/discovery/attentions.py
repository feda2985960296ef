"""Attention by the names and sizes of its matrices: apart or fused, grouped, normed, gated, latent, to an encoder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from symparams.components import Biases, Component, attention, fused_cross_attention, latent_attention, linear
from symparams.components.attention import KINDS, PARTLY_BIASED, SINKS
from symparams.components.facts import KV, QKV, AttentionFacts, Heads, Projection, Stream
from symparams.components.kinds import Kind, Role
from symparams.components.laws import Binding, Law, always
from symparams.discovery.leaves import BIAS, WEIGHT, Matrix, alone, leaf, matrix, quotient, same
from symparams.discovery.names import Modules, Sublayer, Surroundings, all_of, first, is_called, names
from symparams.discovery.parts import Part
from symparams.expressions.closed_form import closed_form
from symparams.expressions.nodes import Dimension, Expression
from symparams.expressions.symbols import letter as as_letter
from symparams.expressions.written import ONE, exact
from symparams.features import Feature

IN_ARRAYS = "in_proj"
QUERY_AND_GATE = "query_gate"
ARRAYS: Mapping[str, Sequence[str]] = {IN_ARRAYS: ("in_proj_weight", "in_proj_bias")}
NOT_THERE = Feature("not_there")  # of latent attention whose queries come from a short vector in all models, or in none


def attentions(part: Part, modules: Modules, around: Surroundings) -> Iterator[Sublayer]:
    """Attention whose query, key and value are matrices of their own, or one."""
    known = names()["attention"]
    if any(word in part.of.lower() for word in known["unscored"]) or _holds(part, known["recurrent"]):
        return
    is_inside = any(word in text.lower() for word in known["inside"] for text in (part.name, part.of))
    outputs = [*known["output"], *(known["loose"] if is_inside else ())]
    output = first(modules, outputs)
    if not output:
        return
    modules = {**modules, **_of_arrays(modules)}
    for around_inputs in known["within"]:
        prefix = f"{around_inputs}." if around_inputs else ""
        fused = first(modules, [*known["query_key_value"], IN_ARRAYS], prefix)
        apart = [first(modules, known[name], prefix) for name in ("query", "key", "value")]
        together = apart[0] and (fused or first(modules, known["key_value"], prefix))
        inputs = apart if all(apart) else [apart[0], together] if together else [fused] if fused else []
        if not inputs:
            continue
        is_cross = part.name in known["cross"]
        found = all_of(*(matrix(modules[path]) for path in (*inputs, output)))
        manner = {1: _fused, 2: _beside, 3: _apart}[len(inputs)]
        body = found and manner(found, around)
        if not body or (manner is _beside and not is_cross):
            continue
        extras = {
            name: path
            for name in ("query_norm", "key_norm", "gate", "sinks")
            if (path := first(modules, known[name]) or first(modules, known[name], prefix))
        }
        paths = [path for name in (*inputs, output) for path in ARRAYS.get(name, [name]) if path in modules]
        yield from _with_extras(body, paths, extras, modules, is_cross=is_cross)


def _holds(part: Part, known: Sequence[str]) -> bool:
    """True if a module or an array of one of these names stands in a part."""
    return any(rule.name in known for rule in part.arrays) or any(
        inner.name in known or _holds(inner, known) for inner in part.parts
    )


def _of_arrays(modules: Modules) -> dict[str, Part]:
    """The matrix of query, key and value where it and its bias are arrays of attention itself."""
    weight, bias = (modules.get(name) for name in ARRAYS[IN_ARRAYS])
    if weight is None:
        return {}
    rules = [replace(weight.arrays[0], name=WEIGHT), *([replace(bias.arrays[0], name=BIAS)] if bias is not None else [])]
    return {IN_ARRAYS: Part(IN_ARRAYS, "", arrays=tuple(rules))}


def _with_extras(
    body: Component, paths: Sequence[str], extras: Mapping[str, str], modules: Modules, *, is_cross: bool
) -> Iterator[Sublayer]:
    """Attention with what its module has besides; without it where that does not fit."""
    made, used = body, [*paths]
    parts = list(made.body)
    for name, path in extras.items():
        extra = _extra(name, modules[path])
        if extra is not None:
            extra = _by_law(extra, made.laws)
            parts.append((name, extra))
            used.append(path)
    present = dict(parts)
    attending = made.attending
    if attending is not None and {"query_norm", "key_norm"} <= present.keys():
        attending = replace(attending, normed=True)
    if is_cross:
        attending = None if attending is None else replace(attending, causal=False)
        made = replace(made, reads=Stream.ENCODER)
    kind = Kind("sink_attention", Role.ATTENTION) if "sinks" in present else made.kind
    made = replace(made, body=tuple(parts), attending=attending, kind=kind)
    yield Sublayer("cross_attention" if is_cross else "attention", made, frozenset(used))


def _by_law(extra: Component, laws: Sequence[Law]) -> Component:
    """A part whose sides are written by the letter of a head's size where a law says what that is."""

    def side(size: Expression) -> Expression:
        return next((law.subject for law in laws if law.binding is Binding.ALWAYS and same(law.value, size)), size)

    return replace(extra, tensors=tuple(replace(tensor, shape=tuple(map(side, tensor.shape))) for tensor in extra.tensors))


def _extra(name: str, module: Part) -> Component | None:
    if name == "gate":
        gate = matrix(module)
        return None if gate is None else linear(gate.inputs, gate.outputs, bias=gate.bias, makes=(Projection.GATE,))
    if name == "sinks":
        return replace(alone(module.arrays[0]), kind=SINKS) if len(module.arrays) == 1 else None
    made = leaf(module)
    makes = (Projection.QUERY,) if name == "query_norm" else (Projection.KEY,)
    return replace(made, makes=makes, when=module.when) if made.role is Role.NORM else None


def _apart(matrices: Sequence[Matrix], around: Surroundings) -> Component | None:
    """Attention of four matrices."""
    query, key, value, output = matrices
    width = query.inputs
    if not all(same(size, width) for size in (output.outputs, key.inputs, value.inputs)) or _is_wider(
        key.outputs, query.outputs
    ):
        return None
    if same(key.outputs, value.outputs) and same(query.outputs, 2 * output.inputs):
        return _with_gate(query, key, value, output, around)
    if not same(key.outputs, value.outputs):  # values of another size than keys, in each head
        alike = same(query.outputs * value.outputs, key.outputs * output.inputs)
        return _of_four(query, key, value, output) if alike and not same(output.inputs, query.outputs) else None
    if not same(output.inputs, query.outputs):
        return None
    if key.bias != value.bias:
        return _of_four(query, key, value, output)
    biases = Biases(key.bias, output.bias, query.bias)
    return _attention(width, query.outputs, key.outputs, biases, around, fused=False)


def _fused(matrices: Sequence[Matrix], around: Surroundings) -> Component | None:
    """Attention whose query, key and value are one matrix."""
    inputs, output = matrices
    width, queries = inputs.inputs, output.inputs
    rest = closed_form((inputs.outputs - queries) / 2, {})
    if not same(output.outputs, width) or not rest.dimensions:
        return None
    if not quotient(rest, queries).dimensions and not same(rest, queries):
        return None  # as of key and value alone
    return _attention(width, queries, rest, Biases(inputs.bias, output.bias), around, fused=True)


def _beside(matrices: Sequence[Matrix], around: Surroundings) -> Component | None:
    """Attention to an encoder whose key and value are one matrix beside that of the query."""
    query, key_value, output = matrices
    width = query.inputs
    sizes = (query.outputs, output.inputs, output.outputs, key_value.inputs, key_value.outputs / 2)
    if not all(same(size, width) for size in sizes) or len({repr(one.bias) for one in matrices}) > 1:
        return None
    heads, _, d_head = _heads(width, width, width, around)
    made = fused_cross_attention(width, heads or ONE, width if heads is None or d_head is None else d_head, bias=query.bias)
    if heads is not None:
        return replace(made, attending=replace(made.attending, scaled=False) if made.attending and around.causal else None)
    return replace(made, attending=None, laws=(), body=tuple((name, replace(inner, heads=None)) for name, inner in made.body))


def _is_wider(keys: Expression, queries: Expression) -> bool:
    """True if keys are wider than the queries that they meet, whatever the sizes are."""
    ratio = quotient(keys, queries)
    return not ratio.dimensions and exact(ratio, {}) > 1


def _of_four(query: Matrix, key: Matrix, value: Matrix, output: Matrix) -> Component:
    makes = (Projection.QUERY, Projection.KEY, Projection.VALUE, Projection.OUTPUT)
    body = tuple(
        (made.name.lower(), linear(one.inputs, one.outputs, bias=one.bias, makes=(made,)))
        for made, one in zip(makes, (query, key, value, output), strict=True)
    )
    return Component(Kind(PARTLY_BIASED, Role.ATTENTION), body=body)


def _with_gate(query: Matrix, key: Matrix, value: Matrix, output: Matrix, around: Surroundings) -> Component:
    """Attention whose query's matrix makes a gate of the output, too."""
    made = _of_four(query, key, value, output)
    (_, inputs), *others = made.body
    body = ((QUERY_AND_GATE, replace(inputs, makes=(Projection.QUERY, Projection.GATE))), *others)
    heads, kv_heads, d_head = _heads(query.inputs, output.inputs, key.outputs, around)
    if heads is None or kv_heads is None or d_head is None or not around.causal:
        return replace(made, body=body)
    laws = _laws(d_head, quotient(output.inputs, heads), around)
    facts = AttentionFacts(Heads(heads, d_head), Heads(kv_heads, d_head), causal=True, scaled=False)
    return replace(made, body=body, attending=facts, laws=laws)


def _laws(d_head: Expression, value: Expression, around: Surroundings) -> tuple[Law, ...]:
    """What the size of a head always is, where that is a letter which no config gives."""
    return (always(d_head, value),) if isinstance(d_head, Dimension) and d_head.name not in around.letters else ()


def _attention(
    width: Expression, queries: Expression, keys: Expression, biases: Biases, around: Surroundings, *, fused: bool
) -> Component | None:
    """Attention of these widths: with its heads where a letter says how many there are, else without."""
    heads, kv_heads, d_head = _heads(width, queries, keys, around)
    is_whole = same(queries, width) and same(keys, width)
    if heads is None or d_head is None or kv_heads is None:
        return _headless(width, queries, keys, biases, is_whole=is_whole, fused=fused)
    if is_whole:
        made = attention(width, heads, d_head=d_head, bias=biases, fused=fused, causal=True, scaled=False)
    else:
        made = attention(width, heads, kv_heads, d_head, bias=biases, fused=fused, causal=True, scaled=False)
        made = replace(made, laws=_laws(d_head, quotient(queries, heads), around))  # not that the one divides the other
    return made if around.causal else replace(made, attending=None)


def _heads(
    width: Expression, queries: Expression, keys: Expression, around: Surroundings
) -> tuple[Expression | None, Expression | None, Expression | None]:
    """The number of heads, of key-value heads, and the size of one, where letters tell them."""
    in_sizes = _of_heads(letter.name for size in (queries, keys) for letter in size.dimensions)
    known = in_sizes or _of_heads(around.letters)
    if len(known) != 1 or not (in_sizes or same(queries, width)):
        return None, None, None
    n_heads = as_letter(known[0])
    d_head = quotient(queries, n_heads)
    called = names()["letters"]
    own = as_letter(known[0].replace(called["heads"], called["head_size"]))
    kv_heads = quotient(keys, d_head)
    if not same(kv_heads * d_head, keys):
        return None, None, None
    return n_heads, kv_heads, d_head if n_heads not in d_head.dimensions or own.name in around.letters else own


def _of_heads(letters: Iterable[str]) -> list[str]:
    """Those of some letters that are numbers of heads, in order."""
    return sorted({name for name in letters if is_called(name, names()["letters"]["heads"])})


def _headless(
    width: Expression, queries: Expression, keys: Expression, biases: Biases, *, is_whole: bool, fused: bool
) -> Component | None:
    """Attention of which nothing tells the number of heads."""
    output = ("output", linear(queries, width, bias=biases.output, makes=(Projection.OUTPUT,)))
    kind = Kind(KINDS.get((not is_whole, fused, biases.where), PARTLY_BIASED), Role.ATTENTION)
    if fused:
        outputs = 3 * queries if same(queries, keys) else queries + 2 * keys
        return Component(kind, body=(("query_key_value", linear(width, outputs, bias=biases.inputs, makes=QKV)), output))
    if is_whole and biases.of_query == biases.inputs:
        together = 3 * linear(width, width, bias=biases.inputs, makes=QKV)
        return Component(kind, body=(("query_key_value", together), output))
    query = linear(width, queries, bias=biases.of_query, makes=(Projection.QUERY,))
    key_value = 2 * linear(width, keys, bias=biases.inputs, makes=KV)
    return Component(kind, body=(("query", query), ("key_value", key_value), output))


def latent_attentions(part: Part, modules: Modules, around: Surroundings) -> Iterator[Sublayer]:
    """Attention whose keys and values come from one short vector, and its queries maybe from another."""
    known = names()["latent_attention"]
    found = {name: path for name, spelled in known.items() if (path := first(modules, spelled))}
    norms = {name: modules[found[name]] for name in ("query_norm", "key_value_norm") if name in found}
    layers = {name: replace(modules[path], when=()) for name, path in found.items() if name not in norms}
    made = {name: one for name, module in layers.items() if (one := matrix(module)) is not None}
    letters = list(map(as_letter, _of_heads(around.letters)))
    if not {"key_value_down", "key_value_up", "output"} <= made.keys() or "key_value_norm" not in norms:
        return
    for n_heads in letters:
        body = _latent(made, n_heads, norms, {name: modules[path].when for name, path in found.items()})
        if body is not None:
            yield Sublayer("attention", body if around.causal else replace(body, attending=None), frozenset(found.values()))


def _latent(
    made: Mapping[str, Matrix], n_heads: Expression, norms: Mapping[str, Part], when: Mapping[str, tuple[Feature, ...]]
) -> Component | None:
    down, up, output = made["key_value_down"], made["key_value_up"], made["output"]
    r_kv = up.inputs
    d_rope, d_v = closed_form(down.outputs - r_kv, {}), quotient(output.inputs, n_heads)
    d_nope = closed_form(quotient(up.outputs, n_heads) - d_v, {})
    queries = made.get("query_up") or made.get("query")
    if queries is None or not same(queries.outputs, n_heads * (d_nope + d_rope)):
        return None
    compressed = made.get("query_down")
    is_either = "query" in made and compressed is not None
    low_rank = NOT_THERE
    if is_either:
        if len(when["query_down"]) != 1 or when["query"] != (~when["query_down"][0],):
            return None
        low_rank = when["query_down"][0]
    bias = output.bias
    if down.bias != bias or (compressed is not None and compressed.bias != bias):
        return None
    body = latent_attention(
        down.inputs, n_heads, low_rank_query=low_rank, r_q=compressed.outputs if compressed else ONE, r_kv=r_kv,
        d_nope=d_nope, d_rope=d_rope, d_v=d_v, bias=bias,
    )  # fmt: skip
    if is_either:
        return body
    left = ("query",) if compressed is not None else ("query_down", "query_norm", "query_up")
    return replace(body, body=tuple((name, replace(inner, when=())) for name, inner in body.body if name not in left))

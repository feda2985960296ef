"""Random definitions: formulas written twice, trees with ties, blocks in sublayers and gates, and flows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from hypothesis import assume
from hypothesis import strategies as st

from symparams import (
    Architecture,
    Component,
    Dimension,
    Feature,
    Model,
    Tensor,
    Vector,
    alibi,
    attention,
    block,
    classifying,
    convolution,
    depthwise_convolution,
    disentangled_attention,
    dual_state_space,
    embedding,
    experts,
    feed_forward,
    fused_disentangled_attention,
    fused_gated_feed_forward,
    gated_feed_forward,
    gated_short_convolution,
    heads_layer_norm,
    keyless_bias_attention,
    latent_attention,
    layer_norm,
    lightning_attention,
    linear,
    load,
    local_global_attention,
    mixture_of_experts,
    non_parametric_layer_norm,
    non_parametric_rms_norm,
    normed_after,
    output_head,
    parallel,
    parameter,
    patch_embedding,
    position_table,
    post_norm,
    pre_norm,
    prepended,
    reading,
    relative_attention,
    residual,
    reused,
    rms_norm,
    rotary,
    sandwiched,
    seeing,
    selective_state_space,
    shared_expert,
    side_by_side,
    sinusoidal_table,
    then,
    time_mixing,
    token,
    wide_attention,
    with_adapters,
    with_query_key_norms,
    with_selection_norms,
    with_sinks,
)
from symparams import bias as add_bias
from symparams.components.facts import Rows
from symparams.components.kinds import Kind, Role, Use
from symparams.components.patterns import every, first, indices
from symparams.components.walks import components, gates
from symparams.errors import DefinitionError, OptionError
from symparams.expressions.nodes import Expression, Number
from symparams.expressions.symbols import s_src
from symparams.features import biases, tying

# Letters of the field, of somebody's own, and names that sympy or Python claim for themselves.
NAMES = (
    "h", "L", "V", "d_ff", "r", "N", "E", "S", "I", "O", "Q", "C", "lambda", "pi", "beta", "gamma", "zeta", "include", "target",
    "name", "tree", "exclude", "self", "α", "λ_1", "层", "w2", "d_model", "gpt2", "x", "out",
)  # fmt: skip


GATES = (Feature("adapter"), ~Feature("adapter"), Feature("extra"), ~Feature("extra"))
SIZES = {"h": 4, "r": 3, "V": 5, "L": 2, "E": 4, "k": 2, "n_heads": 2, "n_kv_heads": 1, "d_head": 2, "d_ff": 6}
h, r, V, L, E, k, n_heads, n_kv_heads, d_head, d_ff = (Dimension(name) for name in SIZES)
PARTS = ("low", "up", "mix", "attention", "feed_forward", "norm", "table", "lm_head", "embeddings", "output")


def sides() -> st.SearchStrategy[Expression]:
    """A side of a matrix."""
    return st.sampled_from([h, r, d_ff, 2 * h, h + r, Number(3)])


def leaf_layers() -> st.SearchStrategy[Component]:
    """A layer with tensors of its own, frozen ones and experts among them."""
    bias = st.sampled_from([True, False, biases, Feature("adapter")])
    return st.one_of(
        st.builds(lambda a, b, c: linear(a, b, bias=c), sides(), sides(), bias),
        st.builds(embedding, sides(), sides()),
        sides().map(rms_norm),
        st.builds(lambda a, b: layer_norm(a, bias=b), sides(), bias),
        st.builds(sinusoidal_table, sides(), sides()),
        st.builds(lambda a, b, c: experts(E, k, a, b, bias=c), sides(), sides(), bias),
        sides().map(lambda side: Component(Kind("gate", Role.OTHER), tensors=(Tensor("gain", (side, 1), Use.GAIN),))),
    )


@st.composite
def trees(draw: st.DrawFn, depth: int = 3) -> Component:
    """A block of layers, sublayers, blocks and what only says how data flows; repeated and gated at every level."""
    parts = []
    for name in draw(st.lists(st.sampled_from(PARTS), min_size=1, max_size=3)):
        inner = st.one_of(leaf_layers(), mixers(), networks(), *([_composed(depth)] if depth else []))
        part = draw(st.sampled_from([1, 1, 1, 2, L, L + 1])) * draw(inner)
        for gate in draw(st.lists(st.sampled_from(GATES), max_size=1)):
            part = gate * part
        flow = draw(st.sampled_from([block, residual, parallel]))
        parts.append(flow(**{name: part}))
    return draw(st.sampled_from([block, residual, parallel, then]))(**{f"f{i}": part for i, part in enumerate(parts)})


def _composed(depth: int) -> st.SearchStrategy[Component]:
    mixes = st.builds(
        lambda role, tree: Component(Kind("mine", role), body=tree.children),
        st.sampled_from([Role.OTHER, Role.ATTENTION, Role.FEED_FORWARD, Role.MIXER]),
        trees(depth - 1),
    )
    blocks = trees(depth - 1).map(lambda tree: block(inner=tree) if tree.role.is_flow else tree)
    return st.one_of(mixes, blocks)


@st.composite
def families(draw: st.DrawFn) -> Architecture:
    """A family of a random tree, with a head tied to one of its matrices where it has one."""
    tree = draw(trees())
    parts = {"first": linear(h, h), "body": block(inner=tree)}
    alone = block(**parts)
    matrices = ((path, part) for path, part in components(alone) if part.kind.name in ("linear", "embedding") and part.tensors)
    owners = [(path, part) for path, part in matrices if len(part.tensors[0].shape) == 2]
    within = draw(st.sampled_from([None, *owners]))
    if within and [path for path, _ in components(alone)].count(within[0]) == 1:
        path, owner = within
        rows, columns = owner.tensors[0].shape
        head = linear(columns, rows, tied_to=path)
        mix = Component(Kind("tied_mix", Role.OTHER), body=(("own", linear(h, r)), ("head", 2 * head)))
        parts["head"] = draw(st.sampled_from([head, L * block(head=head), mix]))
    return Architecture("random", has=_there(draw(st.sampled_from([(), (tying,), (tying, biases)])), parts), **parts)


def _there(features: Iterable[Feature], parts: Mapping[str, Component]) -> list[Feature]:
    """Those of the features on which something depends."""
    known = {gate.name for gate in gates(block(**parts))}
    return [feature for feature in features if feature.name in known]


@st.composite
def models(draw: st.DrawFn, of: st.SearchStrategy[Architecture] | None = None) -> Model:
    """A model of a random family, features chosen, every letter bound."""
    try:
        family = draw(families() if of is None else of)
        chosen = draw(st.sets(st.sampled_from(sorted({*family.features, "biases"})))) & {*family.features}
        sizes = {d.name: SIZES[d.name] for d in family.dimensions if d.name in SIZES and d not in family.identities}
        return load(family, include=sorted(chosen), **sizes)
    except (DefinitionError, OptionError):  # a tie to what only one arm of a gate has alike, or no part left
        assume(False)
        raise


def norms() -> st.SearchStrategy[Component]:
    """A norm of the stream."""
    return st.sampled_from(
        [layer_norm(h), layer_norm(h, bias=False), rms_norm(h), non_parametric_layer_norm(), non_parametric_rms_norm()]
    )


def mixers(*, reads: str = "") -> st.SearchStrategy[Component]:
    """What mixes tokens: attention in each of its forms, and state spaces; of what ``reads`` elsewhere attention alone."""
    if reads:
        return st.sampled_from(
            [
                attention(h, n_heads, reads=reads),
                attention(h, n_heads, n_kv_heads, r, bias=False, reads=reads),
                wide_attention(h, n_heads, r, reads=reads),
                keyless_bias_attention(h, n_heads, d_head, reads=reads),
            ]
        )
    flow = st.fixed_dictionaries(
        {"causal": st.booleans(), "positions": st.sampled_from(["", "rotary"])},
        optional={
            "window": st.just(5),
            "chunked": st.booleans(),
            "windowed": st.sampled_from([every(2), first(1), indices(0, 3)]),
        },
    )
    plain = st.one_of(
        st.builds(lambda fused, bias, facts: attention(h, n_heads, fused=fused, bias=bias, **facts), ANY, ANY, flow),
        st.builds(lambda fused, facts: attention(h, n_heads, n_kv_heads, r, fused=fused, bias=False, **facts), ANY, flow),
        st.builds(lambda facts: attention(h, 4, 2, 3, **facts), flow),
        st.builds(lambda facts: wide_attention(h, n_heads, r, **facts), flow),
        st.builds(lambda facts: keyless_bias_attention(h, n_heads, d_head, **facts), flow),
    )
    norm = st.sampled_from([rms_norm(r), layer_norm(r), heads_layer_norm(n_heads, r)])
    compressed = {"r_q": 5, "r_kv": r, "d_nope": 2, "d_rope": 2, "d_v": 3}
    others = st.sampled_from(
        [
            latent_attention(h, n_heads, low_rank_query=Feature("adapter"), **compressed),
            disentangled_attention(h, n_heads, 2 * r),
            disentangled_attention(h, n_heads, 2 * r, relative=False),
            fused_disentangled_attention(h, n_heads, 2 * r),
            local_global_attention(h, n_heads, r),
            relative_attention(h, n_heads, r),
            relative_attention(h, n_heads, r, causal=True),
            selective_state_space(h, 2 * h, r, 3, 2),
            with_selection_norms(selective_state_space(h, d_ff, r, 3, 2), rms_norm(2), rms_norm(r), non_parametric_rms_norm()),
            dual_state_space(h, 8, 2, 1, r, 3, chunk=3),
            gated_short_convolution(h, 3, bias=Feature("adapter")),
            lightning_attention(h, n_heads, r, chunk=4),
            time_mixing(h, r),
        ]
    )
    grouped = attention(h, n_heads, n_kv_heads, r, causal=True)
    return st.one_of(
        plain,
        others,
        st.builds(with_query_key_norms, st.just(grouped), norm, norm),
        st.builds(with_sinks, plain, st.just(n_heads)),
        st.builds(lambda bias: with_adapters(attention(h, n_heads, n_kv_heads, r, bias=bias), 3, query=n_heads * r), ANY),
    )


def networks() -> st.SearchStrategy[Component]:
    """What each token passes by itself, and convolutions."""
    activation = st.sampled_from(["gelu", "relu", "silu", "tanh", "gelu_new", "linear", "cubed"])
    mixture = mixture_of_experts(h, E, k, r)
    return st.one_of(
        st.builds(lambda word, bias: feed_forward(h, d_ff, bias=bias, activation=word), activation, ANY),
        st.builds(lambda word: gated_feed_forward(h, 2 * r, activation=word), activation),
        st.builds(lambda word: fused_gated_feed_forward(h, d_ff, activation=word), activation),
        st.builds(lambda bias: mixture_of_experts(h, 4, 2, r, bias=bias), ANY),
        st.sampled_from(
            [
                mixture,
                shared_expert(h, r),
                block(parallel(routed=mixture, shared=shared_expert(h, d_ff))),
                experts(E, k, h, h),
                linear(h, h),
                linear(h, h, activation="tanh"),
                block(narrow=linear(h, r), wide=linear(r, h)),
                convolution(h, h, 3),
                depthwise_convolution(h, 3),
                parameter(h),
                add_bias(h),
            ]
        ),
    )


ANY = st.booleans()


@st.composite
def stacks(draw: st.DrawFn, *, reads: str = "") -> Component:
    """Layers, one after the other: a mixer and a network or one of the two, with norms where a layout puts them."""
    sublayers = {}
    if reads or draw(st.integers(0, 5)):
        sublayers[draw(st.sampled_from(["mix", "attention", "up"]))] = draw(mixers())
    if reads:
        sublayers["cross"] = draw(mixers(reads=reads))
    if not sublayers or draw(st.integers(0, 5)):
        sublayers[draw(st.sampled_from(["feed_forward", "embeddings", "table"]))] = draw(networks())
    layout = draw(st.sampled_from([pre_norm, post_norm, sandwiched, normed_after, _side_by_side, _bare]))
    layer = block("layer", *layout(draw(norms()), **sublayers))
    stack = draw(st.sampled_from([L, L, L + 1, 2, 1])) * layer
    return draw(st.sampled_from([stack, stack, stack, Feature("extra") * stack, reused(layer, L)]))


def _side_by_side(norm: Component, **sublayers: Component) -> tuple[Component, ...]:
    return (side_by_side(norm, **sublayers),)


def _bare(norm: Component, **sublayers: Component) -> tuple[Component, ...]:
    return (then(**sublayers),)


def befores() -> st.SearchStrategy[dict[str, Component]]:
    """What stands before the layers: tables, by themselves and in a block, or what cuts an image into patches."""
    table, places = (
        embedding(V, h),
        st.sampled_from([position_table(9, h), sinusoidal_table(9, h), embedding(9, h, of=Rows.POSITIONS)]),
    )
    return st.one_of(
        st.sampled_from(
            [
                {},
                {"table": table},
                {"table": table, "positions": rotary()},
                {"table": table, "slopes": alibi()},
                {"embeddings": block(low=embedding(V, r), up=linear(r, h, bias=False))},
                {"low": embedding(V, r), "up": linear(r, h)},
                {"embeddings": block(prepended(first=token(h), patches=patch_embedding(h, 3, 2, patches=6)))},
                {"patches": patch_embedding(h, 3, 2, patches=6)},
                {"sound": convolution(h, 3, 3, reads_data=True)},
            ]
        ),
        st.builds(lambda place: {"embeddings": block(parallel(table=table, place=place))}, places),
        st.builds(lambda place, norm: {"embeddings": block(parallel(table=table, place=place), norm=norm)}, places, norms()),
    )


def afters() -> st.SearchStrategy[dict[str, Component]]:
    """What stands after the layers: a norm, a head over the vocabulary, a classifier, a pooler."""
    head = st.sampled_from(
        [
            {},
            {"lm_head": linear(h, V)},
            {"lm_head": linear(h, V, bias=False)},
            {"top": output_head(h, V)},
            {"top": output_head(h, V, bias=True)},
            {"top": block(dense=linear(h, h, activation="gelu"), norm=layer_norm(h), words=linear(h, V))},
            {"labels": classifying(linear(h, 3))},
            {"pooler": reading(linear(h, h, activation="tanh"), Vector.FIRST_TOKEN)},
            {"pooler": reading(linear(h, h, activation="tanh"), Vector.FIRST_TOKEN), "labels": classifying(linear(h, 3))},
            {"projection": linear(h, r)},
            {"scale": parameter(1)},
            {"last": convolution(h, h, 1)},
        ]
    )
    return st.one_of(head, st.builds(lambda norm, rest: {"norm": norm, **rest}, norms(), head))


@st.composite
def definitions(draw: st.DrawFn) -> Architecture:
    """A family as somebody may define it: embeddings, stacks of layers, a head; or an encoder that a decoder reads."""
    parts = dict(draw(befores()))
    if draw(st.integers(0, 4)):
        for name in draw(st.lists(st.sampled_from(["layers", "decoder", "more"]), max_size=2, unique=True)):
            parts[name] = draw(stacks())
    else:
        parts |= {"encoder": seeing(draw(stacks()), s_src), "decoder": draw(stacks(reads="encoder"))}
    parts |= draw(afters())
    parts = parts or {"alone": linear(h, r)}
    return Architecture("mine", **parts)

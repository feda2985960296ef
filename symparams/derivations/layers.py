"""The formula and the note of one layer: of a leaf, of attention, of a feed-forward network."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from symparams.components.attention import (
    DISENTANGLED_ATTENTION,
    FUSED_DISENTANGLED_ATTENTION,
    LATENT_ATTENTION,
    PARTLY_BIASED,
    has_one_key_value,
)
from symparams.components.facts import Gives, Projection, Rows, Stream, key
from symparams.components.feed_forward import GAUSSIAN_TOP_K
from symparams.components.flow import layers
from symparams.components.kinds import BIAS, BLOCK, EMBEDDING, LAYER_NORM, LINEAR, RMS_NORM, Kind, Role, Use
from symparams.components.linear import CONVOLUTION, PARAMETER
from symparams.components.norms import LAYER_SCALE, norm_place
from symparams.components.purposes import MATRICES, purposes
from symparams.components.tree import Component, Tensor
from symparams.components.walks import Leaf, components, is_within, leaves, of_table
from symparams.derivations.mixtures import experts_of, gating, mixture_step
from symparams.derivations.steps import Note, Step, StepKind, StepName, absent, named, step
from symparams.expressions.closed_form import multiply_out
from symparams.expressions.factoring import factored
from symparams.expressions.nodes import Dimension, Equality, Expression, Labelled, Number, Product, Sum
from symparams.expressions.written import ONE, ZERO, times, total
from symparams.models.model import Model
from symparams.quantities.parameters import PARAMETERS, SHARED

# Of what a leaf is the sentence of a name tells: the rows of a table, what goes out of a head, what is made, or the kind.
SENTENCES: Mapping[str, Rows | Gives | Projection | Kind] = {
    **dict.fromkeys(("token_embedding", "source_embedding", "target_embedding", "shared_embedding"), Rows.TOKENS),
    **dict.fromkeys(("encoder_token_embedding", "decoder_token_embedding"), Rows.TOKENS),
    **dict.fromkeys(("position_embedding", "encoder_position_embedding", "decoder_position_embedding"), Rows.POSITIONS),
    **dict.fromkeys(("position_bias", "encoder_position_bias", "decoder_position_bias"), Rows.DISTANCES),
    **dict.fromkeys(("relative_position_bias", "relative_embedding"), Rows.DISTANCES),
    "segment_embedding": Rows.SEGMENTS,
    **dict.fromkeys(("class_token", "trailing_token", "mask_token", "distillation_token", "register_tokens"), EMBEDDING),
    **dict.fromkeys(("iou_token", "mask_tokens", "point_embedding", "not_a_point", "no_mask"), EMBEDDING),
    **dict.fromkeys(("object_queries", "row_embedding", "column_embedding"), EMBEDDING),
    "depthwise_convolution": CONVOLUTION,
    "reduction": LINEAR,
    **dict.fromkeys(
        ("first_convolution", "second_convolution", "convolution_1", "convolution_2", "convolution_7"), CONVOLUTION
    ),
    **dict.fromkeys(("first_subsampling", "second_subsampling"), CONVOLUTION),
    "patch_embedding": Projection.PATCHES,
    "patch_merging": LINEAR,
    "probe": PARAMETER,
    "speakers": PARAMETER,
    "correction_scale": LAYER_SCALE,
    "pooler": Gives.POOLED,
    "contact_head": Gives.CONTACTS,
    "sequence_summary": Gives.SUMMARY,
    "label_summary": Gives.LABELS_OF_A_SUMMARY,
}
TOLD = (Stream.ENCODER, Stream.IMAGE, Stream.TOKENS)  # what attention reads, of which a sentence tells
FUSED, PER_HEAD = "fused", "per-head"
SHAPED = ("query", "key_value", "output")  # whose shapes the sentence on attention with biases of its inputs alone tells
INPUTS, QUERY_KEY_VALUE = ("query", "key", "value"), "query_key_value"
OF_POSITIONS = ("position_key", "position_query")  # the projections of relative positions, by what they are for


def leaf_step(model: Model, path: str, name: StepName | str, leaf: Component) -> Step:
    """A leaf layer by itself: its matrix and its bias; 0 with the reason where it has none or shares it."""
    if not any(tensor.trained for tensor in leaf.tensors):
        is_left_out = leaf.role is Role.VECTOR and not leaf.tensors  # by a feature, as the biases of a query
        return absent(model, path, name, BLOCK if is_left_out else leaf.kind)
    owned = times(leaf.times, PARAMETERS.of(leaf))
    if not any(tensor.tied_to for tensor in leaf.tensors):
        sentence = "shared_embedding" if _is_read_again(model, path, leaf) else name
        return step(model, path, name, owned, notes=[explain(sentence, leaf), *_reason_of_norm(leaf)])
    return _tied_step(model, path, name, leaf, owned)


def _is_read_again(model: Model, path: str, leaf: Component) -> bool:
    """True of the tokens' table of an encoder that the decoder reads, too."""
    return leaf.rows is Rows.TOKENS and any(
        part.reads == path and part.role is Role.BLOCK for _, part in components(model.tree)
    )


def _tied_step(model: Model, path: str, name: StepName | str, leaf: Component, owned: Expression) -> Step:
    note = _tie(model, leaf)
    if PARAMETERS.of(leaf) != ZERO:
        return step(model, path, name, owned, notes=[note])
    once = step(model, path, "shared_matrix", SHARED.of(leaf))
    return step(model, path, name, ZERO, kind=StepKind.TIED, notes=[note], parts=[once])


def _tie(model: Model, leaf: Component) -> Note:
    """The sentence on which tensors of a leaf are another's: its matrix, its bias, or both."""
    weights = [tensor for tensor in leaf.tensors if tensor.use is not Use.BIAS]
    biases = [tensor for tensor in leaf.tensors if tensor.use is Use.BIAS]
    tied_weight = next((tensor for tensor in weights if tensor.tied_to), None)
    tied_bias = next((tensor for tensor in biases if tensor.tied_to), None)
    if note := _of_layer(model, leaf, tied_weight or tied_bias):
        return note
    if tied_bias is None:
        assert tied_weight is not None
        return Note(("tied_weight" if biases else "tied",), _owner(model, tied_weight))
    bias_owner: dict[str, Expression | StepName | str] = {"bias_owner": _owner_of_bias(model, tied_bias)}
    if tied_weight is not None:
        return Note(("tied_apart",), _owner(model, tied_weight) | bias_owner)
    if not weights:
        return Note(("tied_only_bias",), bias_owner)
    return Note(("tied_bias",), {**bias_owner, "shape": weights[0].count})


def _of_layer(model: Model, leaf: Component, shared: Tensor | None) -> Note | None:
    """The sentence on what another layer has, too, and counts; None where no layer does."""
    owner = None if shared is None else model.leaf(shared.tied_to)
    if owner is None or not owner.stack:
        return None
    layer = dict(owner.ancestors)[owner.stack].name
    return Note((f"tied_to_layer.{'norm' if leaf.role is Role.NORM else 'matrix'}",), {"layer": StepName(layer)})


def _owner_of_bias(model: Model, shared: Tensor) -> StepName:
    """The part whose bias it is: of a bias that is a part by itself, what stands around it."""
    owner = model.leaf(shared.tied_to)
    around = owner.ancestors[-1][0].rpartition(".")[2] if owner.component.kind == BIAS and owner.ancestors else ""
    return StepName(around or owner.name)


def norms_step(model: Model, path: str, norms: Sequence[tuple[str, Component]]) -> Step:
    """Equal norms of one block together: 2 × 2 × h."""
    name, norm = norms[0]
    if len(norms) == 1:
        return leaf_step(model, path, name, norm)
    number = Number(len(norms))
    plural = by_bias("layer_norms", norm) if norm.kind == LAYER_NORM else "rms_norms" if norm.kind == RMS_NORM else ""
    notes = [Note((plural,), {"number": number, "width": norm.tensors[0].shape[0]}), *_where(model, path, norms)]
    notes += _reason_of_norm(norm)
    written = times(number, times(norm.times, PARAMETERS.of(norm)))
    paths = [f"{path}.{name}" if path else name for name, _ in norms]
    return step(model, path, f"{norm.kind}s", written, notes=notes, paths=paths)


def _reason_of_norm(norm: Component) -> list[Note]:
    """The sentence on what a norm does, and what its gain and bias are for."""
    if norm.kind not in (LAYER_NORM, RMS_NORM):
        return []
    return [Note((f"reason.{by_bias(str(norm.kind), norm)}",), is_said_once=True)]


def _reason_of_sublayer(sublayer: Component) -> list[Note]:
    """The sentence on what attention or a feed-forward network does, and on what its scores are divided by."""
    if sublayer.role is Role.FEED_FORWARD and sublayer.state_space is None:
        return [Note(("reason.feed_forward",), is_said_once=True)]
    if sublayer.attending is None:
        return []
    manner = "scaled" if sublayer.attending.scaled else "plain"
    return [Note((f"reason.attention.{manner}",), {"d_head": sublayer.attending.heads.width}, is_said_once=True)]


def _where(model: Model, path: str, norms: Sequence[tuple[str, Component]]) -> Iterator[Note]:
    """Yield the sentence on where these norms stand in the layers at a path; nothing unless they stand alike in all of them."""
    names = [name for name, _ in norms]
    blocks = (block for here, block in layers(model.tree) if is_within(here, path))
    having = [block for block in blocks if {name for name, _ in block.children}.issuperset(names)]
    if not having and _stand_around_layers(model, path, names):
        yield Note(("norms.around_layers",))
    matches = [norm_place(block, names) for block in having]
    found = [match for match in matches if match is not None]
    if found and len({(place, len(sublayers)) for place, sublayers in found}) == 1 and len(found) == len(matches):
        kinds = [dict.fromkeys(alike) for alike in zip(*(sublayers for _, sublayers in found), strict=True)]
        yield Note((found[0][0],), {"sublayers": tuple(map(_any_of, kinds))})


def _any_of(names: Mapping[str, None]) -> Note:
    """The sublayers that stand at one place in several kinds of layers: feed-forward network or mixture of experts."""
    first, *others = (Note(("norms.sublayer",), {"name": name}) for name in names)
    for other in others:
        first = Note(("norms.either",), {"first": (first,), "other": (other,)})
    return first


def _stand_around_layers(model: Model, path: str, norms: Sequence[str]) -> bool:
    """True if of two norms one stands before all layers of a stack and one after them."""
    around = model.tree
    for name in filter(None, path.split(".")):
        around = around.child(name)
    children = [name for name, _ in around.children]
    stacks = [i for i, (_, part) in enumerate(around.children) if part.role is Role.BLOCK and part.times != ONE]
    places = [children.index(norm) for norm in norms if norm in children]
    return bool(stacks) and len(places) == len(norms) == 2 and min(places) < min(stacks) and max(places) > max(stacks)


def sublayer_step(model: Model, path: str, name: str, sublayer: Component, attention: str) -> Step:
    """Attention or feed-forward in one formula, its matrices named: 3 × (h × h + h) + (h × h + h); many path by path."""
    if sublayer.role is Role.ATTENTION and attention == PER_HEAD:
        return _per_head_step(model, path, name, sublayer)
    if is_frozen(sublayer):
        return absent(model, path, name, sublayer.kind)
    experts = experts_of(sublayer)
    if experts is not None:
        return mixture_step(model, path, name, sublayer, experts)
    parts = [
        step(model, f"{path}.{leaf.path}", leaf.path.replace(".", "_"), times(leaf.times, PARAMETERS.of(leaf.component)))
        for leaf in matrices(sublayer)
    ]
    parts = _inputs_together(model, path, sublayer, parts)
    notes = [*explain_sublayer(model, path, sublayer, attention), *_ties(model, sublayer)]
    if len(parts) <= MOST_BRACED:
        return step(model, path, name, braced(parts), notes=notes, parts=parts)
    steps = path_steps(model, path, parts, purposes(sublayer))
    return in_its_own_sizes(step(model, path, name, total([part.quantity for part in steps]), notes=notes, steps=steps))


def is_frozen(sublayer: Component) -> bool:
    """True if all matrices of a sublayer are stored and none is trained."""
    tensors = [tensor for leaf in matrices(sublayer) for tensor in leaf.component.tensors]
    return bool(tensors) and not any(tensor.trained for tensor in tensors)


def _inputs_together(model: Model, path: str, sublayer: Component, parts: list[Step]) -> list[Step]:
    """Query, key and value that are stored apart and of one shape as three of it: 3 × h × n_heads·d_head."""
    inputs, words = parts[: len(INPUTS)], purposes(sublayer)
    if tuple(words.get(str(part.name)) for part in inputs) != INPUTS or len({part.written for part in inputs}) > 1:
        return parts
    together = step(model, path, QUERY_KEY_VALUE, times(Number(len(inputs)), inputs[0].written))
    return [together, *parts[len(inputs) :]]


def matrices(sublayer: Component) -> list[Leaf]:
    """The leaf layers of a sublayer, however deep they stand, that have something of their own."""
    return [leaf for leaf in leaves(sublayer, within=True) if leaf.component.tensors]


def _ties(model: Model, sublayer: Component) -> list[Note]:
    """The sentences on what a sublayer has of others."""
    shared = [leaf.component for leaf in matrices(sublayer) if any(tensor.tied_to for tensor in leaf.component.tensors)]
    notes = [_tie(model, leaf) for leaf in shared]
    return [note for i, note in enumerate(notes) if note not in notes[:i]]


def _owner(model: Model, shared: Tensor) -> dict[str, Expression | StepName | str]:
    return {"owner": StepName(model.leaf(shared.tied_to).name)}


def _per_head_step(model: Model, path: str, name: str, sublayer: Component) -> Step:
    steps, results = [], []
    for leaf in matrices(sublayer):
        projection = projection_steps(model, f"{path}.{leaf.path}", name, leaf, leaf.times)
        steps += projection
        results.append(projection[-1])
    whole = total([result.quantity for result in results])
    return step(model, path, name, whole, notes=explain_sublayer(model, path, sublayer, PER_HEAD), steps=steps)


def projection_steps(model: Model, path: str, sublayer: str, leaf: Leaf, copies: Expression) -> list[Step]:
    """So many copies of a projection head by head: one head, then all; whole where it is not cut by head, or another's."""
    child, component = leaf.name, leaf.component
    if component.heads is None or PARAMETERS.of(component) == ZERO:
        whole = times(copies, PARAMETERS.of(component))
        return [step(model, path, within(sublayer, child, leaf), whole, notes=[explain("", component)])]
    purpose = MATRICES.get(component.makes, child)
    one_note = Note((f"one_head.{purpose}",), {"d_head": component.heads.width})
    one_head = step(model, path, within(sublayer, f"one_head_{child}", leaf), head_formula(component, copies), notes=[one_note])
    all_note = Note(("all_heads",), {"number": component.heads.number})
    every = Product((component.heads.number, one_head.quantity))
    return [one_head, step(model, path, within(sublayer, f"all_heads_{child}", leaf), every, notes=[all_note])]


def within(sublayer: str, child: str, leaf: Leaf) -> StepName:
    """Return the name of a part of a sublayer: an input of self-attention by itself, any other with the sublayer's."""
    around = leaf.ancestors[0][1] if leaf.sublayer is None else leaf.sublayer[1]
    is_input = around.role is Role.ATTENTION and not around.reads and Projection.OUTPUT not in leaf.component.makes
    return StepName(child) if is_input else named("within", sublayer, child)


def head_formula(leaf: Component, copies: Expression) -> Expression:
    """Return one head's count in so many copies of a projection: 3 × (h × d_head + d_head)."""
    if leaf.heads is None:
        raise ValueError("the projection is not cut by head")
    width = leaf.heads.width
    shapes: list[Expression] = [
        Product((*tensor.shape[:-1], width)) if len(tensor.shape) > 1 else width for tensor in leaf.tensors
    ]
    return times(times(copies, Number(leaf.heads.matrices)), total(shapes))


def explain(name: StepName | str, leaf: Component) -> Note:
    """The sentence on a leaf: that of its name where the leaf is what it tells of, otherwise by its rows or its kind."""
    kind = by_bias(str(leaf.kind), leaf) if leaf.kind in (LINEAR, LAYER_NORM, CONVOLUTION) else str(leaf.kind)
    kind = "one_number" if leaf.kind == PARAMETER and leaf.tensors[0].count == ONE else kind
    shape = leaf.tensors[0].shape or (ONE,)
    biases = (tensor.count for tensor in leaf.tensors if tensor.use is Use.BIAS)
    terms = {"rows": shape[0], "width": shape[-1], "shape": leaf.tensors[0].count, "bias": next(biases, ZERO)}
    rows = of_table(leaf).value if leaf.rows in (Rows.TOKENS, Rows.POSITIONS, Rows.SEGMENTS) else ""
    own = (by_bias(str(name), leaf), str(name)) if _fits(str(name), leaf) else ()
    return Note((*own, rows, kind, str(leaf.kind)), terms)


def _fits(name: str, leaf: Component) -> bool:
    """True if the sentence of a name tells of this leaf."""
    known = SENTENCES.get(name)
    return leaf.kind.name == name if known is None else known in (leaf.rows, leaf.gives, leaf.kind, *leaf.makes)


def explain_weights(leaf: Component) -> Note:
    """The sentence on the matrix of a leaf, its biases apart."""
    shape = leaf.tensors[0].count
    return Note(("linear.weights",), {"shape": shape}) if leaf.kind == LINEAR else explain("", leaf)


def explain_sublayer(model: Model, path: str, sublayer: Component, attention: str) -> list[Note]:
    """The sentences on attention or feed-forward: the shapes, and why the number of heads does or does not appear."""
    parts = {leaf.path: leaf.component for leaf in matrices(sublayer)}
    if not parts:
        return []
    first = next(iter(parts.values())).tensors[0].shape or (ONE,)
    words = purposes(sublayer)
    by_purpose = {words.get(path, path): leaf for path, leaf in parts.items()}
    terms: dict[str, Expression | StepName | str] = {word: leaf.tensors[0].count for word, leaf in by_purpose.items()}
    notes = _reason_of_sublayer(sublayer)
    notes.append(Note(_shapes(model, sublayer, by_purpose), terms | {"narrow": first[0], "wide": first[-1]}))
    heads = list(dict.fromkeys((leaf.heads.number, leaf.heads.width) for leaf in parts.values() if leaf.heads))
    shares = sublayer.attending is not None and sublayer.attending.shares
    if len(heads) == 1 and sum(bool(leaf.heads) for leaf in parts.values()) == 1 and not shares:
        [(n_heads, d_head)] = heads
        side_by_side = Equality(first[0], Product((n_heads, d_head)))
        manner = "heads.per_head" if attention == PER_HEAD else "heads.fused"
        notes.append(Note((manner,), {"n_heads": n_heads, "d_head": d_head, "heads": side_by_side}))
    elif sublayer.attending and sublayer.attending.heads.number != sublayer.attending.kv_heads.number:
        notes.append(_grouped(model, sublayer.attending.heads.number, sublayer.attending.kv_heads.number))
    if sublayer.role is Role.ATTENTION and sublayer.reads in TOLD:
        notes.append(Note((f"reads.{key(sublayer.reads)}",)))
    if sublayer.attending and sublayer.attending.positions == "added":
        notes.append(Note(("positions.added",), is_said_once=True))
    if sublayer.attending and (indexer := sublayer.attending.indexer):
        notes.append(Note(("indexer",), {"n_index_heads": indexer.heads.number, "d_index": indexer.heads.width}))
    if sublayer.attending and sublayer.attending.normed and any(leaf.role is Role.NORM for leaf in parts.values()):
        notes.append(Note(("query_key_norm",)))
    if any(part.makes == (Projection.VALUE,) and part.kind.instead_of is Role.NORM for _, part in sublayer.children):
        notes.append(Note(("value_norm",)))
    if any(part.kind == GAUSSIAN_TOP_K for _, part in sublayer.children):
        notes.append(Note(("gate_sparsity",)))
    return [*notes, *gating(model, path, sublayer)]


def _shapes(model: Model, sublayer: Component, parts: Mapping[str, Component]) -> tuple[str, ...]:
    """The keys of the sentence on the shapes, the most exact first: what only some models of a kind have, then the kind.

    ``parts`` are the matrices of the sublayer, by what they are for.
    """
    keys = (by_bias(str(sublayer.kind), sublayer),)
    if sublayer.kind == LATENT_ATTENTION and "query_down" in parts:
        return (by_bias("query_compressed", sublayer), *keys)
    if sublayer.kind == DISENTANGLED_ATTENTION and not {*OF_POSITIONS} & parts.keys():
        is_relative = any(leaf.component.rows is Rows.DISTANCES for leaf in model.leaves)
        return (by_bias("shared_positions" if is_relative else "attention", sublayer), *keys)
    if sublayer.kind == FUSED_DISENTANGLED_ATTENTION and has_bias(sublayer):
        return (f"{sublayer.kind}.{'_and_'.join(word for word in OF_POSITIONS if word in parts) or 'content'}", *keys)
    if sublayer.attending and sublayer.attending.shares:
        return (by_bias("shared_keys_values", sublayer),)
    if has_one_key_value(sublayer):
        return (by_bias("one_key_value", sublayer), *keys)
    biased = [word for word, leaf in parts.items() if has_bias(leaf)]
    if biased == ["output"]:
        return (f"{sublayer.kind}.output_biased", *keys)
    if sublayer.kind.name == PARTLY_BIASED and parts.keys() - biased == {"key"}:
        return ("keyless_bias_attention.biased", *keys)
    if sublayer.kind.name == PARTLY_BIASED and set(biased) == set(SHAPED) - {"output"} and parts.keys() == set(SHAPED):
        return ("input_biased_attention.biased", *keys)
    return keys


def _grouped(model: Model, n_heads: Expression, n_kv_heads: Expression) -> Note:
    """The sentence on query heads that share key-value heads; one of its own where there is one such head, or one for each."""
    queries, shared = (
        model.values.get(number, multiply_out(number, model.relations)) if isinstance(number, Dimension) else number
        for number in (n_heads, n_kv_heads)
    )
    key = "heads.multi_query" if shared == 1 else "heads.one_each" if shared == queries else "heads.grouped"
    return Note((key,), {"n_heads": n_heads, "n_kv_heads": n_kv_heads})


def has_bias(component: Component) -> bool:
    """True if a layer has any bias, beside those of the norms in it."""
    inside = (leaf.component for leaf in leaves(component))
    return any(
        tensor.use is Use.BIAS for leaf in inside if leaf is component or leaf.role is not Role.NORM for tensor in leaf.tensors
    )


def by_bias(kind: str, component: Component) -> str:
    """Return the key of the sentence on a kind of layer, with or without biases."""
    return f"{kind}.biased" if has_bias(component) else f"{kind}.unbiased"


MOST_BRACED = 4  # parts that a reader takes in under the braces of one formula
STAGES = ("_down", "_norm", "_up")  # a part that is for so much is a stage of the path before it


def braced(parts: Sequence[Step]) -> Sum:
    """The parts as one sum, each under its name."""
    return Sum(tuple(Labelled(part.written, part.name) for part in parts))


def path_steps(model: Model, path: str, parts: Sequence[Step], words: Mapping[str, str]) -> list[Step]:
    """The parts gathered by path, each path a step: N_Q = h × r_q + r_q + r_q × n_heads·(d_nope + d_rope).

    Parts whose purposes, ``words`` by their names, begin alike are of one path: query_down, query_norm and query_up make the
    queries. The closed form keeps the sizes that the formula names, and draws out what they share.
    """

    def stem(part: Step) -> str:
        word = words.get(str(part.name), str(part.name))
        return next((word.removesuffix(stage) for stage in STAGES if word.endswith(stage)), word)

    def first_word(part: Step) -> str:
        return stem(part).partition("_")[0]

    order = list(dict.fromkeys(map(first_word, parts)))
    together = [list(group) for _, group in groupby(sorted(parts, key=lambda part: order.index(first_word(part))), first_word)]
    return [
        _path(model, path, group, stem(group[0]) if len({*map(stem, group)}) == 1 else first_word(group[0]))
        for group in together
    ]


def in_its_own_sizes(layer: Step) -> Step:
    """The step with a closed form that keeps d_inner and does not put E·h in its place, common factors drawn out."""
    if isinstance(layer.written, Product):
        return replace(layer, form=layer.written)
    return replace(layer, form=factored(multiply_out(layer.written, {})))


def _path(model: Model, path: str, parts: Sequence[Step], name: str) -> Step:
    if len(parts) == 1:
        return in_its_own_sizes(parts[0])
    return in_its_own_sizes(step(model, path, name, braced(parts), parts=parts))

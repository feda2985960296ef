"""How one layer is written and explained: the formula of a leaf, of attention, of a feed-forward, and a note on each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from symparams.components import LAYER_NORM, LINEAR, Component, Tensor, leaves
from symparams.derivations.steps import ABSENT, PER_HEAD, TIED, Note, Step, Workings
from symparams.expressions import written
from symparams.expressions.marks import Equality, Labelled
from symparams.expressions.nodes import Expression, Number, Product, Sum
from symparams.expressions.symbols import d_head
from symparams.expressions.written import ZERO


def formula(tensors: Sequence[Tensor]) -> Expression:
    """The sum of these tensors as people write it, equal vectors together: V × h, h × h + h, 2 × h."""
    counts = Counter(tensor.count for tensor in tensors if tensor.trained)
    return written.total([written.times(Number(number), count) for count, number in counts.items()])


def leaf_step(workings: Workings, path: str, name: str, leaf: Component) -> Step:
    """A leaf layer by itself: its matrix and its bias; 0 with the reason where it has none or shares it."""
    owned = [tensor for tensor in leaf.tensors if not tensor.tied_to]
    shared = [tensor for tensor in leaf.tensors if tensor.tied_to]
    if not any(tensor.trained for tensor in leaf.tensors):
        return workings.step(path, name, ZERO, kind=ABSENT, notes=[Note((f"absent.{leaf.kind}",))])
    written_leaf = written.times(leaf.times, formula(owned))
    if not shared:
        return workings.step(path, name, written_leaf, notes=[explain(name, leaf)])
    owner = workings.model.leaf(shared[0].tied_to)
    matrix = formula(owner.component.tensors[:1])
    note = Note(("tied_weight" if owned else TIED,), {"owner": owner.path.rpartition(".")[2], "matrix": matrix})
    once = workings.step(path, "shared_matrix", formula(shared))
    if not owned:
        return workings.step(path, name, ZERO, kind=TIED, notes=[note], parts=[once])
    return workings.step(path, name, written_leaf, notes=[note])


def norms_step(workings: Workings, path: str, norms: Sequence[tuple[str, Component]]) -> Step:
    """Equal norms of one block together: 2 × 2 × h."""
    name, norm = norms[0]
    if len(norms) == 1:
        return leaf_step(workings, path, name, norm)
    number = Number(len(norms))
    plural = f"{norm.kind}s.{_biased(norm)}" if norm.kind == LAYER_NORM else f"{norm.kind}s"
    note = Note((plural,), {"number": number, "width": norm.tensors[0].shape[0]})
    return workings.step(path, f"{norm.kind}s", written.times(number, formula(norm.tensors)), notes=[note])


def sublayer_step(workings: Workings, path: str, name: str, sublayer: Component) -> Step:
    """Attention or feed-forward in one formula, its matrices named: 3 × (h × h + h) + (h × h + h)."""
    if sublayer.is_attention and workings.attention == PER_HEAD:
        return _per_head_step(workings, path, name, sublayer)
    parts = [
        workings.step(f"{path}.{child}", child, written.times(leaf.times, formula(leaf.tensors)))
        for child, leaf in sublayer.children
    ]
    return workings.step(path, name, _braced(parts), notes=explain_sublayer(workings, sublayer), parts=parts)


def _per_head_step(workings: Workings, path: str, name: str, attention: Component) -> Step:
    steps, results = [], []
    for child, leaf in attention.children:
        projection = projection_steps(workings, f"{path}.{child}", name, child, leaf)
        steps += projection
        results.append(projection[-1])
    whole = written.total([step.quantity for step in results])
    return workings.step(path, name, whole, notes=explain_sublayer(workings, attention), steps=steps)


def projection_steps(workings: Workings, path: str, sublayer: str, child: str, leaf: Component) -> list[Step]:
    """A projection of attention head by head: one head, then all; whole where it is not cut by head."""
    if leaf.heads is None:
        whole = written.times(leaf.times, formula(leaf.tensors))
        return [workings.step(path, within(sublayer, child), whole, notes=[explain("", leaf)])]
    one_note = Note((f"one_head.{child}",), {"d_head": d_head})
    one = workings.step(path, within(sublayer, f"one_head_{child}"), head_formula(leaf), notes=[one_note])
    all_note = Note(("all_heads",), {"number": leaf.heads.number})
    every = Product((leaf.heads.number, one.quantity))
    return [one, workings.step(path, within(sublayer, f"all_heads_{child}"), every, notes=[all_note])]


def within(sublayer: str, child: str) -> str:
    """What a part of a sublayer is called: what attention takes in by its own name, anything else by both names."""
    return child if sublayer == "attention" and child != "output" else f"within:{sublayer}/{child}"


def head_formula(leaf: Component) -> Expression:
    """What one head has of a projection: 3 × (h × d_head + d_head)."""
    if leaf.heads is None:
        raise ValueError("the projection is not cut by head")
    shapes: list[Expression] = [
        Product((*tensor.shape[:-1], d_head)) if len(tensor.shape) > 1 else d_head for tensor in leaf.tensors
    ]
    matrices = written.times(leaf.times, Number(leaf.heads.matrices))
    return written.times(matrices, written.total(shapes))


def explain(name: str, leaf: Component) -> Note:
    """The sentence on a leaf: by its name if the catalogues know that, otherwise by its kind."""
    kind = f"{leaf.kind}.{_biased(leaf)}" if leaf.kind in (LINEAR, LAYER_NORM) else leaf.kind
    shape = leaf.tensors[0].shape
    return Note((name, kind, leaf.kind), {"rows": shape[0], "width": shape[-1], "shape": leaf.tensors[0].count})


def explain_sublayer(workings: Workings, sublayer: Component) -> list[Note]:
    """The sentences on attention or feed-forward: the shapes, and why the number of heads does or does not appear."""
    shapes: dict[str, Expression | str] = {child: leaf.tensors[0].count for child, leaf in sublayer.children if leaf.tensors}
    up = next(leaf.tensors[0].shape for _, leaf in sublayer.children if leaf.tensors)
    shapes |= {"narrow": up[0], "wide": up[-1]}
    notes = [Note((f"{sublayer.kind}.{_biased(sublayer)}",), shapes)]
    heads = next((leaf.heads for _, leaf in sublayer.children if leaf.heads), None)
    if heads and "query_key_value" in shapes:
        manner = "heads.per_head" if workings.attention == PER_HEAD else "heads.fused"
        side_by_side = Equality(up[0], Product((heads.number, d_head)))
        notes.append(Note((manner,), {"n_heads": heads.number, "d_head": d_head, "heads": side_by_side}))
    elif heads and "key_value" in shapes:
        key_value = sublayer.child("key_value").heads
        notes.append(Note(("heads.grouped",), {"n_heads": heads.number, "n_kv_heads": key_value.number if key_value else ZERO}))
    if any(child == "query_norm" for child, _ in sublayer.children):
        notes.append(Note(("query_key_norm",)))
    return notes


def _braced(parts: Sequence[Step]) -> Expression:
    return Sum(tuple(Labelled(part.written, part.name) for part in parts))


def _biased(component: Component) -> str:
    roles = {tensor.role for leaf in leaves(component) for tensor in leaf.component.tensors}
    return "biased" if "bias" in roles else "unbiased"

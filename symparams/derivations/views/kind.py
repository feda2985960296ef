"""The view ``kind``: by kind of layer over the whole model, all LayerNorms at once: (1 + L + L + 1) × 2h."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from symparams.components import EMBEDDING, NORMS, Component, Leaf
from symparams.derivations.layers import explain, formula, leaf_step, projection_steps, within
from symparams.derivations.steps import PER_HEAD, Note, Step, Workings
from symparams.derivations.views.module import group
from symparams.expressions.nodes import Expression
from symparams.expressions.written import ONE, ZERO, times, total

EMBEDDINGS, NORM, OUTPUT = "embeddings", "norms", "output"

Alike = dict[tuple[str, Component], list[Leaf]]  # layers of one name and shape, wherever in the model they stand


def work(workings: Workings) -> tuple[list[Step], list[Step]]:
    """A section for each kind of layer, then one that gathers the sublayers; and the steps that add up to the total."""
    sections: list[Step] = []
    addends: list[Step] = []
    sublayers: list[Step] = []
    for kind, alike in _by_kind(workings.model.tree, workings.model.leaves).items():
        worked = [_steps(workings, kind, name, leaves) for (name, _), leaves in alike.items()]
        results = [steps[-1] for steps in worked]
        sections.append(group(workings, kind, [step for steps in worked for step in steps]))
        if kind in (EMBEDDINGS, NORM, OUTPUT):
            addends += results
        else:
            sublayers.append(workings.step("", kind, total([step.quantity for step in results]), notes=[Note(("gathered",))]))
    if sublayers:
        sections.append(group(workings, "sublayers", sublayers))
    return sections, addends + sublayers


def _by_kind(tree: Component, leaves: Sequence[Leaf]) -> dict[str, Alike]:
    """The leaves by section: embeddings, norms, each sublayer, and last what stands outside of the layers."""
    usual = _usual_norms(leaves)
    found: dict[str, Alike] = {}
    outside: Alike = {}
    for leaf in leaves:
        *_, parent, name = ["", *leaf.path.split(".")]
        if leaf.component.kind in NORMS:
            section, name = found.setdefault(NORM, {}), leaf.component.kind if leaf.component in usual else name
        elif leaf.component.kind == EMBEDDING or not leaf.component.tensors or parent == EMBEDDINGS:
            section = found.setdefault(EMBEDDINGS, {})
        elif _enclosing(tree, leaf.path).is_sublayer:
            section = found.setdefault(parent, {})
        else:
            section, name = outside, f"within:{parent}/{name}" if parent else name
        section.setdefault((name, leaf.component), []).append(leaf)
    return {**found, OUTPUT: outside} if outside else found


def _usual_norms(leaves: Sequence[Leaf]) -> set[Component]:
    """Of each kind of norm the shape that is met most; the others go by their own names."""
    met = Counter(leaf.component for leaf in leaves if leaf.component.kind in NORMS)
    most: dict[str, Component] = {}
    for norm, _ in met.most_common():
        most.setdefault(norm.kind, norm)
    return set(most.values())


def _enclosing(tree: Component, path: str) -> Component:
    for name in path.split(".")[:-1]:
        tree = tree.child(name)
    return tree


def _steps(workings: Workings, kind: str, name: str, leaves: Sequence[Leaf]) -> list[Step]:
    """What is worked out for layers of one name and shape; the last step is what they come to in the whole model."""
    leaf, copies = leaves[0], total([other.copies for other in leaves])
    if kind == NORM:
        one = leaf_step(workings, leaf.path, f"one:{name}", leaf.component)
        plural = f"{name}s" if name == leaf.component.kind else f"every:{name}"
        return [one, _everywhere(workings, plural, copies, one)]
    if kind in (EMBEDDINGS, OUTPUT):
        step = leaf_step(workings, leaf.path, name, leaf.component)
        everywhere = [_everywhere(workings, f"every:{name}", copies, step)] if copies != ONE and step.written != ZERO else []
        return [*step.parts, step, *everywhere]
    if workings.attention == PER_HEAD and leaf.component.heads:
        steps = projection_steps(workings, leaf.path, kind, name, leaf.component)
    else:
        steps = _matrix_and_bias(workings, leaf, within(kind, name))
    return [*steps, _everywhere(workings, f"all_layers:{within(kind, name)}", copies, steps[-1])] if copies != ONE else steps


def _matrix_and_bias(workings: Workings, leaf: Leaf, name: str) -> list[Step]:
    """The matrix alone where there is a bias too, then one layer's share."""
    component = leaf.component
    weights = [tensor for tensor in component.tensors if tensor.role == "weight"]
    matrix = workings.step(leaf.path, f"matrix:{name}", times(component.times, formula(weights)))
    one = workings.step(
        leaf.path, f"one_layer:{name}", times(component.times, formula(component.tensors)), notes=[explain("", component)]
    )
    return [matrix, one] if len(weights) < len(component.tensors) else [one]


def _everywhere(workings: Workings, name: str, copies: Expression, one: Step) -> Step:
    """All layers of a kind: as many as there are in each part of the model, times one of them."""
    return workings.step("", name, times(copies, one.quantity), notes=[Note(("everywhere",), {"number": copies})])

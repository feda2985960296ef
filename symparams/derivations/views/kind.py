"""The view ``kind``: by kind of layer over the whole model, all LayerNorms at once: (1 + L + L + 1) × 2h."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from symparams.components.kinds import Role
from symparams.components.tree import Component
from symparams.components.walks import Leaf
from symparams.derivations.layers import PER_HEAD, explain, leaf_step, projection_steps, within
from symparams.derivations.steps import Name, Note, Step, named, step
from symparams.derivations.views.module import group
from symparams.expressions.nodes import Expression
from symparams.expressions.written import ONE, ZERO, times, total
from symparams.models.model import Model
from symparams.quantities.parameters import PARAMETERS, WEIGHTS

EMBEDDINGS, NORM, OUTPUT = "embeddings", "norms", "output"

Alike = dict[tuple[Name, Component], list[Leaf]]  # layers of one name and shape, wherever in the model they stand


def work(model: Model, attention: str) -> tuple[list[Step], list[Step]]:
    """A section for each kind of layer, then one that gathers the sublayers; and the steps that add up to the total."""
    sections: list[Step] = []
    addends: list[Step] = []
    sublayers: list[Step] = []
    for kind, alike in _by_kind(model.leaves, attention).items():
        worked = [_steps(model, attention, kind, name, leaves) for (name, _), leaves in alike.items()]
        results = [steps[-1] for steps in worked]
        sections.append(group(model, kind, [each for steps in worked for each in steps]))
        if kind in (EMBEDDINGS, NORM, OUTPUT):
            addends += results
        else:
            sublayers.append(step(model, "", kind, total([each.quantity for each in results]), notes=[Note(("gathered",))]))
    if sublayers:
        sections.append(group(model, "sublayers", sublayers))
    return sections, addends + sublayers


def _by_kind(leaves: Sequence[Leaf], attention: str) -> dict[str, Alike]:
    """The leaves by section: embeddings, norms, each sublayer, and last what stands outside of the layers."""
    usual = _usual_norms(leaves)
    found: dict[str, Alike] = {}
    outside: Alike = {}
    for leaf in leaves:
        section, name = _place(leaf, usual)
        alike = outside if section == OUTPUT else found.setdefault(section, {})
        heads = leaf.component.heads if attention == PER_HEAD else None
        shape = replace(leaf.component.stored, heads=heads)
        alike.setdefault((name, shape), []).append(leaf)
    return {**found, OUTPUT: outside} if outside else found


def _place(leaf: Leaf, usual: set[Component]) -> tuple[str, Name]:
    """The section of a leaf, and what it is called there."""
    component, around = leaf.component, leaf.ancestors[-1][0].rpartition(".")[2]
    if component.role is Role.NORM:
        return NORM, Name(component.kind.name if component.stored in usual else leaf.name)
    if component.role is Role.TABLE or not component.tensors or around == EMBEDDINGS:
        return EMBEDDINGS, Name(leaf.name)
    if leaf.sublayer:
        path, _ = leaf.sublayer
        return path.rpartition(".")[2], Name(leaf.path.removeprefix(f"{path}.").replace(".", "_"))
    return OUTPUT, named("within", around, leaf.name) if around else Name(leaf.name)


def _usual_norms(leaves: Sequence[Leaf]) -> set[Component]:
    """Of each kind of norm the shape that is met most; the others go by their own names."""
    met = Counter(leaf.component.stored for leaf in leaves if leaf.component.role is Role.NORM)
    most: dict[str, Component] = {}
    for norm, _ in met.most_common():
        most.setdefault(norm.kind.name, norm)
    return set(most.values())


def _steps(model: Model, attention: str, kind: str, name: Name, alike: Sequence[Leaf]) -> list[Step]:
    """What is worked out for layers of one name and shape; the last step is what they come to in the whole model."""
    leaf, copies = alike[0], total([other.copies for other in alike])
    if kind == NORM:
        one = leaf_step(model, leaf.path, named("one", name), leaf.component)
        plural = Name(f"{name}s") if str(name) == leaf.component.kind.name else named("every", name)
        return [one, _everywhere(model, plural, copies, one)]
    if kind in (EMBEDDINGS, OUTPUT):
        alone = leaf_step(model, leaf.path, name, leaf.component)
        is_once = copies == ONE or alone.written == ZERO
        return [*alone.parts, alone, *([] if is_once else [_everywhere(model, named("every", name), copies, alone)])]
    if attention == PER_HEAD and leaf.component.heads:
        steps = projection_steps(model, leaf.path, kind, leaf, leaf.component.times)
    else:
        steps = _matrix_and_bias(model, leaf, within(kind, str(name)))
    every = named("all_layers", within(kind, str(name)))
    return [*steps, _everywhere(model, every, copies, steps[-1])] if copies != ONE else steps


def _matrix_and_bias(model: Model, leaf: Leaf, name: Name) -> list[Step]:
    """The matrix alone where there is a bias too, then one layer's share."""
    component = leaf.component
    matrix = step(model, leaf.path, named("matrix", name), times(component.times, WEIGHTS.of(component)))
    whole = times(component.times, PARAMETERS.of(component))
    one = step(model, leaf.path, named("one_layer", name), whole, notes=[explain("", component)])
    return [matrix, one] if ZERO != matrix.written != one.written else [one]


def _everywhere(model: Model, name: Name, copies: Expression, one: Step) -> Step:
    """All layers of a kind: as many as there are in each part of the model, times one of them."""
    return step(model, "", name, times(copies, one.quantity), notes=[Note(("everywhere",), {"number": copies})])

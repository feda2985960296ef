"""The view ``kind``: by kind of layer over the whole model, all LayerNorms at once: (1 + 2L + 1) × 2h."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import replace

from symparams.components.facts import Projection
from symparams.components.kinds import Role
from symparams.components.tree import Component
from symparams.components.walks import Leaf
from symparams.derivations.layers import PER_HEAD, explain, explain_weights, leaf_step, projection_steps, within
from symparams.derivations.mixtures import ALL_EXPERTS, copies_of, expert_steps, experts_of
from symparams.derivations.steps import Note, Step, StepKind, StepName, named, step
from symparams.derivations.views.module import group
from symparams.expressions.closed_form import multiply_out
from symparams.expressions.nodes import Expression, Number
from symparams.expressions.written import ONE, ZERO, times, total
from symparams.models.model import Model
from symparams.quantities.parameters import BIASES, PARAMETERS, WEIGHTS

ONCE = EMBEDDINGS, DISTANCES, OUTPUT = "embeddings", "position_bias", "output"  # what stands outside of the layers
NORM = "norms"
APART = (*ONCE, NORM)

# Layers of one kind and shape, wherever in the model they stand, and what the first is called.
Alike = dict[tuple[Hashable, Component], tuple[StepName, list[Leaf]]]


def work(model: Model, attention: str) -> tuple[list[Step], list[Step]]:
    """A section for each kind of layer, then one that gathers the sublayers; and the steps that add up to the total."""
    sections: list[Step] = []
    addends: list[Step] = []
    gathered: list[Step] = []
    met: dict[Component, Step] = {}
    for place, kind, alike in _by_kind(model, attention):
        worked = [_steps(model, attention, place, kind, name, leaves, met) for name, leaves in alike]
        results = [steps[-1] for steps in worked]
        sections.append(group(model, kind, [part for steps in worked for part in steps]))
        counted = [part for part in results if part.written != ZERO]
        if place in APART or len(counted) < 2:
            addends += results
        else:
            name = named("all_layers", kind)
            gathered.append(step(model, "", name, total([part.quantity for part in counted]), notes=[Note(("gathered",))]))
    if gathered:
        sections.append(group(model, "sublayers", gathered))
    return sections, addends + gathered


def _by_kind(model: Model, attention: str) -> list[tuple[Hashable, str, list[tuple[StepName, list[Leaf]]]]]:
    """The leaves by section: embeddings, norms, each sublayer, and last what stands outside of the layers.

    Those that do the same, in a sublayer of whatever name, stand together under the name of the first. All experts of a mixture
    go by the first of their arrays.
    """
    usual = _usual_norms(model.leaves)
    sections: dict[Hashable, tuple[str, Alike]] = {}
    headed: dict[str, Hashable] = {}
    mixtures: set[str] = set()
    for leaf in model.leaves:
        place, section, name = _place(leaf, usual)
        if leaf.sublayer and place not in APART:  # of one heading there is one section
            place = headed.setdefault(section, place)
        if leaf.sublayer and any(tensor.active for tensor in leaf.component.tensors) and experts_of(leaf.sublayer[1]):
            if leaf.sublayer[0] in mixtures:
                continue
            mixtures.add(leaf.sublayer[0])
            name = StepName(ALL_EXPERTS)
        _, alike = sections.setdefault(place, (section, {}))
        heads = leaf.component.heads if attention == PER_HEAD else None
        is_all = leaf.sublayer and name == ALL_EXPERTS
        shape = leaf.sublayer[1].stored if leaf.sublayer and is_all else replace(leaf.component.stored, heads=heads)
        key = name if place in ONCE or str(name) in (ALL_EXPERTS, leaf.component.kind.name) else leaf.key
        alike.setdefault((key, shape), (name, []))[1].append(leaf)
    if OUTPUT in sections:
        sections[OUTPUT] = sections.pop(OUTPUT)
    return [(place, section, list(alike.values())) for place, (section, alike) in sections.items()]


def _place(leaf: Leaf, usual: set[Component]) -> tuple[Hashable, str, StepName]:
    """The section of a leaf, by what it is and by its heading, and what the leaf is called there."""
    component, around = leaf.component, leaf.ancestors[-1][0].rpartition(".")[2]
    if component.role is Role.NORM:
        return NORM, NORM, StepName(component.kind.name if component.stored in usual else leaf.name)
    if component.acts_on:
        return DISTANCES, DISTANCES, StepName(leaf.name)
    if leaf.is_embedding or not component.tensors or Projection.PATCHES in component.makes:
        return EMBEDDINGS, EMBEDDINGS, StepName(leaf.name)
    if leaf.sublayer:
        path, _ = leaf.sublayer
        return leaf.part.key, path.rpartition(".")[2], StepName(leaf.path.removeprefix(f"{path}.").replace(".", "_"))
    return OUTPUT, OUTPUT, named("within", around, leaf.name) if around else StepName(leaf.name)


def _usual_norms(leaves: Sequence[Leaf]) -> set[Component]:
    """Of each kind of norm the shape that is met most; the others go by their own names."""
    met = Counter(leaf.component.stored for leaf in leaves if leaf.component.role is Role.NORM)
    most: dict[str, Component] = {}
    for norm, _ in met.most_common():
        most.setdefault(norm.kind.name, norm)
    return set(most.values())


def _steps(
    model: Model,
    attention: str,
    place: Hashable,
    kind: str,
    name: StepName,
    alike: Sequence[Leaf],
    met: dict[Component, Step],
) -> list[Step]:
    """Return the steps for layers of one name and shape; the last is their sum over the model.

    ``met`` are the layers that were worked out before, by shape: one of the same shape refers to them.
    """
    leaf, copies = alike[0], total([other.copies for other in alike])
    if place == NORM:
        return _norms(model, name, alike)
    if name == ALL_EXPERTS and leaf.sublayer:
        path, sublayer = leaf.sublayer
        experts = experts_of(sublayer)
        assert experts is not None
        copies = total([copies_of(other, other.sublayer[0]) for other in alike if other.sublayer])
        steps = [*expert_steps(model, path, sublayer, experts)]
        return [*steps, _everywhere(model, named("all_layers", name), copies, steps[-1])] if copies != ONE else steps
    if place in ONCE or not any(tensor.trained for tensor in leaf.component.tensors):
        alone = _shared_within(leaf_step(model, leaf.path, name, leaf.component))
        is_once = copies == ONE or alone.written == ZERO
        return [alone, *([] if is_once else [_everywhere(model, named("every", name), copies, alone)])]
    before = met.get(replace(leaf.component.stored, heads=None))
    if before is not None:
        notes = [Note(("same_shapes",), {"other": before.quantity})]
        steps = [step(model, leaf.path, named("one_layer", within(kind, str(name), leaf)), before.quantity, notes=notes)]
    elif attention == PER_HEAD and leaf.component.heads:
        steps = projection_steps(model, leaf.path, kind, leaf, leaf.component.times)
    else:
        steps = _matrix_and_bias(model, leaf, within(kind, str(name), leaf))
    met.setdefault(replace(leaf.component.stored, heads=None), steps[-1])
    every = named("all_layers", within(kind, str(name), leaf))
    return [*steps, _everywhere(model, every, copies, steps[-1])] if copies != ONE else steps


def _shared_within(alone: Step) -> Step:
    """A layer whose matrix is another's, with the size of that matrix worked out after the sentence that says so."""
    return replace(alone, steps=alone.parts, parts=()) if alone.kind == StepKind.TIED else alone


def _norms(model: Model, name: StepName, alike: Sequence[Leaf]) -> list[Step]:
    """One norm, then as many as there are, place by place: 1 after the embeddings, 2 in each layer, 1 at the end."""
    leaf = alike[0]
    places = _places(model, alike)
    copies = total([times(Number(number), copies_there) for _, copies_there, number in places])
    if copies == ONE:
        return [leaf_step(model, leaf.path, StepName(leaf.name), leaf.component)]
    one_norm = leaf_step(model, leaf.path, named("one", name), leaf.component)
    if one_norm.kind is StepKind.TIED:
        return [one_norm]
    plural = StepName(f"{name}s") if str(name) == leaf.component.kind.name else named("every", name)
    sentences = tuple(replace(note, terms={**note.terms, "number": Number(number)}) for note, _, number in places)
    return [
        one_norm,
        step(model, "", plural, times(copies, one_norm.quantity), notes=[Note(("places",), {"places": sentences})]),
    ]


def _places(model: Model, alike: Sequence[Leaf]) -> list[tuple[Note, Expression, int]]:
    """Return the places in which leaves stand: a sentence on each, its copies in the model, and the leaves in one copy."""
    by_sentence: dict[str, tuple[Note, Expression, int]] = {}
    for leaf in alike:
        key, note = _where(model, leaf)
        number = by_sentence[key][2] if key in by_sentence else 0
        by_sentence[key] = (note, leaf.copies, number + 1)
    return list(by_sentence.values())


def _where(model: Model, leaf: Leaf) -> tuple[str, Note]:
    """The place of a leaf: in each layer of a stack, after the embeddings, after a stack, at the end, in another block."""
    layers = [(path, block) for path, block in leaf.ancestors if block.times != ONE]
    if layers:
        path, block = layers[-1]
        return path, Note(("place.each",), {"block": StepName(block.name or path.rpartition(".")[2])})
    path = leaf.ancestors[-1][0]
    if path:
        key = "place.after" if path == _embeddings(model) else "place.within"
        return path, Note((key,), {"block": StepName(path.rpartition(".")[2])})
    before = [name for name, _ in model.tree.children]
    before = before[: before.index(leaf.name)]
    stacks = [name for name, block in model.tree.children if block.role is Role.BLOCK and block.times != ONE]
    if stacks and set(stacks) <= set(before):
        return leaf.path, Note(("place.end",))
    after = Note(("place.after",), {"block": StepName(before[-1])}) if before else Note(("place.start",))
    return leaf.path, after


def _embeddings(model: Model) -> str | None:
    """The path of the block of tables, where there is one for the whole model."""
    paths = {name for name, block in model.tree.children if any(part.role is Role.TABLE for _, part in block.children)}
    return paths.pop() if len(paths) == 1 else None


def _matrix_and_bias(model: Model, leaf: Leaf, name: StepName) -> list[Step]:
    """The matrix alone where there is a bias too, then one layer's share: that matrix and the bias."""
    component = leaf.component
    whole = times(component.times, PARAMETERS.of(component))
    matrix = step(model, leaf.path, named("matrix", name), times(component.times, WEIGHTS.of(component)))
    biases = times(component.times, BIASES.of(component))
    both = total([matrix.quantity, biases])
    if ZERO in (matrix.written, BIASES.of(component)) or multiply_out(both, {}) != multiply_out(whole, {}):
        return [step(model, leaf.path, named("one_layer", name), whole, notes=[explain("", component)])]
    matrix = replace(matrix, notes=(explain_weights(component),))
    length = Note(("with_biases",), {"width": BIASES.of(component)})
    return [matrix, step(model, leaf.path, named("one_layer", name), both, notes=[length])]


def _everywhere(model: Model, name: StepName, copies: Expression, one_copy: Step) -> Step:
    """All layers of a kind: as many as there are in each part of the model, times one of them."""
    return step(model, "", name, times(copies, one_copy.quantity), notes=[Note(("everywhere",), {"number": copies})])

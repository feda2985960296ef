"""Stacks of a model with several: each one sum with its final norm, a layer that contains another told by what it has more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from symparams.components.kinds import Role
from symparams.components.tree import Component
from symparams.components.walks import Leaf, components, key_in_block, leaves
from symparams.derivations.layers import explain, explain_sublayer
from symparams.derivations.steps import Note, Step, StepKind, StepName, step
from symparams.expressions.nodes import Expression, Labelled, Named, Size
from symparams.expressions.written import ONE, times, total
from symparams.models.model import Model
from symparams.models.stacks import stacks_of
from symparams.quantities.parameters import PARAMETERS
from symparams.records import frozen

POSITION_BIAS, FINAL_NORM, ITS_NORM = "position_bias", "stack_norm", "its_norm"

Part = tuple[str, Component]


@frozen
class Layer:
    """A layer of a stack, and the step that it is worked out in."""

    block: Component
    one: Step


def closes(model: Model, name: str, part: Component) -> bool:
    """True if a part is the norm that closes one of several stacks: it stands right after it."""
    return part.role is Role.NORM and _closed_by(model, name) is not None


def stack_of(model: Model, leaf: Leaf) -> str | None:
    """The stack to which a leaf is added: the one in which it stands, that it closes, or whose attention it biases."""
    stacks, first = stacks_of(model.tree), leaf.path.partition(".")[0]
    if first in stacks:
        return first
    if closes(model, leaf.path, leaf.component):
        return _closed_by(model, leaf.path)
    return leaf.component.acts_on if leaf.component.acts_on in stacks else None


def _closed_by(model: Model, name: str) -> str | None:
    """The stack that stands right before a part of the model."""
    names = [other for other, _ in model.tree.children]
    before = names[names.index(name) - 1] if name in names[1:] else ""
    return before if before in stacks_of(model.tree) else None


def biases(model: Model) -> Mapping[str, Leaf]:
    """The relative position biases of a whole stack, by their paths: they are worked out and added up with that stack."""
    acting = [leaf for leaf in model.leaves if leaf.component.acts_on and not leaf.stack]
    if not acting:
        return {}
    repeated = {path for path, part in components(model.tree) if part.role is Role.BLOCK and part.times != ONE}
    return {leaf.path: leaf for leaf in acting if leaf.component.acts_on in repeated}


def _bias_steps(model: Model, path: str) -> Iterator[Step]:
    """Yield the step on the relative position biases in the first of the stacks that have them, once for all."""
    tables = list(biases(model).values())
    if tables and tables[0].component.acts_on == path:
        first, name = tables[0], POSITION_BIAS if len(tables) > 1 else tables[0].name
        notes = [explain(name, first.component)]
        yield step(model, first.path, POSITION_BIAS, PARAMETERS.of(first.component), notes=notes)


def stack_step(model: Model, path: str, name: str, block: Component, layer: Step) -> Step:
    """So many copies of a layer, and what else belongs to its stack: L × N_enc layer + h [final norm] + N_rel."""
    beside = list(_beside(model, path))
    written = total([times(block.times, layer.quantity), *beside])
    return step(model, path, name, written, kind=StepKind.STACK, steps=[layer, *_bias_steps(model, path)])


def _beside(model: Model, stack: str) -> Iterator[Expression]:
    """Return the addends of a stack beside its layers: its final norm, its relative position biases."""
    for name, part in model.tree.children:
        if closes(model, name, part) and _closed_by(model, name) == stack:
            yield Labelled(times(part.times, PARAMETERS.of(part)), StepName(FINAL_NORM))
    for leaf in biases(model).values():
        if leaf.component.acts_on == stack:
            yield Named(StepName(POSITION_BIAS), PARAMETERS.of(leaf.component))


def layer_with_more(model: Model, path: str, block: Component, worked: Sequence[Layer]) -> Step | None:
    """A layer of a stack as an earlier one and the sublayer that it has more, with its norm; None where that is not all.

    N_dec layer = N_enc layer + 4·h² [cross-attention] + h [its norm].
    """
    if block.times == ONE:
        return None
    for layer in worked:
        more = _more(block, layer.block)
        sublayers = [part for part in more if part[1].is_sublayer]
        norms = [part for part in more if part[1].role is Role.NORM]
        if len(sublayers) == 1 and len(norms) < 2 and len(more) == 1 + len(norms):
            return _plus(model, path, block, layer, [*sublayers, *norms])
    return None


def _more(block: Component, other: Component) -> list[Part]:
    """Return the parts that a layer has beyond those of another; [] if the other has a part that it lacks."""
    kept = Counter((key_in_block(name, other), stores(part)) for name, part in other.children)
    here = [(part, key_in_block(part[0], block), stores(part[1])) for part in block.children]
    for is_alike in (True, False):  # what does the same in its layer stands for the same
        for each in list(here):
            _, key, stored = each
            match = next((k for k in kept if k[1] == stored and (k[0] == key or not is_alike) and kept[k]), None)
            if match is not None:
                kept[match] -= 1
                here.remove(each)
    return [] if +kept else [part for part, _, _ in here]


def stores(part: Component) -> tuple[object, ...]:
    """Return the role and the arrays of a part, whatever its data flow."""
    arrays = ((leaf.component.makes, leaf.times, PARAMETERS.of(leaf.component)) for leaf in leaves(part))
    return part.role, tuple(arrays)


def _plus(model: Model, path: str, block: Component, layer: Layer, more: Sequence[Part]) -> Step:
    """The earlier layer, and under braces what there is more."""
    addends: list[Expression] = [layer.one.quantity]
    for label, (name, part) in zip((more[0][0], ITS_NORM), more, strict=False):
        counts = total([times(leaf.times, PARAMETERS.of(leaf.component)) for leaf in leaves(part)])
        addends.append(Labelled(Size(step(model, f"{path}.{name}", name, counts).closed), StepName(label)))
    notes = _notes(model, path, layer, more)
    return step(model, path, block.name, total(addends), kind=StepKind.BLOCK, notes=notes)


def _notes(model: Model, path: str, layer: Layer, more: Sequence[Part]) -> list[Note]:
    """The sentences on what a layer has more; of shapes that the other layer has already, only what else is to say."""
    name, sublayer = more[0]
    key = "plus_normed" if len(more) > 1 else "plus"
    plus = Note((key,), {"place": layer.one.name, "part": StepName(name)})
    sentences = explain_sublayer(model, path, sublayer, "")
    alike = next(((n, p) for n, p in layer.block.children if stores(p) == stores(sublayer)), None)
    if alike is None:
        return [plus, *sentences]
    before = explain_sublayer(model, path, alike[1], "")
    return [plus, Note(("shapes_alike",), {"other": StepName(alike[0])}), *(note for note in sentences if note not in before)]

"""The view ``module``: block by block in the order of the tree, as one walks through the model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import groupby, pairwise

from symparams.components.kinds import Role
from symparams.components.tree import Component
from symparams.components.walks import key_in_block
from symparams.derivations.layers import leaf_step, norms_step, sublayer_step
from symparams.derivations.mixtures import experts_of, shared_experts_step
from symparams.derivations.stacks import Layer, biases, closes, layer_with_more, stack_step, stores
from symparams.derivations.steps import Note, Step, StepKind, named, step, summed
from symparams.expressions.nodes import Named
from symparams.expressions.written import ONE, ZERO, times
from symparams.models.model import Model
from symparams.records import frozen

Layers = Sequence[tuple[str, Component]]


@frozen
class Walk:
    """A walk through the tree; how a sublayer and equal norms are written, and in which order, a view may choose.

    ``worked`` are the layers of the stacks that it has been through.
    """

    model: Model
    attention: str
    sublayer: Callable[[Model, str, str, Component, str], Step] = sublayer_step
    norms: Callable[[Model, str, Layers], Step] = norms_step
    arrange: Callable[[Layers], Layers] = tuple
    worked: list[Layer] = field(default_factory=list)

    def work(self) -> tuple[list[Step], list[Step]]:
        """A section for each block of the tree, and one for each run of layers between them."""
        sections: list[Step] = []
        addends: list[Step] = []
        with_stacks = biases(self.model)
        parts = [
            (name, part)
            for name, part in self.model.tree.children
            if not closes(self.model, name, part) and name not in with_stacks
        ]
        for is_block, children in groupby(parts, lambda item: item[1].role is Role.BLOCK):
            if is_block:
                steps = [section for name, block in children for section in self.blocks(name, block)]
                sections += map(_without_sum_of_one, steps)
            else:
                run = list(children)
                steps = [self.layer(name, name, layer) for name, layer in run]
                together = "output" if sections else "embeddings" if _has_table(run) else "before_layers"
                sections.append(group(self.model, together if len(steps) > 1 else str(steps[0].name), steps))
            addends += (_addend(section) for section in steps if section.kind != StepKind.GROUP)
        return sections, addends

    def blocks(self, name: str, block: Component) -> Iterator[Step]:
        """A block of the tree; one that is stacks of several kinds of layer as its stacks, each by itself.

        What all of these layers have is worked out once, before the first kind.
        """
        common = shared_by_stacks(block)
        if not common:
            yield self.block(name, name, block)
            return
        shared = list(self.steps(name, common.values()))
        yield group(self.model, "every_layer", shared)
        for child, stack in block.children:
            own = tuple(part for key, part in keyed(stack) if key not in common)
            yield self.block(f"{name}.{child}", child, replace(stack, body=own), shared)

    def block(self, path: str, name: str, block: Component, shared: Sequence[Step] = ()) -> Step:
        """A block and its subtotal; a repeated one as its copies times the subtotal of one.

        ``shared`` has been worked out before: what the layers have besides the parts that stand here. What acts on the scores
        of a stack's attention is worked out and added up with the stack; a layer that has all that an earlier
        one has, and a sublayer more, is told as that one and what it has more.
        """
        more = None if shared else layer_with_more(self.model, path, block, self.worked)
        if more is not None:
            return stack_step(self.model, path, name, block, more)
        with_stacks = biases(self.model)
        parts = tuple((child, part) for child, part in block.children if f"{path}.{child}" not in with_stacks)
        inner = list(self.steps(path, self.arrange(parts)))
        addends = [*shared, *map(_addend, inner)]
        worked = [
            step
            for own_step, addend in zip(inner, addends[len(shared) :], strict=True)
            for step in ([own_step] if own_step is addend else own_step.steps)
        ]
        if block.times == ONE:
            return summed(self.model, path, name, worked, StepKind.BLOCK, addends, in_turn(block))
        layer = summed(self.model, path, block.name, worked, StepKind.BLOCK, addends)
        if (only := _addend(layer)) is not layer:  # the layer is its only part that counts
            layer = replace(only, name=layer.name)
        if not shared:
            self.worked.append(Layer(block, layer))
        return stack_step(self.model, path, name, block, layer)

    def layer(self, path: str, name: str, layer: Component) -> Step:
        """One layer: a sublayer in one formula, a block with its subtotal, a leaf by itself."""
        if not layer.is_sublayer:
            return self.block(path, name, layer) if layer.children else leaf_step(self.model, path, name, layer)
        role = next((leaf.part.role for leaf in self.model.leaves if leaf.sublayer and leaf.sublayer[0] == path), None)
        sublayer = replace(self.sublayer(self.model, path, name, replace(layer, times=ONE), self.attention), role=role)
        if layer.times == ONE:
            return sublayer
        return step(
            self.model, path, named("every", name), times(layer.times, sublayer.quantity), kind=StepKind.STACK, steps=[sublayer]
        )

    def steps(self, path: str, children: Iterable[tuple[str, Component]]) -> Iterator[Step]:
        """The steps of a block: its layers in their order, then its norms, equal ones together; a matrix follows its norm."""
        norms: dict[Component, list[tuple[str, Component]]] = {}
        children = list(children)
        read = {name for (name, _), (_, after) in pairwise(children) if after.role is Role.MATRIX}
        experts = next((of_child for _, child in children if child.is_sublayer and (of_child := experts_of(child))), None)
        for name, child in children:
            if child.role is Role.NORM and name in read:
                yield self.norms(self.model, path, [(name, child)])
            elif child.role is Role.NORM:
                norms.setdefault(child.stored, []).append((name, child))
            elif experts and (shared := shared_experts_step(self.model, f"{path}.{name}", name, child, experts)):
                yield shared
            else:
                yield self.layer(f"{path}.{name}", name, child)
        for equal in norms.values():
            yield self.norms(self.model, path, equal)


def shared_by_stacks(block: Component) -> Mapping[Hashable, tuple[str, Component]]:
    """Return the parts that all layers have of a block of several stacks, such as their attention and norms."""
    stacks = [child for _, child in block.children if child.role is Role.BLOCK and child.times != ONE]
    if block.times != ONE or len(stacks) < 2 or len(stacks) < len(block.children):
        return {}
    first, *others = [dict(keyed(stack)) for stack in stacks]
    return {
        key: (name, part)
        for key, (name, part) in first.items()
        if all(key in other and stores(other[key][1]) == stores(part) for other in others)
    }


def keyed(stack: Component) -> Iterator[tuple[Hashable, tuple[str, Component]]]:
    """Yield the parts of a layer by their keys; of several with one key, as experts and a shared one, by their numbers too."""
    met: Counter[Hashable] = Counter()
    for name, part in stack.children:
        key = key_in_block(name, stack)
        yield (key, met[key]), (name, part)
        met[key] += 1


def in_turn(block: Component) -> list[Note]:
    """The sentence on layers of two sublayers, each of which is one of several kinds in turn: a mixer, then a network."""
    groups = [part for _, part in block.body if part.alternate]
    if not block.alternate or len(groups) != 2:
        return []
    first, second = (tuple(Note(("norms.sublayer",), {"name": stack.name}) for _, stack in part.children) for part in groups)
    return [Note(("in_turn",), {"first": first, "second": second})]


def _has_table(children: Layers) -> bool:
    """True if one of these layers is a table of rows."""
    return any(child.role is Role.TABLE for _, child in children)


def _without_sum_of_one(block: Step) -> Step:
    """A block, without its sum where only one of its parts counts."""
    return block if _addend(block) is block else replace(block, written=ZERO, kind=StepKind.GROUP)


def _addend(block: Step) -> Step:
    """Return the step of a block that is added to the total: its sum, or its only part that counts."""
    is_one = block.kind == StepKind.BLOCK and isinstance(block.written, Named)
    return next((part for part in block.steps if part.quantity == block.written), block) if is_one else block


def group(model: Model, name: str, steps: Sequence[Step]) -> Step:
    """Steps under one heading that are not added up there."""
    return step(model, "", name, ZERO, kind=StepKind.GROUP, steps=steps)


def work(model: Model, attention: str) -> tuple[list[Step], list[Step]]:
    """The sections of the sheet, and the steps that add up to the total."""
    return Walk(model, attention).work()

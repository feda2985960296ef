"""Walks over a tree: its leaf layers where they stand, its named components, its gates, its arrays one by one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from functools import cached_property
from itertools import takewhile

from symparams.components.facts import Gives, Projection, Rows
from symparams.components.flow import is_layer
from symparams.components.kinds import PartRole, Role
from symparams.components.tree import Component, Tensor
from symparams.expressions.nodes import Expression
from symparams.expressions.written import ONE, Values, evaluate, times
from symparams.features import Feature, tying
from symparams.records import frozen

TABLES = {Rows.TOKENS: PartRole.TOKENS, Rows.POSITIONS: PartRole.POSITIONS, Rows.SEGMENTS: PartRole.SEGMENTS,
          Rows.DISTANCES: PartRole.DISTANCES}  # fmt: skip
HEADS = {Gives.NEXT_TOKEN: PartRole.OUTPUT_HEAD, Gives.LABELS: PartRole.CLASSIFIER}
SUBLAYERS = {
    Role.ATTENTION: PartRole.ATTENTION,
    Role.LINEAR_ATTENTION: PartRole.LINEAR_ATTENTION,
    Role.FEED_FORWARD: PartRole.FEED_FORWARD,
    Role.MIXER: PartRole.MIXER,
    Role.SHORT_CONVOLUTION: PartRole.SHORT_CONVOLUTION,
}


@frozen
class Part:
    """A part of a model, to which leaves belong: its path in the tree, and what it is, whatever it is called.

    ``key`` is the same for parts that are one in the whole model, as the attention of every stack is: what they are, by their
    kind where that tells it, and which of several they are in their block.
    """

    path: str
    role: PartRole
    key: tuple[PartRole, str, int]

    @property
    def name(self) -> str:
        """Its name in the definition, the last of its path."""
        return self.path.rpartition(".")[2]


@frozen
class Leaf:
    """A leaf layer where it stands: its path, what stands around it from the root on, and the component."""

    path: str
    ancestors: tuple[tuple[str, Component], ...]
    component: Component

    @cached_property
    def copies(self) -> Expression:
        """The number of copies of its place in the model."""
        return times(*(ancestor.times for _, ancestor in self.ancestors))

    @cached_property
    def times(self) -> Expression:
        """The number of times that it occurs in the model: the copies of its place, times its own."""
        return times(self.copies, self.component.times)

    @cached_property
    def _outside(self) -> int:
        """The number of ancestors outside of one layer; 0 where it stands in none that is repeated."""
        repeated = [i for i, (_, part) in enumerate(self.ancestors) if part.role is Role.BLOCK and part.times != ONE]
        return repeated[-1] + 1 if repeated else 0

    @property
    def stack(self) -> str:
        """The path of the repeated block in which it stands, "" where it stands in none."""
        return self.ancestors[self._outside - 1][0] if self._outside else ""

    @cached_property
    def layers(self) -> Expression:
        """The number of layers of that stack in the model."""
        return times(*(ancestor.times for _, ancestor in self.ancestors[: self._outside]))

    @cached_property
    def per_layer(self) -> Expression:
        """The number of times that it occurs in one of them, or in the model where it stands in none."""
        return times(*(ancestor.times for _, ancestor in self.ancestors[self._outside :]), self.component.times)

    @property
    def name(self) -> str:
        """Its own name, the last of its path."""
        return self.path.rpartition(".")[2]

    @property
    def roles(self) -> frozenset[Role]:
        """The parts that it and what stands around it play."""
        return frozenset({self.component.role, *(ancestor.role for _, ancestor in self.ancestors)})

    @property
    def is_embedding(self) -> bool:
        """True if it is a table, or stands in a block of the tree beside one, as the norm after the tables does."""
        return self.component.role is Role.TABLE or any(child.role is Role.TABLE for child in self._beside)

    @property
    def is_of_inputs(self) -> bool:
        """True if it stands among what makes vectors of the inputs: tables, or positions that are computed in place of one."""
        return self.is_embedding or any(child.kind.instead_of is Role.TABLE for child in self._beside)

    @property
    def _beside(self) -> Iterator[Component]:
        """The parts of its block, which is not the whole model."""
        return (child for _, child in (self.ancestors[-1][1].children if len(self.ancestors) > 1 else ()))

    @property
    def is_in_layer(self) -> bool:
        """True if a layer stands around it."""
        return any(is_layer(ancestor) for _, ancestor in self.ancestors[1:])

    @cached_property
    def part(self) -> Part:
        """The part to which it belongs: a sublayer, the norms, the head in which it stands; a table is a part by itself."""
        if self.sublayer:
            return self._of_sublayer(*self.sublayer)
        component = self.component
        if Role.NORM in (component.role, component.kind.instead_of):
            return Part(self.path, PartRole.NORM, (PartRole.NORM, component.kind.name, 0))
        if component.role is Role.SCALE:
            return Part(self.path, PartRole.LAYER_SCALES, (PartRole.LAYER_SCALES, "", 0))
        if component.kind.instead_of is Role.TABLE:
            return Part(self.path, PartRole.POSITIONS, (PartRole.POSITIONS, component.kind.name, 0))
        if component.role is Role.TABLE:
            role = of_table(component)
            told = (role, component.acts_on)
            number = self._number(self.path, lambda it: it.role is Role.TABLE and (of_table(it), it.acts_on) == told)
            return Part(self.path, role, (role, "", number))
        if Projection.PATCHES in component.makes:
            return Part(self.path, PartRole.PATCHES, (PartRole.PATCHES, "", 0))
        if Projection.CONVOLUTION in component.makes:
            return Part(self.path, PartRole.CONVOLUTIONS, (PartRole.CONVOLUTIONS, "", 0))
        around, parent = self.ancestors[-1]
        is_alone = len(self.ancestors) == 1 or self.is_embedding or any(is_layer(child) for _, child in parent.children)
        is_in_turn = self.is_in_layer and any(child.is_sublayer for _, child in parent.children)
        path = self.path if is_alone or is_in_turn else around
        role = HEADS.get(self.gives, PartRole.OTHER) if self.gives else PartRole.OTHER
        if role is PartRole.OTHER and self._gives_logits:
            role = PartRole.OUTPUT_HEAD
        return Part(path, role, (role, self.name if is_in_turn else path, 0))

    @cached_property
    def key(self) -> tuple[object, ...]:
        """A key that is the same for leaves that do the same in layers of several stacks, whatever they are called there.

        A matrix of a sublayer is known by what it makes, a norm of a layer by the sublayer beside which it stands; what has
        neither goes by its name.
        """
        if self.sublayer:
            path, sublayer = self.sublayer
            alike = [leaf.path for leaf in leaves(sublayer, path) if leaf._told == self._told]
            return (sublayer.role, *self._told, alike.index(self.path))
        return key_in_block(self.name, self.ancestors[-1][1]) if self.is_in_layer else (self.name,)

    @property
    def _told(self) -> tuple[object, ...]:
        has_experts = any(tensor.active for tensor in self.component.tensors)
        return self.component.role, self.component.makes, has_experts, "" if self.component.makes else self.component.kind.name

    def _of_sublayer(self, path: str, sublayer: Component) -> Part:
        around = self._around(path)

        def told(other: Component) -> tuple[PartRole, str]:
            role = of_sublayer(other, around, is_in_layer=self.is_in_layer)
            return role, other.kind.name if role is PartRole.OTHER else ""

        role, kind = told(sublayer)
        number = self._number(path, lambda other: other.is_sublayer and told(other) == (role, kind))
        return Part(path, role, (role, kind, number))

    def _around(self, path: str) -> Component:
        """Return the ancestor that holds the part at this path."""
        return dict(self.ancestors)[path.rpartition(".")[0]]

    def _number(self, path: str, is_alike: Callable[[Component], bool]) -> int:
        """Return the number of parts of a block before the one at this path that are like it."""
        before = takewhile(lambda part: part[0] != path.rpartition(".")[2], self._around(path).children)
        return sum(is_alike(part) for _, part in before)

    @property
    def gives(self) -> Gives | None:
        """The output of the model here, as it or an ancestor says; None where it is not part of a head."""
        within = (self.component, *(ancestor for _, ancestor in reversed(self.ancestors)))
        return next((part.gives for part in within if part.gives), None)

    @property
    def _gives_logits(self) -> bool:
        """True if it is an output head that does not say so: outside of the layers, its outputs the rows of a table."""
        is_told = any(part.tokens is not None for part in (self.component, *(ancestor for _, ancestor in self.ancestors)))
        is_outside = self.component.role is Role.MATRIX and not is_told and not self.is_in_layer
        return is_outside and bool(self.ancestors) and is_over_rows(self.component, rows_of(self.ancestors[0][1]))

    @cached_property
    def sublayer(self) -> tuple[str, Component] | None:
        """The outermost layer of one formula around it, by its path."""
        return next(((path, ancestor) for path, ancestor in self.ancestors if ancestor.is_sublayer), None)


def key_in_block(name: str, block: Component) -> tuple[object, ...]:
    """Return a key of a part of a layer, whatever it is called: a sublayer has its role, a norm the sublayer beside it.

    A second sublayer of a role, as the expert that all tokens share beside the routed ones, has its number.
    """
    part = block.child(name)
    if part.is_sublayer:
        alike = [other for other, child in block.children if child.is_sublayer and child.role is part.role]
        return part.role, bool(part.reads), alike.index(name)
    beside = _beside_sublayer(name, block) if Role.NORM in (part.role, part.kind.instead_of) else None
    if beside is None:
        return (name,)
    other, place = beside
    return (Role.NORM, *key_in_block(other, block), place)


def _beside_sublayer(name: str, block: Component) -> tuple[str, int] | None:
    """The sublayer to which a norm of a block belongs, and how many parts behind it the norm stands: negative before it."""
    for i, (own, part) in enumerate(block.body):
        names = [own] if own else [inner for inner, _ in part.children]
        if name not in names:
            continue
        within = None if own else _beside_sublayer(name, part)
        if within:
            return within
        sublayers = [inner for inner, child in part.children if child.is_sublayer] if not own else []
        if sublayers:
            nearest = min(sublayers, key=lambda inner: abs(names.index(inner) - names.index(name)))
            return nearest, names.index(name) - names.index(nearest)
        before = [(other, child) for flow in block.body[:i] for other, child in ([flow] if flow[0] else flow[1].children)]
        sublayers = [other for other, child in before if child.is_sublayer]
        return (sublayers[-1], len(names)) if sublayers and block.role is Role.BLOCK else None
    return None


def of_table(table: Component) -> PartRole:
    """Return the role of a table, by its rows."""
    return TABLES[table.rows] if table.rows else PartRole.VECTORS


def of_sublayer(sublayer: Component, around: Component, *, is_in_layer: bool) -> PartRole:
    """Return the role of a sublayer; all tokens share a network that reads the same as a mixture of experts beside it."""
    role = SUBLAYERS.get(sublayer.role, PartRole.OTHER)
    if role is PartRole.ATTENTION and sublayer.reads and is_in_layer:
        return PartRole.CROSS_ATTENTION
    if role is PartRole.FEED_FORWARD and has_experts(sublayer):
        return PartRole.EXPERTS
    return PartRole.SHARED_EXPERTS if role is PartRole.FEED_FORWARD and _is_shared(sublayer, around) else role


def has_experts(sublayer: Component) -> bool:
    """True if one token uses less of it than there is."""
    return any(tensor.active for leaf in leaves(sublayer) for tensor in leaf.component.tensors)


def rows_of(tree: Component) -> frozenset[Expression]:
    """Return the numbers of rows of a tree's tables, one of which is the number of words."""
    return frozenset(part.tensors[0].shape[0] for _, part in components(tree) if part.role is Role.TABLE and part.tensors)


def is_over_rows(part: Component, rows: Collection[Expression]) -> bool:
    """True if a matrix has an output for each row of a table, as that which gives logits."""
    return part.role is Role.MATRIX and len(part.tensors[0].shape) == 2 and part.tensors[0].shape[1] in rows


def is_gated(network: Component) -> bool:
    """True if one of its matrices makes a gate."""
    return any(Projection.GATE in part.makes for _, part in components(network))


def _is_shared(network: Component, around: Component) -> bool:
    """True if a network reads the same as a mixture of experts beside it."""
    flows = [part for name, part in around.body if not name]
    beside = [[branch for _, branch in flow.children] for flow in flows if flow.role is Role.PARALLEL]
    networks = [branch for branches in beside if network in branches for branch in branches if branch.role is Role.FEED_FORWARD]
    return any(map(has_experts, networks)) or any(_is_shared(network, flow) for flow in flows)


def leaves(
    component: Component, path: str = "", ancestors: tuple[tuple[str, Component], ...] = (), *, within: bool = False
) -> Iterator[Leaf]:
    """Every leaf layer of a tree, in its order; ``within`` leaves the root's own copies out."""
    if not component.body:
        yield Leaf(path, ancestors, component)
    here = replace(component, times=ONE) if within and component.times != ONE else component
    for name, child in component.children:
        yield from leaves(child, f"{path}.{name}" if path else name, (*ancestors, (path, here)))


def is_within(path: str, around: str) -> bool:
    """True if a path is another one, or that of something within it."""
    return f"{path}.".startswith(f"{around}.")


def components(component: Component, path: str = "") -> Iterator[tuple[str, Component]]:
    """Every named component of a tree with its path, a parent before its children."""
    yield path, component
    for own, part in component.descendants:
        yield f"{path}.{own}" if path else own, part


def unordered_part(tree: Component) -> str | None:
    """The path of the first block of which nobody saw what its parts read; None if the data flow of the whole tree is known."""
    for path, component in components(tree):
        if any(flow.role is Role.UNORDERED for _, flow in component.body):
            return path
    return None


def gates(component: Component) -> Iterator[Feature]:
    """Every feature on which a part of the tree depends."""
    yield from component.when
    yield from (gate for adjustment in component.adjusted for gate in adjustment.when)
    for gate in (component.attending.causal, component.attending.relative) if component.attending else ():
        yield from () if isinstance(gate, bool) else gate if isinstance(gate, tuple) else (gate,)
    for tensor in component.tensors:
        yield from tensor.when
        if tensor.tied_to:
            yield tying
    for _, child in component.body:
        yield from gates(child)


def enumerate_copies(
    component: Component, values: Values, name: str = "", path: str = ""
) -> Iterator[tuple[str, str, Component]]:
    """Every single copy of every part of the model: its name, with the numbers of copies, its path, and the part."""
    copies = evaluate(component.times, values)
    for copy in range(copies):
        here = f"{name}.{copy}" if copies > 1 else name
        yield here, path, component
        for part, child in component.children:
            below = f"{here}.{part}" if here else part
            yield from enumerate_copies(child, values, below, f"{path}.{part}" if path else part)


def enumerate_tensors(component: Component, values: Values) -> Iterator[tuple[str, Tensor, tuple[int, ...]]]:
    """Every single array of the model, copies and all: its name, its tensor, its shape in integers."""
    for name, _, part in enumerate_copies(component, values):
        for tensor in part.tensors:
            yield f"{name}.{tensor.name}", tensor, tuple(evaluate(side, values) for side in tensor.shape)

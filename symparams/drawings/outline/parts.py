"""Parts: what of a tree is drawn, in the order of data: blocks, pills, sums, forks, stacks.

Order and sums are those that the tree says: a block passes its parts in order, ``residual`` adds what came in, ``parallel``
gives one input to each. What a definition does not say, nothing here makes up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from typing import TypeAlias, TypeGuard, Union

from symparams.components.embeddings import SINUSOIDAL, SINUSOIDAL_TABLE
from symparams.components.flow import is_layer
from symparams.components.kinds import Role
from symparams.components.tree import Component
from symparams.derivations.mixtures import experts_of
from symparams.expressions.nodes import Expression
from symparams.expressions.written import Values, evaluate
from symparams.records import frozen


@frozen
class Block:
    """A part drawn as one box, by its path; of a mixture of experts, all that stands side by side in it.

    ``also`` are the paths of parts of other stacks that are the same.
    """

    path: str
    component: Component
    also: tuple[str, ...] = field(default=(), kw_only=True)

    @property
    def key(self) -> str:
        """Its name in the tree."""
        return self.path.rpartition(".")[2]

    @property
    def cards(self) -> int:
        """The number of cards of its box, which say in a panel that the part stands several times."""
        return 1


@frozen
class Computation:
    """A part without parameters: positions that are computed, a norm that learns nothing, what puts vectors side by side."""

    path: str
    component: Component

    @property
    def is_added(self) -> bool:
        """True if the positions are added."""
        return self.component.kind in (SINUSOIDAL, SINUSOIDAL_TABLE)

    @property
    def is_put(self) -> bool:
        """True if it stands on the way of data, not within attention."""
        return self.is_added or self.component.kind.instead_of is not Role.TABLE


@frozen
class Residual:
    """x + f(x): the parts that the sum spans, and the activation after it."""

    parts: tuple[Part, ...]
    activation: str = ""


@frozen
class Fork:
    """Branches that read the same; what they give is added, or stands in one sequence."""

    branches: tuple[tuple[Part, ...], ...]
    is_sequence: bool = False
    activation: str = ""


@frozen
class SecondStream:
    """Parts that the other stream of a layer passes; the first goes past them."""

    parts: tuple[Part, ...]


@frozen
class Queried:
    """Attention whose query is a vector of its own, not the stream, which gives it keys and values."""

    query: Block
    attention: Block


@frozen
class LayerStack:
    """A layer, ``times`` over, by its path."""

    path: str
    component: Component
    parts: tuple[Part, ...]


@frozen
class SplitSlot:
    """Blocks of which a layer has one, and how many layers have each: the first block those that come first."""

    blocks: tuple[Block, ...]
    times: tuple[Expression, ...]


@frozen
class SplitStack(LayerStack):
    """Stacks one after another that differ in one slot, by the path of what holds them."""

    stacks: tuple[LayerStack, ...] = ()


@frozen
class AlternatingLayers:
    """Stacks whose layers take turns, by the path of what holds them: each layer of the whole is one of every group."""

    path: str
    component: Component
    groups: tuple[tuple[LayerStack, ...], ...]

    @property
    def stacks(self) -> tuple[LayerStack, ...]:
        """All of them, from below."""
        return tuple(stack for group in self.groups for stack in group)


Part: TypeAlias = Union[Block, Computation, Residual, Fork, SplitSlot, SecondStream, Queried, LayerStack, AlternatingLayers]


def parts_of(component: Component, path: str = "") -> tuple[Part, ...]:
    """Return the drawn parts of a block, in the order of data."""
    parts: list[Part] = []
    for part in (part for name, child in component.body for part in _parts(name, child, path)):
        query = parts[-1] if parts and isinstance(part, Block) and part.component.attending and part.component.reads else None
        if query and begins_anew(query) and isinstance(part, Block):
            parts[-1] = Queried(query, part)
        else:
            parts.append(part)
    return tuple(parts)


def walk(parts: tuple[Part, ...]) -> Iterator[Part]:
    """Every part, those within others after these."""
    for part in parts:
        yield part
        if isinstance(part, Fork):
            for branch in part.branches:
                yield from walk(branch)
        elif isinstance(part, (Residual, SecondStream, LayerStack)):
            yield from walk(part.parts)
        elif isinstance(part, SplitSlot):
            yield from part.blocks
        elif isinstance(part, Queried):
            yield from (part.query, part.attention)
        elif isinstance(part, AlternatingLayers):
            yield from walk(part.stacks)


def blocks(parts: tuple[Part, ...]) -> Iterator[Block]:
    """Every box among them."""
    return (part for part in walk(parts) if isinstance(part, Block))


def nameless(component: Component) -> Component:
    """A component without the names of its parts: two that differ in these alone are the same."""
    body = tuple((str(i) if name else "", nameless(part)) for i, (name, part) in enumerate(component.body))
    return replace(component, name="", body=body)


def has_own_input(parts: tuple[Part, ...]) -> bool:
    """True if parts read something else in place of the stream."""
    return bool(parts) and isinstance(parts[0], Block) and parts[0].component.is_apart


def begins_anew(part: Part) -> TypeGuard[Block]:
    """True if the output of a part does not come from the part before it: the rows of a table, a vector."""
    return isinstance(part, Block) and part.component.role in (Role.TABLE, Role.VECTOR)


def has_layers(component: Component) -> bool:
    """True if a component has a stack, which is not within a layer of one formula."""
    return is_layer(component) or (not component.is_sublayer and any(has_layers(child) for _, child in component.children))


def _parts(name: str, component: Component, path: str) -> Iterator[Part]:
    here = ".".join(filter(None, (path, name)))
    if component.role is Role.RESIDUAL:
        yield Residual(parts_of(component, here), component.activation)
    elif component.role is Role.SECOND_STREAM:
        yield SecondStream(parts_of(component, here))
    elif component.role in (Role.PARALLEL, Role.PREPENDED):
        yield _fork(component, here)
    elif is_layer(component):
        yield LayerStack(here, component, parts_of(component, here))
    elif component.role is Role.BLOCK:
        alternating = _alternating(component, here)
        yield from (alternating,) if len(alternating.stacks) > 1 else with_reading(component.reads, parts_of(component, here))
    elif component.role is Role.ABSENT:
        yield Computation(here, component)
    else:
        yield Block(here, component)


def agreeing(component: Component, values: Values) -> Component:
    """A tree in which stacks take turns only where that can be: groups of which each layer has a part are as many in each."""
    body = tuple((name, agreeing(child, values)) for name, child in component.body)
    counts = {
        sum(evaluate(stack.times, values) for _, stack in group.body)
        for group in _groups(component)
        if all(letter in values for _, stack in group.body for letter in stack.times.dimensions)
    }
    return replace(component, body=body, alternate=component.alternate and len(counts) < 2)


def _groups(component: Component) -> list[Component]:
    """Return the parts that take turns: each block within if these are all and have no name, else the whole."""
    inner = [child for name, child in component.body if not name and child.alternate]
    return inner if 0 < len(inner) == len(component.body) else [component]


def _alternating(component: Component, path: str) -> AlternatingLayers:
    """The stacks that take turns with one another, group by group; none where something else stands among them."""
    groups = [parts_of(group, path) for group in _groups(component)] if component.alternate else []
    stacks = [tuple(part for part in parts if isinstance(part, LayerStack)) for parts in groups]
    return AlternatingLayers(path, component, tuple(filter(None, stacks)) if stacks == groups else ())


def with_reading(reads: str, parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """The parts of a block that reads something: the first of them does."""
    if not reads or not parts or not isinstance(parts[0], Block):
        return parts
    return replace(parts[0], component=replace(parts[0].component, reads=reads)), *parts[1:]


def _fork(component: Component, path: str) -> Part:
    branches = tuple(tuple(_parts(name, child, path)) for name, child in component.body)
    branches = tuple(branch for branch in branches if branch)
    blocks = [part for branch in branches for part in branch if isinstance(part, Block)]
    networks = [block for block in blocks if block.component.role is Role.FEED_FORWARD]
    if len(networks) == sum(map(len, branches)) == 2 and _are_one_mixture(networks):
        return Block(networks[0].path, replace(component, name="mixture", adjusted=networks[0].component.adjusted))
    return Fork(branches, component.role is Role.PREPENDED, component.activation)


def _are_one_mixture(networks: Sequence[Block]) -> bool:
    """True if one network is a mixture, and the other beside it the expert that all tokens share."""
    one, other = networks
    return one.component.adjusted == other.component.adjusted and (experts_of(one.component) is None) is not (
        experts_of(other.component) is None
    )

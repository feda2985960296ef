"""The tree of an architecture: tensors with symbolic shapes, and the components that hold them.

A definition multiplies and names: ``encoder=L * block("encoder_layer", attention=attention(h, n_heads), …)`` is L
copies of a layer, ``pooler=pooler * linear(h, h)`` a layer that is there where the model has the feature.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, TypeVar

from symparams.components.facts import (
    Adjustment,
    AttentionFacts,
    Gate,
    Gives,
    Heads,
    Multiplication,
    Projection,
    Rows,
    StateSpaceFacts,
    Stream,
    Tokens,
    check_gate,
)
from symparams.components.kinds import Kind, Role, Use
from symparams.components.laws import Law
from symparams.errors import DefinitionError, NotAnExpressionError, quoted
from symparams.expressions.extent import measured, size
from symparams.expressions.nodes import Expression, Multiplicand, Operand, Product
from symparams.expressions.written import ONE, times
from symparams.features import Feature
from symparams.records import frozen

Item = TypeVar("Item")


@frozen
class Tensor:
    """A trainable array; its count is the product of its shape.

    ``tied_to`` is the path of the component whose tensor of this name, or else whose first, it reuses: then it counts 0.
    ``active`` is the shape of the part that one token uses, if not all: of n_experts experts, n_active. ``trained`` is False
    for an array that is stored as a parameter but never trained, such as Marian's sinusoidal table.
    """

    name: str
    shape: tuple[Expression, ...]
    use: Use
    when: tuple[Feature, ...] = ()
    tied_to: str = ""
    active: tuple[Expression, ...] | None = None
    trained: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.use, Use) or not isinstance(self.tied_to, str):
            raise DefinitionError(
                f"A tensor needs a Use, and a text in tied_to: {quoted(self.use)} or {quoted(self.tied_to)} is wrong."
            )
        for name in ("shape", "active"):
            sides = getattr(self, name)
            if sides is not None and not all(isinstance(side, Expression) for side in sides):
                object.__setattr__(self, name, tuple(map(size, sides)))

    @cached_property
    def count(self) -> Expression:
        """The written product of the shape: V × h."""
        return _product(self.shape)

    @property
    def active_count(self) -> Expression:
        """The written product of the part that one token uses."""
        return _product(self.active or self.shape)

    @property
    def sides(self) -> tuple[Expression, ...]:
        """The sides of both shapes."""
        return (*self.shape, *(self.active or ()))


@frozen
class Component(Multiplicand):
    """A node of the tree: a leaf layer with tensors, or a block of components, repeated ``times`` times.

    ``name`` is the name of one copy of a block; a block that ``is_named`` by its builder is a layer even if it is not
    repeated. ``applied`` is how often data passes through a block, if not as often as it is stored. ``reads`` is its input, if
    that is not the output of the part before it, or not only; a part that ``is_apart`` reads nothing else. ``body`` lists the
    children as written; those that only describe the data flow have no name. If they ``alternate``, they are stacks whose
    layers take turns. A component with neither tensors nor children counts 0, and its kind says why: alibi, rotary, sinusoidal.

    The other fields are facts about its data flow. ``makes`` is the output of a matrix, ``tokens`` the number of tokens of a
    sequence that a part sees, by default that of the part around it. ``multiplies`` lists products with other tensors than its
    own. ``reads_data`` marks a part whose input has no gradient, and may give the number of its inputs for each sequence; what
    ``is_once`` runs once for all sequences. ``rows`` is the meaning of a row of a table, ``gives`` what a head gives out of
    the model. ``acts_on`` is the path of the stack whose scores a table of distances is added to, by default every stack; or
    of the tower whose output a matrix above all towers projects. ``adjusted`` is what numbers that nothing learns do to its
    output, after its activation. ``unread`` marks a part whose output nothing reads, or names the config's choice that says
    how many of its copies nothing reads. ``streams`` is how many vectors a part gives for a token, where that is not one.
    """

    kind: Kind
    name: str = ""
    tensors: tuple[Tensor, ...] = ()
    body: tuple[tuple[str, Component], ...] = ()
    times: Expression = ONE
    when: tuple[Feature, ...] = ()
    heads: Heads | None = None
    attending: AttentionFacts | None = None
    state_space: StateSpaceFacts | None = None
    makes: tuple[Projection, ...] = ()
    tokens: Expression | Tokens | None = None
    multiplies: tuple[Multiplication, ...] = ()
    reads_data: Expression | bool = False
    is_once: bool = False
    rows: Rows | None = None
    gives: Gives | None = None
    acts_on: str = ""
    unread: bool | str = False
    streams: Expression | None = None
    activation: str = ""
    adjusted: tuple[Adjustment, ...] = ()
    reads: str = ""
    is_apart: bool = False
    applied: Expression | None = None
    laws: tuple[Law, ...] = ()
    alternate: bool = False
    is_named: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.kind, Kind) or not isinstance(self.tensors, tuple) or not isinstance(self.body, tuple):
            raise DefinitionError("A component needs a Kind and a tuple of tensors, or of pairs (name, component).")
        if not isinstance(self.times, Expression):
            object.__setattr__(self, "times", measured(self.times))
        if self.reads in tuple(Stream):
            object.__setattr__(self, "reads", Stream(self.reads))

    @cached_property
    def children(self) -> tuple[tuple[str, Component], ...]:
        """The children by name, in the order of data, without those that only describe the data flow."""
        body = as_told(self.body) if self.role is Role.PREPENDED else self.body
        return tuple(
            named
            for name, child in body
            for named in ([(name, child)] if name else [(inner, _within(child, part)) for inner, part in child.children])
        )

    @cached_property
    def descendants(self) -> tuple[tuple[str, Component], ...]:
        """Every named component within this one by its path from here, a parent before its children."""
        return tuple(
            named
            for name, child in self.children
            for named in ((name, child), *((f"{name}.{path}", part) for path, part in child.descendants))
        )

    @cached_property
    def stored(self) -> Component:
        """The component without its data flow: equal layers are then counted together."""
        return replace(self, **UNSTORED)

    @property
    def role(self) -> Role:
        """The role of its kind."""
        return self.kind.role

    @property
    def is_sublayer(self) -> bool:
        """True if its children are the matrices of one formula, as in attention."""
        return bool(self.body) and self.role is not Role.BLOCK

    def __rmul__(self, factor: Operand | Feature) -> Component:
        if isinstance(factor, Feature):
            return replace(self, when=(factor, *self.when))
        if isinstance(factor, Multiplicand):
            raise NotAnExpressionError(
                f"{quoted(factor)} is not a number of copies: multiply by an integer, a letter or a feature."
            )
        return replace(self, times=times(measured(factor), self.times))

    __mul__ = __rmul__

    def child(self, name: str) -> Component:
        """Return the child of this name; KeyError if there is none."""
        return dict(self.children)[name]

    def shared_as(self, name: str) -> Tensor:
        """Return the tensor that another of this name reuses, if it is tied to this component."""
        return next((tensor for tensor in self.tensors if tensor.name == name), self.tensors[0])


# All that only the flow speaks of is empty in what is stored.
STORED = frozenset({"kind", "name", "tensors", "body", "times", "when", "alternate"})
UNSTORED: Mapping[str, Any] = MappingProxyType({own.name: own.default for own in fields(Component) if own.name not in STORED})


def gated(tensor: Tensor, gate: Gate) -> tuple[Tensor, ...]:
    """The tensor where the gate is open: always, never, or where the model has a feature, or all of several."""
    check_gate(gate)
    if isinstance(gate, bool):
        return (tensor,) if gate else ()
    return (replace(tensor, when=(gate,) if isinstance(gate, Feature) else gate),)


def as_told(parts: Sequence[Item]) -> tuple[Item, ...]:
    """The parts of one sequence in the order in which they are told: what is put in front comes after the sequence itself.

    The sequence stands last, as in ``prepended``: a class token is explained once there are patches.
    """
    return (*parts[-1:], *parts[:-1])


def _within(flow: Component, part: Component) -> Component:
    """A part of what only says how data flows, with the gate and the tokens that stand there."""
    if not flow.when and (flow.tokens is None or part.tokens is not None):
        return part
    return replace(part, when=(*flow.when, *part.when), tokens=flow.tokens if part.tokens is None else part.tokens)


def _product(shape: tuple[Expression, ...]) -> Expression:
    """The sides as people write them: one of length 1, which an array may have, is not written."""
    sides = tuple(side for side in shape if side != ONE)
    return Product(sides) if len(sides) > 1 else sides[0] if sides else ONE

"""The parts of a model on one page: tables and heads once, sublayers and norms as often as there are layers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from symparams.components.kinds import Role
from symparams.components.walks import Leaf
from symparams.derivations.mixtures import ALL_EXPERTS, experts_of
from symparams.derivations.steps import Step, step
from symparams.expressions.nodes import Expression
from symparams.expressions.written import ONE, ZERO, times, total
from symparams.models.model import Model
from symparams.quantities.parameters import ACTIVE, PARAMETERS
from symparams.quantities.quantity import Quantity


@dataclass(frozen=True)
class Part:
    """A part of a model: one copy of it, how many there are, all of them, and what one token uses of them.

    ``within`` is the stack in which it stands, "" where it stands once; ``share`` is its exact part of the count.
    ``is_norms`` tells that these are the norms of a layer.
    """

    name: str
    within: str
    one: Step
    copies: Step
    every: Step
    active: Step
    share: Fraction | None
    is_norms: bool

    @property
    def is_repeated(self) -> bool:
        """Whether there are several copies."""
        return self.copies.written != ONE


@dataclass
class _Gathered:
    """What goes under one name in one place of the tree."""

    name: str
    within: str
    copies: Expression
    leaves: list[Leaf] = field(default_factory=list)

    def once(self, quantity: Quantity) -> Expression:
        """One copy of the place."""
        return total([times(leaf.per_layer, quantity.of(leaf.component)) for leaf in self.leaves])


def parts(model: Model) -> list[Part]:
    """The parts that count, in the tree's order; what two stacks have alike, as their attention, is one part of both."""
    gathered: dict[tuple[str, str], _Gathered] = {}
    for leaf in model.leaves:
        if PARAMETERS.of(leaf.component) != ZERO:
            name = _called(leaf)
            each = gathered.setdefault((leaf.stack, name), _Gathered(name, leaf.stack, leaf.layers))
            each.leaves.append(leaf)
    whole = None if model.unbound else model.count()
    alike: dict[tuple[str, Expression], list[_Gathered]] = {}
    for each in gathered.values():
        alike.setdefault((each.name, step(model, "", each.name, each.once(PARAMETERS)).closed), []).append(each)
    found = [_part(model, together, whole) for together in alike.values()]
    return [part for _, part in sorted(enumerate(found), key=lambda item: _place_of(item, found))]


def _place_of(item: tuple[int, Part], found: Sequence[Part]) -> tuple[int, bool]:
    """In the tree's order, but the norms of a layer after what it has besides."""
    number, part = item
    if not part.is_norms:
        return number, False
    return max((i for i, other in enumerate(found) if other.is_repeated and _meet(part, other)), default=number), True


def _meet(part: Part, other: Part) -> bool:
    return not part.within or not other.within or part.within == other.within


def _part(model: Model, together: Sequence[_Gathered], whole: int | None) -> Part:
    first = together[0]
    copies = total([each.copies for each in together])
    one = step(model, "", first.name, first.once(PARAMETERS))
    every = step(model, "", first.name, times(copies, one.written))
    active = step(model, "", first.name, times(copies, first.once(ACTIVE)))
    share = Fraction(every.value, whole) if whole and every.value is not None else None
    within = first.within.rpartition(".")[2] if len(together) == 1 else ""
    is_norms = bool(first.within) and all(leaf.component.role is Role.NORM for leaf in first.leaves)
    return Part(first.name, within, one, step(model, "", "copies", copies), every, active, share, is_norms)


def _called(leaf: Leaf) -> str:
    """A sublayer, the norms of a layer, a table; a head with all that it has."""
    if leaf.sublayer:
        path, sublayer = leaf.sublayer
        if experts_of(sublayer) is None:
            return path.rpartition(".")[2]
        return ALL_EXPERTS if any(tensor.active for tensor in leaf.component.tensors) else leaf.name
    if leaf.stack and leaf.component.role is Role.NORM:
        return f"{leaf.component.kind}s"
    names = leaf.path.split(".")
    return names[-1] if leaf.stack or names[0] == "embeddings" else names[0]

"""The parts of a model on one page: tables and heads once, sublayers and norms as often as there are layers."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from itertools import zip_longest
from types import MappingProxyType

from symparams.components.kinds import PartRole, Role
from symparams.components.walks import Leaf, components
from symparams.derivations.costs import named_terms
from symparams.derivations.mixtures import ALL_EXPERTS, Experts, Matrix, experts_of, matrices_of
from symparams.derivations.steps import Step, short, step
from symparams.expressions.nodes import Expression, Number
from symparams.expressions.written import ONE, ZERO, times, total
from symparams.models.calculation import Calculation
from symparams.models.model import Model
from symparams.quantities.parameters import ACTIVE, PARAMETERS
from symparams.quantities.quantity import TensorCount, Term
from symparams.quantities.streams import is_cached
from symparams.records import frozen

BEFORE, LAYERS, AFTER = range(3)  # tables, what stands in every layer, what stands once besides
EMBEDDING_NORM = "embedding_norm"


@frozen
class Part:
    """A part of a model: one copy of it, how many there are, all of them, and what one token uses of them.

    ``within`` is what tells it from another part of its name, ``apart`` what tells it from another of its name and place;
    ``share`` is its exact part of the count. ``group`` is the
    model within the model and the place in it, by which parts stand together; ``norms`` is how many norms of a layer these
    are, 0 for anything else; ``experts`` are those of a mixture; ``role`` is what it is; ``matrices`` are those of one copy.
    """

    name: str
    within: str
    one: Step
    copies: Step
    every: Step
    active: Step
    share: Fraction | None
    group: tuple[str, int]
    norms: int
    experts: Experts | None
    role: PartRole
    matrices: tuple[Matrix, ...] = ()
    apart: str = ""

    @property
    def is_repeated(self) -> bool:
        """True if there are several copies."""
        return self.copies.written != ONE


@dataclass
class _Gathered:
    """The leaves that share a name and a place in the tree."""

    name: str
    key: Hashable
    place: tuple[str, ...]
    group: tuple[str, int]
    copies: Expression
    leaves: list[Leaf] = field(default_factory=list)

    def once(self, quantity: TensorCount) -> Expression:
        """One copy of the place."""
        return total([times(leaf.per_layer, quantity.of(leaf.component)) for leaf in self.leaves])


def portions_of(calculation: Calculation) -> list[Part]:
    """The parts of what is worked out: those of the model where tensors are counted, otherwise a part for each term."""
    if calculation.quantity.tensors is not None:
        return list(parts(calculation.model))
    model = calculation.model
    whole = calculation.value() if calculation.is_bound else None
    every_norm = [leaf for leaf in calculation.leaves if leaf.component.role is Role.NORM]
    norms = {leaf.path for leaf in every_norm if leaf.is_of_inputs}
    called = {f"{leaf.component.kind}s": str(leaf.component.kind) for leaf in every_norm}  # the norms of a layer as one norm
    alike: dict[tuple[str, Expression], list[Term]] = {}
    for term in named_terms(calculation):
        name = EMBEDDING_NORM if term.path in norms and term.path.endswith(term.name) else term.name
        alike.setdefault((name, short(step(model, "", "", term.written)).closed), []).append(term)
    placed: list[tuple[Sequence[str], Part]] = []
    apart: list[str] = []
    for (name, _), terms in alike.items():
        first, copies = terms[0], total([term.times for term in terms])
        one, every = (short(step(model, "", name, written)) for written in (first.written, times(copies, first.written)))
        share = Fraction(every.value, whole) if whole and every.value is not None else None
        copied = step(model, "", "copies", copies)
        part = Part(str(name), "", one, copied, every, every, share, ("", LAYERS), 0, None, PartRole.OTHER)
        placed.append(((*first.path.split("."), first.layer) if len(terms) == 1 else (), part))
        apart.append(first.apart if all(term.apart == first.apart for term in terms) else "")
    stacks = {leaf.stack.rpartition(".")[2] for leaf in calculation.leaves}
    told = [replace(part, within=_apart(place, part, placed, stacks, called)) for place, part in placed]
    keys: dict[tuple[str, str], list[str]] = {}
    for part, key in zip(told, apart, strict=True):
        keys.setdefault((part.name, part.within), []).append(key)
    several = {alike for alike, of_them in keys.items() if len({*of_them}) == len(of_them) > 1}
    return [
        replace(part, apart=key) if (part.name, part.within) in several else part for part, key in zip(told, apart, strict=True)
    ]


@lru_cache(maxsize=16)  # a sheet asks for those of one model at several places
def parts(model: Model) -> tuple[Part, ...]:
    """The parts that count, in the tree's order; what two stacks have alike, as their attention, is one part of both."""
    models, layers = models_within(model), _single_layers(model)
    gathered: dict[tuple[tuple[str, ...], Hashable], _Gathered] = {}
    for leaf in model.leaves:
        if PARAMETERS.of(leaf.component) != ZERO:
            place = tuple((leaf.stack or leaf.path.rpartition(".")[0]).split("."))
            place = place if leaf.stack else place[: 1 + (place[0] in models)]
            in_layer = bool(leaf.stack) or place[0] in layers
            name = _called(leaf, models, in_layer=in_layer)
            key: Hashable = _key(leaf, name) if leaf.sublayer else name
            if leaf.sublayer and experts_of(leaf.sublayer[1]) is not None:
                place = (*place, leaf.sublayer[0].rpartition(".")[2])
            group = _group(leaf, models, [together.group for together in gathered.values()], in_layer=in_layer)
            gathered.setdefault((place, key), _Gathered(name, key, place, group, leaf.layers)).leaves.append(leaf)
    whole = None if model.unbound else model.count()
    alike: dict[tuple[Hashable, str, Expression], list[_Gathered]] = {}
    for together in gathered.values():
        alike.setdefault((together.key, together.group[0], step(model, "", "", together.once(PARAMETERS)).closed), []).append(
            together
        )
    placed = [(together[0].place if len(together) == 1 else (), _part(model, together, whole)) for together in alike.values()]
    told = [replace(part, within=_apart(place, part, placed)) for place, part in placed]
    order = list(dict.fromkeys(part.group[0] for part in told))
    return tuple(sorted(told, key=lambda part: (order.index(part.group[0]), part.group[1], part.norms > 0)))


def models_within(model: Model) -> tuple[str, ...]:
    """The models of which a model is put together: what holds layers, and something beside them."""
    beside = {leaf.path.split(".")[0] for leaf in model.leaves if not leaf.stack and "." in leaf.path}
    return tuple(dict.fromkeys(leaf.stack.split(".")[0] for leaf in model.leaves if leaf.stack.split(".")[0] in beside))


def _single_layers(model: Model) -> frozenset[str]:
    """The layers that stand by themselves, as a first one that has no norm: what has attention and is in no stack."""
    within = models_within(model)
    tops = {leaf.path.split(".")[0] for leaf in model.leaves if not leaf.stack and Role.ATTENTION in leaf.roles}
    return frozenset(tops - set(within))


def place_of(stack: str, models: Sequence[str]) -> str:
    """Return the name of a stack of layers: that of the model within the model, or of what holds the layers."""
    first, *_, last = (*stack.split("."), stack.rpartition(".")[2])
    return first if first in models else last


def called_alone(model: Model, stack: str) -> str:
    """Return the name of a model's only stack: "encoder" if its attention keeps nothing for later tokens, else "layers"."""
    attending = [part for path, part in components(model.tree) if part.attending and path.startswith(f"{stack}.")]
    return "encoder" if attending and not any(map(is_cached, attending)) else "layers"


def _group(leaf: Leaf, models: Sequence[str], before: Sequence[tuple[str, int]], *, in_layer: bool) -> tuple[str, int]:
    names = leaf.path.split(".")
    root = names[0] if models else ""
    if in_layer:
        return root, LAYERS
    return root, BEFORE if leaf.is_of_inputs or (root, LAYERS) not in before else AFTER


def _part(model: Model, together: Sequence[_Gathered], whole: int | None) -> Part:
    first = together[0]
    copies = total([place.copies for place in together])
    one_copy = step(model, "", first.name, first.once(PARAMETERS))
    every = step(model, "", first.name, times(copies, one_copy.written))
    active = step(model, "", first.name, times(copies, first.once(ACTIVE)))
    share = Fraction(every.value, whole) if whole and every.value is not None else None
    sublayer = first.leaves[0].sublayer
    experts = experts_of(sublayer[1]) if sublayer and first.name == ALL_EXPERTS else None
    copied = step(model, "", "copies", copies)
    role = first.leaves[0].part.role
    matrices = tuple(matrix for leaf in first.leaves for matrix in matrices_of(leaf.component, leaf.per_layer))
    return Part(first.name, "", one_copy, copied, every, active, share, first.group, _norms(first), experts, role, matrices)


def _norms(gathered: _Gathered) -> int:
    """Return the number of norms of one layer among these leaves; 0 if there are others."""
    if gathered.group[1] != LAYERS or any(leaf.component.role is not Role.NORM for leaf in gathered.leaves):
        return 0
    return sum(leaf.per_layer.value if isinstance(leaf.per_layer, Number) else 1 for leaf in gathered.leaves)


def _apart(
    place: Sequence[str],
    part: Part,
    placed: Iterable[tuple[Sequence[str], Part]],
    stacks: Collection[str] = (),
    called: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """The first name of its place that a part shares with no other part of its name, or with not all of them.

    One of the ``stacks`` tells it apart only if nothing within does. ``called`` are names that people say as another one.
    """
    name = called.get(part.name, part.name)
    others = [there for there, other in placed if called.get(other.name, other.name) == name and other is not part]
    taken = {name for there in others for name in there}
    own = [name for name in place if name and name not in taken] if others else []
    if own:
        return next((name for name in own if name not in stacks), own[0])
    for there in others:
        for here, other in zip_longest(place, there, fillvalue=""):
            if here != other:
                return here
    return ""


def _key(leaf: Leaf, name: str) -> Hashable:
    """Return the key of the part to which a leaf of a sublayer belongs; in a mixture the experts have one of their own."""
    assert leaf.sublayer is not None
    if experts_of(leaf.sublayer[1]) is None:
        return leaf.part.key
    return (*leaf.part.key, name) if name == ALL_EXPERTS else (*leaf.part.key, leaf.key)


def _called(leaf: Leaf, models: Sequence[str], *, in_layer: bool) -> str:
    """A sublayer, the norms of a layer, a table; a head with all that it has."""
    if leaf.sublayer:
        path, sublayer = leaf.sublayer
        if experts_of(sublayer) is None:
            return path.rpartition(".")[2]
        return ALL_EXPERTS if any(tensor.active for tensor in leaf.component.tensors) else leaf.name
    if in_layer and leaf.component.role is Role.NORM:
        return f"{leaf.component.kind}s"
    if leaf.is_of_inputs and leaf.component.role is Role.NORM:
        return EMBEDDING_NORM
    return leaf.name if in_layer else name_outside(leaf, models)


def name_outside(leaf: Leaf, models: Sequence[str]) -> str:
    """Return the name of a leaf outside of the layers: a table's own, or that of the whole head."""
    names = leaf.path.split(".")
    names = names[1:] if names[0] in models and len(names) > 1 else names
    return names[-1] if leaf.is_of_inputs else names[0]

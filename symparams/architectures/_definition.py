"""The record of a family: its tree, what holds between its dimensions, its features and its published models."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import field
from functools import cached_property
from types import MappingProxyType
from typing import Any

from symparams import features
from symparams.components import Component, block
from symparams.components.checks import check, check_depth, letters
from symparams.components.gating import resolve
from symparams.components.kinds import Role
from symparams.components.laws import Binding, Law, always, default, in_order, letter_of, refuse_contradictions, values_of
from symparams.components.walks import Leaf, components, gates, leaves
from symparams.errors import DefinitionError, NotAnExpressionError, quoted, suggestion
from symparams.expressions.extent import MOST_DIGITS
from symparams.expressions.nodes import Dimension, Expression, Number, Quotient, as_expression, is_name
from symparams.expressions.symbols import in_rank
from symparams.features import Feature
from symparams.quantities.memory import read_dtype
from symparams.quantities.quantity import TensorCount
from symparams.records import frozen

FEATURES: Mapping[str, Feature] = MappingProxyType(
    {value.name: value for value in vars(features).values() if isinstance(value, Feature)}
)
FEATURE_RANK: Mapping[str, int] = MappingProxyType({name: rank for rank, name in enumerate(FEATURES)})


def features_of(tree: Component) -> dict[str, Feature]:
    """Return the features on which a tree depends, by name; one that gates a parameter is not a switch of the flow alone."""
    by_name: dict[str, Feature] = {}
    for gate in gates(tree):
        is_flow = gate.is_flow and by_name.get(gate.name, gate).is_flow
        by_name[gate.name] = Feature(gate.name, is_flow=is_flow)
    return by_name


def by_default(given: Any, tree: Component, name: str) -> tuple[Feature, ...]:
    """Return the features that a model has by default: those given, and ``tying`` where a tensor is tied, unless ~tying."""
    own = features_given(given, "has")
    if features.tying in own and ~features.tying in own:
        raise DefinitionError(f"{name}: has gives both tying and ~tying: leave one of them out.")
    known = features_of(tree)
    for feature in own:
        if feature.name not in known:
            raise DefinitionError(
                f"{name}: has gives {feature}, but nothing in the tree depends on it: "
                f"write {feature.name} * linear(h, h) or bias={feature.name}, or leave it out."
            )
    ties = any(tensor.tied_to for _, component in components(tree) for tensor in component.tensors)
    names = [feature.name for feature in own if not feature.negated]
    implied = [features.tying.name] if ties and ~features.tying not in own else []
    return tuple(known[feature] for feature in dict.fromkeys((*names, *implied)))


def features_given(given: Any, option: str) -> tuple[Feature, ...]:
    """Return the features that are given; DefinitionError for anything else, or a complement other than ~tying in ``has``."""
    complements = (~features.tying,) if option == "has" else ()
    listed = tuple(given) if isinstance(given, Iterable) and not isinstance(given, (str, bytes)) else None
    if listed is None or not all(
        isinstance(feature, Feature) and (not feature.negated or feature in complements) for feature in listed
    ):
        shown = quoted(given if listed is None else ", ".join(map(str, listed)))
        raise DefinitionError(f"{option} = {shown} is not a list of features: write {option}=[features.tying].")
    return listed


@frozen
class Resolved:
    """The tree of every model of a family that has the same features, its leaves, and quantities over them."""

    tree: Component
    _formulas: dict[TensorCount, Expression] = field(default_factory=dict)

    @cached_property
    def leaves(self) -> tuple[Leaf, ...]:
        """Every leaf layer with its path and how often it occurs."""
        return tuple(leaves(self.tree))

    @cached_property
    def by_path(self) -> dict[str, Leaf]:
        """The leaf layers by their paths."""
        return {leaf.path: leaf for leaf in self.leaves}

    def formula(self, quantity: TensorCount) -> Expression:
        """A quantity over the whole tree, as a written sum."""
        if quantity not in self._formulas:
            self._formulas[quantity] = quantity.over(self.leaves)
        return self._formulas[quantity]


@frozen
class Claimed:
    """A published figure, why it is another one, and where it stands.

    ``why`` names how it was counted, one of ``symparams.answers.explanations``'s conventions joined by "+", or the sentence
    that says how it came about: a key under [explain.published] of the catalogues.
    """

    value: int
    why: str
    source: str


@frozen
class ActiveCount:
    """A published number of the parameters that one token uses, as it is written ("37B"), and its source."""

    claimed: str
    source: str


@frozen
class Published:
    """A published model: the values of its dimensions, and the ``source`` of its config.

    ``include`` and ``exclude`` change the family's features. ``count`` is its official number of parameters, ``active`` the
    published number that one token uses, ``dtype`` the number type in its config. ``claims`` are other published figures.
    A composite is made ``of`` these families, where they are not the usual ones. ``context`` is the longest sequence by its
    config or its makers, where no table of positions says so; 0 if unknown.
    """

    values: Mapping[Dimension, int]
    source: str
    include: tuple[Feature, ...] = ()
    exclude: tuple[Feature, ...] = ()
    count: int | None = None
    claims: tuple[Claimed, ...] = ()
    active: ActiveCount | None = None
    dtype: str = ""
    of: tuple[str, ...] = ()
    context: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.values, Mapping):
            raise DefinitionError(
                f"{quoted(self.values)} does not hold the values of a published model: write {{h: 768, L: 12}}."
            )
        if not isinstance(self.source, str) or not self.source.isprintable():
            raise DefinitionError(f"source = {quoted(self.source)} of a published model is not a text of one line.")
        object.__setattr__(self, "dtype", read_dtype(self.dtype) if self.dtype else "")
        values: dict[Dimension, int] = {}
        for given, value in self.values.items():
            letter = letter_of(given)
            if letter in values:
                raise DefinitionError(f"{letter.name} is given twice to a published model: give it once.")
            values[letter] = _size_of(letter, value)
        object.__setattr__(self, "values", values)
        for option in ("include", "exclude"):
            object.__setattr__(self, option, features_given(getattr(self, option), option))


@frozen
class Certificate:
    """The models that a definition was compared with: every name, shape and shared array of each was the same.

    ``by_role`` models have sizes that divide each other as those at the start do, ``at_random`` ones any sizes; ``refused``
    are those of them that ``build`` or a law of the definition refuses. ``ranges`` are the sizes that were tried, ``switches``
    those that were on and off, ``made_by`` the library that built them.
    """

    made_by: str
    by_role: int
    at_random: int
    refused: int
    ranges: Mapping[str, tuple[int, int]]
    switches: tuple[str, ...]
    seed: int

    @property
    def number(self) -> int:
        """The number of models that were equal."""
        return self.by_role + self.at_random


class Architecture:
    """A model family: a name, a tree, and the relations between its sizes.

    The tree is one component, or its parts by name: ``Architecture("tiny", embeddings=…, decoder=L * block(…))``.

    ``relations`` hold unless a model sets the dimension itself: {d_ff: 4 * h}. ``identities`` always hold: {d_head: h /
    n_heads}. So do further ``laws`` and those of the builders. ``has`` lists the features that a model has by default; a model
    can add every other feature on which a part of the tree depends. A tree with a ``tied_to`` has the feature ``tying`` by
    default; ``~tying`` in ``has`` unties it unless a model adds the feature. ``models`` are published models by name, each a
    ``Published`` or its values. ``title`` is the name on sheets, ``source`` the paper. A family that ``discover`` returns has a
    ``certificate``: how it was checked. A composite is made ``of`` the families of its parts, by their names.

    Raises DefinitionError if the tree is invalid: a tie to nothing, a size below one, circular relations.
    """

    def __init__(
        self,
        name: str,
        *,
        title: str = "",
        source: str = "",
        tree: Component | None = None,
        relations: Mapping[Any, Any] = MappingProxyType({}),
        identities: Mapping[Any, Any] = MappingProxyType({}),
        laws: Iterable[Law] = (),
        has: Iterable[Feature] = (),
        models: Mapping[str, Published | Mapping[Any, int]] = MappingProxyType({}),
        certificate: Certificate | None = None,
        of: tuple[str, ...] = (),
        **parts: Component,
    ) -> None:
        _check_arguments(name, title=title, source=source, relations=relations, identities=identities, models=models)
        self.name, self.title, self.source = name, title or str(name), source or ""
        self.certificate = certificate
        self.of = of
        self.tree = self.usual_tree = _tree(name, tree, parts)
        check_depth(self.tree, name)
        self.has = by_default(has, self.tree, name)
        own = (default(dimension, value) for dimension, value in relations.items())
        fixed = (always(dimension, value) for dimension, value in identities.items())
        brought = (law for _, component in components(self.tree) for law in component.laws)
        self.laws: tuple[Law, ...] = tuple(dict.fromkeys((*own, *fixed, *_laws(laws), *brought)))
        known = in_order(values_of(self.laws, Binding.DEFAULT, Binding.ALWAYS), name)
        refuse_contradictions(self.laws, known, name)
        defaults = values_of(self.laws, Binding.DEFAULT)
        self.relations: Mapping[Dimension, Expression] = {d: value for d, value in known.items() if d in defaults}
        self.identities: Mapping[Dimension, Expression] = {d: value for d, value in known.items() if d not in defaults}
        check(self.tree, known, name)
        self.models: Mapping[str, Published] = {
            model: member if isinstance(member, Published) else Published(member, source) for model, member in models.items()
        }
        for model, member in self.models.items():
            self._check_member(model, member)

    def __repr__(self) -> str:
        return f"Architecture({self.name!r})"

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Architecture) and self.__getstate__() == other.__getstate__())

    def __hash__(self) -> int:
        return hash(self.name)

    def __getstate__(self) -> dict[str, Any]:
        """Return what was given, without what was worked out from it."""
        return {
            name: value
            for name, value in vars(self).items()
            if not isinstance(getattr(type(self), name, None), cached_property)
        }

    def _check_member(self, model: str, member: Published) -> None:
        if not isinstance(model, str) or not model.isprintable() or not model.strip():
            raise DefinitionError(
                f"{self.name}: {quoted(model)} is not the name of a published model: write a text of one line."
            )
        known = [*(dimension.name for dimension in self.dimensions), *self.features, *self.switches]
        features = (*member.include, *member.exclude)
        for given in (*(letter.name for letter in member.values), *(feature.name for feature in features)):
            if given not in known:
                raise DefinitionError(f"{self.name}: {model} gives {given}, which is not there. {suggestion(given, known)}")

    def changed(self, **attributes: Any) -> Architecture:
        """Return the family with other ``models`` or another ``tree``; its ``usual_tree`` stays as it is."""
        family = copy(self)
        vars(family).update(attributes)
        return family

    def resolved(self, present: frozenset[str]) -> Resolved:
        """Return the tree of a model with these features, and the relations that hold for all values."""
        if present not in self._resolved:
            self._resolved[present] = Resolved(resolve(self.tree, present))
        return self._resolved[present]

    @cached_property
    def _resolved(self) -> dict[frozenset[str], Resolved]:
        return {}

    @cached_property
    def known(self) -> Mapping[Dimension, Expression]:
        """The values that dimensions have by default or always, each after those that its value uses."""
        return {**self.relations, **self.identities}

    @cached_property
    def may_have(self) -> tuple[Feature, ...]:
        """The features that a model can add: those in the tree that are not there by default."""
        others = [feature for feature in features_of(self.tree).values() if feature not in self.has]
        return tuple(sorted(others, key=lambda feature: FEATURE_RANK.get(feature.name, len(FEATURE_RANK))))

    @cached_property
    def features(self) -> Mapping[str, bool]:
        """Each feature of the family by name, and whether a model has it by default."""
        return {feature.name: feature in self.has for feature in (*self.has, *self.may_have) if not feature.is_flow}

    @cached_property
    def switches(self) -> Mapping[str, bool]:
        """Each switch that changes the data flow but no count, and whether it is on by default."""
        return {feature.name: feature in self.has for feature in (*self.has, *self.may_have) if feature.is_flow}

    def used(self, tree: Component) -> tuple[Dimension, ...]:
        """Return the dimensions in the parameters of a tree of this family, and those that follow from them."""
        used: set[Dimension] = set()
        for leaf in leaves(tree):
            used.update(leaf.times.dimensions)
            used.update(d for tensor in leaf.component.tensors for side in tensor.sides for d in side.dimensions)
            used.update(leaf.component.heads.number.dimensions if leaf.component.heads else ())
        used.update(d for d, value in self.known.items() if isinstance(value, Quotient) and used.issuperset(value.dimensions))
        return in_rank(used)

    @cached_property
    def dimensions(self) -> tuple[Dimension, ...]:
        """Every dimension in the tree and in its relations."""
        behind = (d for value in self.known.values() for d in value.dimensions)
        others = (d for law in self.laws for d in (*law.subject.dimensions, *law.value.dimensions))
        return in_rank((*letters(self.tree), *self.used(self.tree), *self.known, *behind, *others))


def _size_of(letter: Dimension, value: Any) -> int:
    try:
        size = as_expression(value)
    except NotAnExpressionError as error:
        raise DefinitionError(f"{letter.name} of a published model: {error}") from None
    if not isinstance(size, Number) or not 0 < size.value < 10**MOST_DIGITS:
        raise DefinitionError(f"{letter.name} = {quoted(value, 30)} of a published model is not a positive integer.")
    return size.value


def _laws(given: Any) -> tuple[Law, ...]:
    listed = tuple(given) if isinstance(given, Iterable) and not isinstance(given, (str, bytes)) else None
    if listed is None or not all(isinstance(law, Law) for law in listed):
        raise DefinitionError(f"laws = {quoted(given)} is not a list of laws: write laws=[divides(n_kv_heads, n_heads)].")
    return listed


def _check_arguments(name: object, **arguments: object) -> None:
    for argument, value in arguments.items():
        if isinstance(value, Component):
            raise DefinitionError(f"{name}: a part cannot be called {argument} here: write tree=block({argument}=…).")
        if argument in ("title", "source"):
            if value not in (None, "") and not (isinstance(value, str) and value.isprintable() and value.strip()):
                raise DefinitionError(f"{name}: {argument} = {quoted(value)} is not a text of one line.")
        elif not isinstance(value, Mapping):
            raise DefinitionError(f"{name}: {argument} = {quoted(value)} is not a mapping: write {argument}={{d_ff: 4 * h}}.")


def _tree(name: object, tree: Component | None, parts: Mapping[str, Component]) -> Component:
    if not is_name(str(name).replace("-", "_").replace(".", "_")) or not isinstance(name, str):
        raise DefinitionError(f"{quoted(name)} is not the name of an architecture: write letters, digits, - and _.")
    for part, component in parts.items():
        if not isinstance(component, Component):
            raise DefinitionError(
                f"{name}: {part} is a {type(component).__name__}, and a part is a component: {part}=linear(h, h)."
            )
    if (tree is None) is (not parts):
        raise DefinitionError(f"{name}: give a tree, or its parts by name: {name}(embeddings=…, decoder=L * block(…)).")
    if tree is None:
        return block(**parts)
    if not isinstance(tree, Component):
        raise DefinitionError(f"{name}: the tree is a {type(tree).__name__}, not a component: write tree=block(…).")
    name_of_part = tree.name if tree.name and tree.role is Role.BLOCK else tree.kind.name
    return tree if tree.role is Role.BLOCK and tree.times == block().times else block(**{name_of_part: tree})

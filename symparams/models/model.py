"""Models: an architecture with values for its dimensions and its features chosen; ``load`` makes one from a target."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from symparams.architectures import Architecture, Published, architecture_names, find
from symparams.components import Component, Leaf, Tensor, enumerate_tensors, leaves, resolve
from symparams.errors import MissingDimensionError, OptionError, UnknownNameError, quoted, suggestion
from symparams.expressions import written
from symparams.expressions.closed_form import Relations, as_sympy, multiply_out
from symparams.expressions.nodes import Dimension, Expression
from symparams.expressions.polynomial import Polynomial
from symparams.expressions.symbols import by_rank
from symparams.expressions.written import ZERO, evaluate
from symparams.models.values import bind, by_dimension

if TYPE_CHECKING:
    import sympy

OWN, EACH = "own", "each"


@dataclass(frozen=True)
class Model:
    """An architecture, the features that are present, and the values of its dimensions (some, all or none).

    ``given`` are the dimensions whose values were given; the others follow from relations. ``usual`` are the features
    that the target has when nobody chooses any.
    """

    name: str
    architecture: Architecture
    present: frozenset[str]
    values: Mapping[Dimension, int]
    given: frozenset[Dimension] = frozenset()
    usual: frozenset[str] | None = None
    source: str = ""
    class_name: str = ""
    config: Mapping[str, Any] | None = None
    assumes_base: bool = False

    @cached_property
    def tree(self) -> Component:
        """The tree with its features resolved: what is here is in the model."""
        return resolve(self.architecture.tree, self.present)

    @property
    def is_family(self) -> bool:
        """Whether the model is its whole family, not a published member of it."""
        return self.name == self.architecture.name and not self.values

    @property
    def chosen(self) -> tuple[tuple[str, bool], ...]:
        """The features that somebody chose against what is usual, and whether they are present."""
        changed = self.present ^ (self.present if self.usual is None else self.usual)
        return tuple((name, present) for name, present in self.features.items() if name in changed)

    @cached_property
    def leaves(self) -> tuple[Leaf, ...]:
        """Every leaf layer with its path and how often it occurs."""
        return tuple(leaves(self.tree))

    @cached_property
    def dimensions(self) -> tuple[Dimension, ...]:
        """The dimensions that this model's tree speaks of, those of its heads included."""
        used = self.architecture.used(self.tree)
        behind = [other for d in used if d in self.relations for other in self.relations[d].dimensions]
        return tuple(sorted({*used, *behind}, key=by_rank))

    def leaf(self, path: str) -> Leaf:
        """The leaf layer at a path of the tree."""
        return next(leaf for leaf in self.leaves if leaf.path == path)

    @property
    def features(self) -> dict[str, bool]:
        """Each feature of the family by name, and whether this model has it."""
        return {name: name in self.present for name in self.architecture.features}

    @cached_property
    def relations(self) -> Relations:
        """The relations that a closed form may use: those whose dimension has no value, or one that agrees."""
        known = {**self.architecture.relations, **self.architecture.identities}
        return {dimension: value for dimension, value in known.items() if self._agrees(dimension, value)}

    @cached_property
    def formula(self) -> Expression:
        """The sum of all its tensors, as a written expression; shared tensors once."""
        return written.total([term for leaf in self.leaves for term in _terms(leaf, OWN)])

    def closed_form(self) -> sympy.Expr:
        """The count as a polynomial in the dimensions, multiplied out."""
        return as_sympy(self.polynomial)

    @cached_property
    def polynomial(self) -> Polynomial:
        """The closed form in sympy's polynomial ring."""
        return multiply_out(self.formula, self.relations)

    def count(self, *, shared: str = OWN, frozen: bool = False) -> int:
        """The number of trainable parameters, exact.

        ``shared="each"`` counts a shared tensor wherever it is used; ``frozen`` adds arrays that are stored as
        parameters but never trained. Raises MissingDimensionError.
        """
        if shared not in (OWN, EACH):
            raise OptionError(f"Unknown way {quoted(shared)} to count shared tensors: write 'own' or 'each'.")
        counted = [term for leaf in self.leaves for term in _terms(leaf, shared, frozen=frozen)]
        return sum(self.evaluate(term) for term in counted)

    @property
    def has_experts(self) -> bool:
        """Whether one token uses only a part of some tensors."""
        return any(tensor.active for leaf in self.leaves for tensor in leaf.component.tensors)

    @cached_property
    def frozen_formula(self) -> Expression:
        """The arrays that are stored as parameters but never trained; 0 for most models."""
        tensors = [(leaf, tensor) for leaf in self.leaves for tensor in leaf.component.tensors]
        return written.total([_count(leaf, tensor) for leaf, tensor in tensors if not tensor.trained and not tensor.tied_to])

    @cached_property
    def active_formula(self) -> Expression:
        """What one token uses: of a mixture's experts those that are chosen, and everything else."""
        tensors = [(leaf, tensor) for leaf in self.leaves for tensor in leaf.component.tensors]
        owned = [(leaf, tensor) for leaf, tensor in tensors if tensor.trained and not tensor.tied_to]
        return written.total([written.times(leaf.times, tensor.active_count) for leaf, tensor in owned])

    def active_closed_form(self) -> sympy.Expr:
        """The parameters that one token uses, as a polynomial in the dimensions."""
        return as_sympy(multiply_out(self.active_formula, self.relations))

    def active_count(self) -> int:
        """The number of parameters that one token uses; the whole count where the model has no experts."""
        return self.evaluate(self.active_formula)

    def evaluate(self, expression: Expression) -> int:
        """The value of an expression over this model's dimensions; MissingDimensionError names what is unbound."""
        if any(dimension not in self.values for dimension in expression.dimensions):
            raise MissingDimensionError(self._missing(expression))
        return evaluate(expression, self.values)

    @property
    def unbound(self) -> tuple[Dimension, ...]:
        """The dimensions that the count needs and that have no value."""
        return tuple(dimension for dimension in self.formula.dimensions if dimension not in self.values)

    def tensors(self, *, frozen: bool = False) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Every trained array by name with its shape, copies and all; shared arrays where they are owned.

        ``frozen`` adds the arrays that are stored as parameters but never trained.
        """
        for name, tensor, shape in enumerate_tensors(self.tree, self.values):
            if (frozen or tensor.trained) and not tensor.tied_to:
                yield name, shape

    def with_features(self, present: frozenset[str]) -> Model:
        """The same model with other features."""
        return replace(self, present=present)

    def symbolic(self) -> Model:
        """The same model with no values: every dimension a symbol."""
        return replace(self, values={}, given=frozenset(), source=self.architecture.source)

    def _agrees(self, dimension: Dimension, value: Expression) -> bool:
        if dimension not in self.values:
            return True
        if any(d not in self.values for d in value.dimensions):
            return False
        try:
            return evaluate(value, self.values) == self.values[dimension]
        except ArithmeticError:  # h / n_heads leaves a remainder, and no whole d_head is that
            return False

    def _missing(self, expression: Expression) -> str:
        tensors = [(leaf.path, tensor) for leaf in reversed(self.leaves) for tensor in leaf.component.tensors]
        sides = [(path, side) for path, tensor in tensors for side in (*tensor.shape, *(tensor.active or ()))]
        uses = {d.name: leaf.path for leaf in reversed(self.leaves) for d in leaf.times.dimensions}
        uses |= {d.name: path for path, side in sides for d in side.dimensions}
        unbound = [d for d in expression.dimensions if d not in self.values]
        unbound = [d for d in self.unbound if d in unbound] + [d for d in unbound if d not in self.unbound]
        if len(unbound) < len(self.unbound):
            unbound = list(self.unbound)  # all that the count needs, not only what was met first
        named = [f"{d.name} (used in {uses[d.name]})" for d in unbound]
        options = " ".join(f"--set {d.name}=…" for d in unbound)
        other = ", or name a published model" if self.architecture.models else ""
        return f"{self.name} has no value for {', '.join(named)}: give {options}{other}."


def load(
    target: str | Path | Mapping[str, Any] | Architecture,
    *,
    include: Iterable[str] = (),
    exclude: Iterable[str] = (),
    **values: Any,
) -> Model:
    """The model that ``target`` names.

    A target is an architecture ("bloom"), a published model ("bloom-1b4-zh"), a Hugging Face config.json (its path, the
    folder that holds it, or the config as a dict), or an Architecture. ``include`` and ``exclude`` are features by name;
    ``values`` are dimensions, integers or expressions (d_ff="4*h"). Raises UnknownNameError, ConfigError,
    DimensionError, ExpressionError and OptionError.
    """
    start = _start(target)
    architecture = start.architecture
    present = choose_features(architecture, start.present, include, exclude)
    given = by_dimension(architecture, values)
    bound = bind(architecture, given, {d: value for d, value in start.values.items() if d not in given})
    model = replace(start, present=frozenset(present), values=bound, given=start.given | frozenset(given))
    if model.formula == ZERO:
        left_out = ", ".join(feature for feature in architecture.features if feature not in present)
        raise OptionError(f"{model.name} has no part left to count without {left_out}: include one of them.")
    return model


def _start(target: str | Path | Mapping[str, Any] | Architecture) -> Model:
    """What a target says by itself, before any choice: its family, its usual features, the sizes that it gives."""
    if isinstance(target, Architecture):
        return _member(target.name, target, None)
    if not isinstance(target, (str, Path, Mapping)):
        raise UnknownNameError(f"{quoted(target)} is a {type(target).__name__}: give the name of an architecture or a model.")
    if not isinstance(target, str) or _looks_like_config(target):
        return _configured(target)
    return _member(target, *find(target))


def _looks_like_config(target: str) -> bool:
    from symparams.models.sources.config import is_config

    return target not in architecture_names() and is_config(target)


def _configured(target: str | Path | Mapping[str, Any]) -> Model:
    from symparams.models.sources.config import interpret, read

    name, config = read(target)
    reading = interpret(config)
    return Model(
        name,
        reading.architecture,
        reading.present,
        reading.values,
        given=frozenset(reading.values),
        usual=reading.present,
        source=name,
        class_name=reading.class_name,
        config=config,
        assumes_base=reading.is_base_by_default,
    )


def _member(name: str, architecture: Architecture, published: Published | None) -> Model:
    usual = {feature for feature, is_default in architecture.features.items() if is_default}
    values: Mapping[Dimension, int] = {}
    source = architecture.source
    if published:
        usual |= {feature.name for feature in published.include}
        usual -= {feature.name for feature in published.exclude}
        values, source = published.values, published.source
    return Model(name, architecture, frozenset(usual), values, frozenset(values), frozenset(usual), source)


def _names(features: Iterable[str], option: str) -> list[str]:
    names = list(features) if isinstance(features, Iterable) and not isinstance(features, (str, bytes)) else None
    if names is None or not all(isinstance(name, str) for name in names):
        raise OptionError(f"{option}={quoted(features)} is not a list of names: write {option}=['tying'].")
    return names


def choose_features(
    architecture: Architecture, present: Iterable[str], include: Iterable[str], exclude: Iterable[str]
) -> set[str]:
    """The features after ``include`` and ``exclude``; a name that the family does not have is an error."""
    include, exclude = _names(include, "include"), _names(exclude, "exclude")
    for name in (*include, *exclude):
        if name not in architecture.features:
            raise UnknownNameError(
                f"{architecture.title} has no feature {quoted(name)}. {suggestion(name, architecture.features)}"
            )
    for name in include:
        if name in exclude:
            raise OptionError(f"The feature {quoted(name)} is both included and excluded: choose one.")
    return (set(present) | set(include)) - set(exclude)


def _terms(leaf: Leaf, shared: str, *, frozen: bool = False) -> list[Expression]:
    counted = [tensor for tensor in leaf.component.tensors if frozen or tensor.trained]
    return [_count(leaf, tensor) for tensor in counted if shared == EACH or not tensor.tied_to]


def _count(leaf: Leaf, tensor: Tensor) -> Expression:
    return written.times(leaf.times, tensor.count)

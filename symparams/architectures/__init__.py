"""The architectures: one file each in this folder, which is the registry.

A file ``bert.py`` binds an ``Architecture`` named "bert". Only the file that is asked for is imported: a published
model is found by its quoted name in the text of its family's file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path

from symparams.components import Component, gates, leaves
from symparams.errors import UnknownNameError, quoted, suggestion
from symparams.expressions.features import Feature
from symparams.expressions.nodes import Dimension, Expression, Quotient
from symparams.expressions.symbols import by_rank
from symparams.models.library import Library

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Published:
    """A published model: the values of its dimensions, the source of its configuration, features apart from the family's."""

    values: Mapping[Dimension, int]
    source: str
    include: tuple[Feature, ...] = ()
    exclude: tuple[Feature, ...] = ()


@dataclass(frozen=True)
class Architecture:
    """A family: its tree, its relations, its features and its published models.

    ``library`` says how the transformers library stores it, where that has it.
    ``relations`` hold unless a model has a value of its own (d_ff = 4h); ``identities`` always hold (h = n_heads·d_head);
    what ``whole`` lists must be integers (n_heads / n_kv_heads), and a dimension may be ``at_most`` another (n_active).
    ``has`` are the features that a model has by default, ``may_have`` those that it can be given.
    """

    name: str
    title: str
    source: str
    tree: Component
    library: Library | None = None
    relations: Mapping[Dimension, Expression] = field(default_factory=dict)
    identities: Mapping[Dimension, Expression] = field(default_factory=dict)
    whole: tuple[Expression, ...] = ()
    at_most: Mapping[Dimension, Dimension] = field(default_factory=dict)
    has: tuple[Feature, ...] = ()
    may_have: tuple[Feature, ...] = ()
    models: Mapping[str, Published] = field(default_factory=dict)

    def __post_init__(self) -> None:
        declared = {feature.name for feature in (*self.has, *self.may_have)}
        undeclared = {gate.name for gate in gates(self.tree)} - declared
        if undeclared:
            raise ValueError(f"{self.name}: declare in has or may_have: {', '.join(sorted(undeclared))}")

    def key(self, dimension: Dimension) -> str:
        """The config key that holds a dimension in the family's library class; "" where there is none."""
        return self.library.key(dimension) if self.library else ""

    @cached_property
    def features(self) -> Mapping[str, bool]:
        """Each feature of the family by name, and whether a model has it by default."""
        return {feature.name: feature in self.has for feature in (*self.has, *self.may_have)}

    def used(self, tree: Component) -> tuple[Dimension, ...]:
        """The dimensions that a tree of this family speaks of."""
        return used_dimensions(tree, {**self.relations, **self.identities})

    @cached_property
    def dimensions(self) -> tuple[Dimension, ...]:
        """Every dimension that the tree, the relations or the identities speak of."""
        known = {**self.relations, **self.identities}
        found = {*self.used(self.tree), *known, *(d for value in known.values() for d in value.dimensions)}
        return tuple(sorted(found, key=by_rank))


def used_dimensions(tree: Component, relations: Mapping[Dimension, Expression]) -> tuple[Dimension, ...]:
    """The dimensions that a tree speaks of: in shapes, in copies, in its heads, and those that follow from them alone."""
    used: set[Dimension] = set()
    for leaf in leaves(tree):
        used.update(leaf.times.dimensions)
        sides = [side for tensor in leaf.component.tensors for side in (*tensor.shape, *(tensor.active or ()))]
        used.update(d for side in sides for d in side.dimensions)
        used.update(leaf.component.heads.number.dimensions if leaf.component.heads else ())
    used.update(d for d, value in relations.items() if isinstance(value, Quotient) and used.issuperset(value.dimensions))
    return tuple(sorted(used, key=by_rank))


@cache
def architecture_names() -> tuple[str, ...]:
    """The names of all architectures, in the order of the alphabet."""
    return tuple(sorted(file.stem for file in FOLDER.glob("*.py") if not file.stem.startswith("_")))


@cache
def published_names() -> tuple[str, ...]:
    """The names of all published models, family by family."""
    return tuple(model for name in architecture_names() for model in architecture(name).models)


@cache
def architecture(name: str) -> Architecture:
    """The architecture of this name; UnknownNameError suggests the nearest."""
    module_name = name.replace("-", "_")
    if module_name not in architecture_names():
        raise UnknownNameError(f"Unknown architecture {quoted(name)}. {suggestion(name, architecture_names())}")
    module = import_module(f"{__name__}.{module_name}")
    return next(item for item in vars(module).values() if isinstance(item, Architecture) and item.name == module_name)


def find(name: str) -> tuple[Architecture, Published | None]:
    """The architecture of this name, or the published model of this name and its family.

    Where a family and its first model share a name, as GPT-2's do, the name means the model.
    """
    if name.replace("-", "_") in architecture_names():
        family = architecture(name)
        return family, family.models.get(name)
    for candidate in architecture_names():
        if f'"{name}"' in _text(candidate) and name in architecture(candidate).models:
            return architecture(candidate), architecture(candidate).models[name]
    known = [*architecture_names(), *published_names()]
    raise UnknownNameError(f"Unknown architecture or model {quoted(name)}. {suggestion(name, known)}")


@cache
def _text(family: str) -> str:
    return (FOLDER / f"{family}.py").read_text(encoding="utf-8")

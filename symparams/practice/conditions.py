"""Conditions: of which models a kind of question can be asked, as its record's table ``where`` says.

``families`` and ``models`` are names; ``parts`` are parts that the model has, ``lacks`` those that it has not, ``counts`` what
parts of it come to; ``sizes`` are relations between its dimensions, "n_kv_heads < n_heads", "d_ff = 4*h", "N > 10**9";
``letters`` are those that it has, ``features`` those it has, and ``windows`` says which layers have a sliding window, "all",
"some" or "none". Any other key is a trait and what the model is in it:
attention = "grouped", norms = ["rms_norm"], biases = [] for none. A "-" before a family, a letter, a feature or a kind says
that the model has it not, a "+" before a kind that it has it, whatever else: biases = ["+attention_all"].
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Any

from symparams.answers.traits import traits
from symparams.components.facts import Projection
from symparams.components.feed_forward import ADAPTER
from symparams.components.kinds import CONCATENATION
from symparams.components.walks import components
from symparams.expressions.closed_form import Relations
from symparams.expressions.nodes import Dimension, Expression
from symparams.expressions.parsing import parse
from symparams.expressions.symbols import L_window, W, letter
from symparams.expressions.written import exact
from symparams.models.model import Model
from symparams.models.windows import window_values
from symparams.practice.parts import ModelIdentity, part

COUNT = Dimension("N")  # the whole count, where no letter of the model's is called so
COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = MappingProxyType(
    {"<": operator.lt, "=": operator.eq, ">": operator.gt, "!=": operator.ne}
)
# What some layers make besides queries, keys, values and outputs; no question speaks of it.
MORE = frozenset(
    {
        Projection.ADAPTER_DOWN, Projection.ADAPTER_UP, Projection.POSITION_KEY, Projection.POSITION_QUERY,
        Projection.GLOBAL_QUERY, Projection.GLOBAL_KEY, Projection.GLOBAL_VALUE,
    }
)  # fmt: skip
GATED_QUERY = frozenset({Projection.QUERY, Projection.GATE})
SIZE = re.compile(r"(?P<left>[^<>=!]+?)\s*(?P<sign><|!=|=|>)\s*(?P<right>[^<>=!]+)")


@lru_cache(maxsize=65_536)
def parsed(text: str) -> Expression:
    """A formula of a record, which is only to be evaluated."""
    return parse(text, letter, is_evaluated=True)


def holds(model: Model, where: Mapping[str, Any]) -> bool:
    """True if all conditions hold of a model."""
    return all(CONDITIONS.get(key, _has_trait)(model, wanted, key) for key, wanted in where.items())


def has_plain_layers(model: Model) -> bool:
    """True if each layer is what a question says of one: its parts are its own and read the stream alone, there are no
    adapters, and attention makes its own queries, keys and values, without a gate and without matrices for positions.
    """
    parts = [part for _, part in components(model.tree)]
    if any(part.kind in (ADAPTER, CONCATENATION) or (part.attending and part.attending.shares) for part in parts):
        return False
    leaves = [leaf.component for leaf in model.leaves if leaf.stack]
    if any(tensor.tied_to for leaf in leaves for tensor in leaf.tensors):
        return False
    return all(MORE.isdisjoint(leaf.makes) and not {*leaf.makes} >= GATED_QUERY for leaf in leaves)


def relations(model: Model, under: Mapping[str, str]) -> Relations:
    """Return those of a kind's relations whose letters the model has: d_ff = 4*h."""
    meanings = {letter(name): parse(formula, letter) for name, formula in under.items()}
    return {name: meaning for name, meaning in meanings.items() if {name, *meaning.dimensions} <= model.values.keys()}


def agrees(model: Model, under: Mapping[str, str]) -> bool:
    """True if a model's values satisfy these relations, as far as it has their letters."""
    kept = relations(model, under).items()
    return all(exact(name, model.values) == exact(meaning, model.values) for name, meaning in kept)


def size(model: Model, text: str) -> int | Fraction | None:
    """Return the value of a formula with a model's values and N, its count; None if one of its letters has no value."""
    expression = parsed(text)
    asks_count = COUNT in expression.dimensions and not model.unbound
    values = {COUNT: model.count(), **model.values} if asks_count else model.values
    known = all(dimension in values for dimension in expression.dimensions)
    return exact(expression, values) if known else None


def compares(size_of: Callable[[str], int | Fraction | None], text: str) -> bool:
    """True if a relation of sizes holds, n_kv_heads < n_heads, and both sides have a value."""
    match = SIZE.fullmatch(text)
    if match is None:
        raise ValueError(f"{text} is not a relation of sizes")
    left, right = size_of(match["left"]), size_of(match["right"])
    return left is not None and right is not None and COMPARISONS[match["sign"]](left, right)


def _has_trait(model: Model, wanted: str | Sequence[str], key: str) -> bool:
    kinds = set(_traits(ModelIdentity(model)).get(key, ()))  # of what a model has nothing at all, nothing is said
    asked = {wanted} if isinstance(wanted, str) else set(wanted)
    if not any(name[0] in "+-" for name in asked):
        return kinds == asked
    return all((name[1:] in kinds) == (name[0] == "+") for name in asked)


def _counts(model: Model, name: str, formula: str) -> bool:
    counted, wanted = part(model, name), size(model, formula)
    return counted is not None and wanted is not None and exact(counted, model.values) == wanted


def _is_among(family: str, names: Sequence[str]) -> bool:
    wanted = [name for name in names if not name.startswith("-")]
    return f"-{family}" not in names and (not wanted or family in wanted)


@lru_cache(maxsize=256)
def _traits(key: ModelIdentity) -> Mapping[str, tuple[str, ...]]:
    return {trait.name: trait.kinds[0] for trait in traits([key.model])}


def _windows(model: Model) -> str:
    """Return which layers have a sliding window: "all", "some" or "none"."""
    values = window_values(model)
    layers = values.get(L_window)
    return "none" if W not in values or layers == 0 else "all" if layers is None else "some"


Condition = Callable[[Model, Any, str], bool]
CONDITIONS: Mapping[str, Condition] = MappingProxyType(
    {
        "families": lambda model, names, _: _is_among(model.family, names),
        "models": lambda model, names, _: model.name in names,
        "parts": lambda model, names, _: all(part(model, name) is not None for name in names),
        "lacks": lambda model, names, _: all(part(model, name) is None for name in names),
        "letters": lambda model, names, _: all(
            (letter(name.removeprefix("-")) in model.values) != name.startswith("-") for name in names
        ),
        "counts": lambda model, parts, _: all(_counts(model, name, formula) for name, formula in parts.items()),
        "sizes": lambda model, relations, _: all(compares(partial(size, model), relation) for relation in relations),
        "features": lambda model, names, _: all(
            model.features.get(name.removeprefix("-"), False) != name.startswith("-") for name in names
        ),
        "windows": lambda model, wanted, _: _windows(model) == wanted,
    }
)

"""The features of an architecture: those of its tree, those that a model has by default, and the ones that have a meaning."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from symparams import features
from symparams.components.tree import Component
from symparams.components.walks import components, gates
from symparams.errors import DefinitionError, quoted
from symparams.features import Feature

FEATURES: Mapping[str, Feature] = MappingProxyType(
    {value.name: value for value in vars(features).values() if isinstance(value, Feature)}
)
FEATURE_RANK: Mapping[str, int] = MappingProxyType({name: rank for rank, name in enumerate(FEATURES)})


def features_of(tree: Component) -> dict[str, Feature]:
    """Return the features on which a tree depends, by name; one that gates a parameter is no switch of the flow alone."""
    found: dict[str, Feature] = {}
    for gate in gates(tree):
        is_flow = gate.is_flow and found.get(gate.name, gate).is_flow
        found[gate.name] = Feature(gate.name, is_flow=is_flow)
    return found


def by_default(given: Any, tree: Component, name: str) -> tuple[Feature, ...]:
    """Return the features that a model has by default: those given, and ``tying`` where a tensor is tied, unless ~tying."""
    own = listed(given, "has")
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


def listed(given: Any, option: str) -> tuple[Feature, ...]:
    """The features that are given; DefinitionError where something else is, or a complement other than ~tying in ``has``."""
    complements = (~features.tying,) if option == "has" else ()
    found = tuple(given) if isinstance(given, Iterable) and not isinstance(given, (str, bytes)) else None
    if found is None or not all(
        isinstance(feature, Feature) and (not feature.negated or feature in complements) for feature in found
    ):
        shown = quoted(given if found is None else ", ".join(map(str, found)))
        raise DefinitionError(f"{option} = {shown} is no list of features: write {option}=[features.tying].")
    return found

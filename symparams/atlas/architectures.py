"""The architecture of an entry: its tree, what is usually present, what sizes must divide, and what a letter usually is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from symparams.architectures import Architecture
from symparams.atlas.record import Entry
from symparams.components import Component
from symparams.components.laws import divides
from symparams.discovery.order import ordered
from symparams.discovery.parts import ArrayRule, Part
from symparams.discovery.recognition import Places, recognised
from symparams.errors import DefinitionError
from symparams.expressions.nodes import Number
from symparams.expressions.symbols import letter as as_letter
from symparams.features import Feature, tying


def architecture(
    entry: Entry, places: Places | None = None, *, config: Mapping[str, Any] = MappingProxyType({})
) -> Architecture:
    """Return the definition of a class, with its certificate; ``places`` is told where its modules stand.

    Its parts are ordered where the flow was measured and ``config``, flat, sets no key on which the flow may depend.
    """
    part = _own(entry.part)
    assert part is not None
    try:
        return _of_tree(entry, part, recognised(part, entry.letters, places), config)
    except DefinitionError:  # two of its attentions do not agree on what a letter is
        return _of_tree(entry, part, recognised(part, entry.letters, places, plain=True), config)


def _of_tree(entry: Entry, part: Part, tree: Component, config: Mapping[str, Any]) -> Architecture:
    if entry.flow is not None and entry.flow.holds(config):
        tree = ordered(tree, entry.flow.blocks)
    has = [Feature(name) for name, switch in entry.features.items() if switch.usually and name in part.features]
    if _ties(part) and not entry.features[tying.name].usually:
        has.append(~tying)
    relations = {
        as_letter(name): letter.usual
        for name, letter in entry.letters.items()
        if letter.usual is not None and not isinstance(letter.usual, Number)
    }
    known = part.letters
    return Architecture(
        entry.kind.replace("-", "_"),
        title=entry.name,
        tree=tree,
        relations={dimension: value for dimension, value in relations.items() if dimension.name in known},
        laws=[divides(as_letter(divisor), as_letter(of)) for divisor, of in entry.needs if {divisor, of} <= known],
        has=has,
        certificate=entry.certificate,
    )


def _own(part: Part) -> Part | None:
    """A part without the arrays that it shares; of a matrix that a switch ties both cases are one array, which is tied."""
    arrays = _tied(part.arrays)
    parts = tuple(own for inner in part.parts if (own := _own(inner)) is not None)
    return replace(part, arrays=arrays, parts=parts) if arrays or parts else None


def _tied(rules: tuple[ArrayRule, ...]) -> tuple[ArrayRule, ...]:
    kept = []
    for rule in rules:
        if not rule.shares:
            kept.append(rule)
        elif tying in rule.when:
            others = tuple(feature for feature in rule.when if feature != tying)
            own = next((one for one in kept + list(rules) if _is_pair(rule, one, others)), None)
            if own is not None and "*" not in rule.shares:
                kept = [one for one in kept if one is not own]
                kept.append(replace(rule, when=others))
                rules = tuple(one for one in rules if one is not own)
    return tuple(rule for rule in kept if rule in rules or rule.shares)


def _is_pair(rule: ArrayRule, own: ArrayRule, others: tuple[Feature, ...]) -> bool:
    return (own.name, own.shape, own.shares, set(own.when)) == (rule.name, rule.shape, "", {*others, ~tying})


def _ties(part: Part) -> bool:
    return any(rule.shares for rule in part.arrays) or any(map(_ties, part.parts))

"""An entry as the Python file that a person would write: its letters with their keys, and the sizes of a config as a model."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping
from typing import Any

from symparams.architectures import Architecture, Published
from symparams.atlas.architectures import architecture
from symparams.atlas.facts import Literal
from symparams.atlas.record import Entry
from symparams.discovery.source import definition
from symparams.features import Feature

CHECKPOINT = re.compile(r'checkpoint="([\w./-]+)"')


def file(entry: Entry, config: Any, models: Mapping[str, tuple[Mapping[str, int], frozenset[str]]]) -> str:
    """Return the definition of an entry; ``models`` are the sizes and the features of configs by name."""
    family = architecture(entry)
    family = family.changed(
        source=checkpoint(config),
        models={name: published for name, given in models.items() if (published := _published(family, *given)) is not None},
    )
    return definition(family, about=dict(_keys(entry, family)))


def checkpoint(config: Any) -> str:
    """Return the checkpoint that the library names beside the class of a config; "" where it names none."""
    try:
        found = CHECKPOINT.search(inspect.getsource(config))
    except (OSError, TypeError):
        return ""
    return found[1] if found else ""


def _published(family: Architecture, sizes: Mapping[str, int], present: frozenset[str]) -> Published | None:
    """A model of these sizes; None where one of them is 0, which a table of sizes does not hold."""
    values = {dimension: sizes[dimension.name] for dimension in family.dimensions if dimension.name in sizes}
    if not all(values.values()):
        return None
    usual = {name for name, is_usual in family.features.items() if is_usual}
    own = present & family.features.keys()
    include = tuple(Feature(name) for name in sorted(own - usual))
    exclude = tuple(Feature(name) for name in sorted(usual - own))
    return Published(values, "", include, exclude)


def _keys(entry: Entry, family: Architecture) -> Iterator[tuple[str, str]]:
    """The name and the key of each letter and each feature in a config, as far as it is not its name."""
    for letter in family.dimensions:
        row = entry.letters.get(letter.name)
        if row is not None and (row.source.of != "" or row.source.key != letter.name):
            yield letter.name, f"{letter.name}: {row.source}"
    for name in family.features:
        switch = entry.features.get(name)
        if switch is None or (switch.literal.key == name and switch.literal.value is True):
            continue
        yield name, f"{name}: {switch.literal.key}{_value(switch.literal)}"


def _value(literal: Literal) -> str:
    """What a key must be, where it is not a switch that is on."""
    if literal.like:
        return f" = {literal.like}"
    return "" if literal.value is True else f" = {'null' if literal.value is None else literal.value}"

"""Layers with sizes of their own, as the library saves them: those of one kind are told by the key that sets them all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from symparams.atlas.keys import SECTION, table
from symparams.atlas.record import Entry
from symparams.atlas.refusals import as_json
from symparams.errors import ConfigError

Layers = dict[int, Mapping[str, Any]]


def by_kind(entry: Entry, config: Mapping[str, Any], within: str = "") -> dict[str, Any]:
    """Return a config in which ``per_layer_config`` is written as the keys that set all layers of a kind.

    Raises ConfigError where the layers of a kind differ, or have a size of their own that was not checked.
    """
    own = table().word("own_layers")
    told = {
        key: by_kind(entry, value, f"{within}{key}{SECTION}") if isinstance(value, Mapping) else value
        for key, value in config.items()
        if key != own
    }
    return told if config.get(own) is None else {**told, **_of_kinds(entry, config, within)}


def _of_kinds(entry: Entry, section: Mapping[str, Any], within: str) -> dict[str, Any]:
    """The key that sets a size of all layers of a kind, and that size."""
    layers = _layers(section, within)
    told: dict[str, Any] = {}
    settled = set()
    for row in table().tables("kinds_of_layers"):
        kind, key, sets = row.word("kind"), row.word("key"), row.word("set_by")
        if f"{within}{sets}" not in entry.keys:
            continue
        inside, beside = _split(section, layers, kind, within)
        if any(key in layer for layer in beside):
            continue
        settled.add(key)
        if not any(key in layer for layer in inside) and None in entry.allowed.get(f"{within}{sets}", ()):
            continue  # null leaves these layers as the others are
        values = [layer.get(key, section.get(key)) for layer in inside] or [section.get(key)]
        if any(value != values[0] for value in values):
            raise ConfigError(f"{_name(within)}: layers of one kind must have the same {key}: only that was checked.")
        if values[0] is None:
            raise ConfigError(f"{_name(within)} leaves {key} to {within}{key}, which is not in the config: add it.")
        told[sets] = values[0]
    for key in sorted({key for layer in layers.values() for key in layer} - settled):
        if f"{within}{key}" in entry.keys:
            raise ConfigError(f"{_name(within)}: a {key} of single layers was not checked for {entry.name}.")
    return told


def _layers(section: Mapping[str, Any], within: str) -> Layers:
    """What each layer has of its own, by its number from 0."""
    given = section[table().word("own_layers")]
    if not isinstance(given, Mapping) or not all(str(key).isdecimal() for key in given):
        raise ConfigError(f'{_name(within)} = {as_json(given)} is not an object: write {{"0": {{…}}}} for the first layer.')
    for key, layer in given.items():
        if not isinstance(layer, Mapping):
            raise ConfigError(f"{_name(within)}.{key} = {as_json(layer)} is not an object with the keys of a config.")
    return {int(key): layer for key, layer in given.items()}


def _split(section: Mapping[str, Any], layers: Layers, kind: str, within: str) -> tuple[list[Any], list[Any]]:
    """What the layers of a kind have of their own, and what the others have."""
    key = table().word("kinds")
    kinds = section.get(key)
    if not layers:
        return [], []
    if not isinstance(kinds, (list, tuple)):
        raise ConfigError(f"{_name(within)} tells layers apart by {within}{key}, which is not in the config: add it.")
    each = [layers.get(number, {}) for number in range(len(kinds))]
    of_kind = [layer for layer, own in zip(each, kinds, strict=True) if own == kind]
    return of_kind, [layer for layer, own in zip(each, kinds, strict=True) if own != kind]


def _name(within: str) -> str:
    return f"{within}{table().word('own_layers')}"

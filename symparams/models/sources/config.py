"""A Hugging Face config.json, as a file, a folder that holds one, or a dict: its family, its features, its sizes.

``model_type`` names the architecture, ``architectures`` the class, whose features the model has. Sizes and switches are
read by the tables of the family's ``Library``; a key that matters and cannot be read is an error that names it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from symparams.architectures import Architecture, architecture, architecture_names
from symparams.components import Component, Leaf, leaves, resolve
from symparams.errors import ConfigError, quoted, suggestion
from symparams.expressions.nodes import Dimension
from symparams.models.library import Library, Settings
from symparams.models.sources.hub import PREFIX, fetch

FILE_NAME = "config.json"
LARGEST_FILE = 4 * 2**20
DEEPEST_NESTING = 100


@dataclass(frozen=True)
class Reading:
    """What a config says: the family, the class that it names or the base class for want of one, features and sizes."""

    architecture: Architecture
    class_name: str
    is_base_by_default: bool
    present: frozenset[str]
    values: Mapping[Dimension, int]


def is_config(target: object) -> bool:
    """Whether a target is a config: a dict, a path, or a text that reads as a path."""
    if isinstance(target, (Mapping, Path)):
        return True
    if not isinstance(target, str):
        return False
    return target.startswith(PREFIX) or (target.endswith(".json") or "/" in target or "\\" in target or _is_folder(target))


def read(target: Mapping[str, Any] | Path | str) -> tuple[str, Mapping[str, Any]]:
    """A name for the model, and its config; ConfigError where it cannot be had."""
    if isinstance(target, Mapping):
        return str(target.get("_name_or_path") or target.get("model_type") or "config"), target
    if isinstance(target, str) and target.startswith(PREFIX):
        return target.removeprefix(PREFIX), load_file(fetch(target))[1]
    return load_file(Path(target))


def load_file(path: Path) -> tuple[str, Mapping[str, Any]]:
    """The JSON object in a config file, or in the folder that holds it, and a name for it."""
    file = path / FILE_NAME if path.is_dir() else path
    try:
        if file.stat().st_size > LARGEST_FILE:
            raise ConfigError(f"{quoted(file)} has more than {LARGEST_FILE:,} bytes: that is no config.json.")
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise ConfigError(f"Cannot read {quoted(file)}: {reason}. Give a config.json or the folder that holds it.") from None
    name = file.resolve().parent.name if file.name == FILE_NAME else file.stem
    return name or FILE_NAME, parse(text, str(file))


def parse(text: str, name: str) -> Mapping[str, Any]:
    """The JSON object in a text; ConfigError says where it is none."""
    _refuse_deep(text, name)
    try:
        values = json.loads(text)
    except json.JSONDecodeError as error:
        raise ConfigError(f"{quoted(name)} is not JSON: {error.msg} at line {error.lineno}, column {error.colno}.") from None
    except ValueError:
        raise ConfigError(f"{quoted(name)} holds a number of more digits than any model needs.") from None
    if not isinstance(values, dict):
        raise ConfigError(f"{quoted(name)} holds a {type(values).__name__}, not an object with the keys of a config.")
    return values


def interpret(values: Mapping[str, Any]) -> Reading:
    """The family, the features and the sizes that a config stands for."""
    settings = Settings(values)
    family = _family(settings)
    library = family.library
    assert library is not None
    if settings.has("per_layer_config"):
        raise ConfigError("per_layer_config in the config: only layers that all have the same sizes are supported.")
    if library.check:
        library.check(settings)
    class_name = _class_name(settings, library)
    present = _features(family, library, settings, class_name or library.base)
    tree = resolve(family.tree, present)
    known = {**family.relations, **family.identities}
    needed = {*family.used(tree), *known, *(d for value in known.values() for d in value.dimensions)}
    sizes = {d: value for d, reader in library.sizes.items() if d in needed and (value := reader(settings)) is not None}
    _refuse_null(family, library, tree, sizes)
    return Reading(family, class_name or library.base, class_name is None, present, sizes)


def _refuse_null(family: Architecture, library: Library, tree: Component, sizes: Mapping[Dimension, int]) -> None:
    """A size that counts must stand in the config, or follow from a relation."""
    counted = {d for leaf in leaves(tree) for d in (*leaf.times.dimensions, *_sides(leaf))}
    for dimension in library.sizes:
        is_given = dimension in sizes or dimension in family.relations or dimension in family.identities
        if dimension in counted and not is_given:
            key = library.key(dimension) or dimension.name
            raise ConfigError(f"{key} in the config is null: give a whole number, the {dimension.name} of {family.title}.")


def _sides(leaf: Leaf) -> list[Dimension]:
    return [d for tensor in leaf.component.tensors for side in tensor.shape for d in side.dimensions]


def _family(settings: Settings) -> Architecture:
    model_type = settings.word("model_type")
    if model_type is None:
        raise ConfigError('The config has no model_type, which names its architecture: add it, as in "model_type": "bert".')
    name = model_type.replace("-", "_")
    if name not in architecture_names() or architecture(name).library is None:
        known = [known for known in architecture_names() if architecture(known).library]
        raise ConfigError(f"Unknown model_type {quoted(model_type)}. {suggestion(model_type, known)}")
    return architecture(name)


def _class_name(settings: Settings, library: Library) -> str | None:
    names = settings.listed("architectures")
    if not names:
        return None
    name = names[0]
    if not isinstance(name, str) or name not in library.classes:
        raise ConfigError(
            f"Unknown class {quoted(name)} under architectures in the config. {suggestion(str(name), library.classes)}"
        )
    return name


def _features(family: Architecture, library: Library, settings: Settings, class_name: str) -> frozenset[str]:
    decided = library.by_class | {feature.name for feature in library.flags}
    usual = {name for name, is_default in family.features.items() if is_default and name not in decided}
    of_class = {feature.name for feature in library.classes[class_name]}
    switched = {feature.name for feature, holds in library.flags.items() if holds(settings)}
    return frozenset(usual | of_class | switched)


def _refuse_deep(text: str, name: str) -> None:
    """JSON nested deeper than any config is refused before the parser meets it; brackets in strings count too."""
    depth = deepest = 0
    for character in text:
        if character in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in "]}":
            depth -= 1
    if deepest > DEEPEST_NESTING:
        raise ConfigError(f"{quoted(name)} is nested deeper than {DEEPEST_NESTING} levels: that is no config.json.")


def _is_folder(target: str) -> bool:
    try:
        return Path(target).is_dir()
    except (OSError, ValueError):
        return False

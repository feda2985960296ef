"""A Hugging Face config.json, as a file, a folder that holds one, or a dict: its family, its features, its sizes.

``model_type`` names the architecture, ``architectures`` the class, whose features the model has. Sizes and switches are
read as the family's ``Library`` says; a key that matters and cannot be read is an error that names it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from symparams.architectures import Architecture
from symparams.components.activations import activated
from symparams.components.checks import letters
from symparams.components.tree import Component
from symparams.components.walks import components, leaves
from symparams.errors import ConfigError, quoted, shown, suggestion
from symparams.expressions.nodes import Dimension
from symparams.expressions.symbols import n_labels
from symparams.models.library import Library, Settings, library
from symparams.models.library.legacy import class_of, identify
from symparams.models.model import LONGEST_NAME, Model, Origin
from symparams.models.sources import content
from symparams.models.sources.target import CONFIG_FILE, HUB, is_folder, is_of_hub

DEEPEST_NESTING = 100
NAME = re.compile(r"(?:\w[\w.-]{0,95}/)?\w[\w.-]{0,95}")  # what _name_or_path has where it is no path


def read(target: Mapping[str, Any] | Path | str) -> tuple[str, Mapping[str, Any]]:
    """Return a name for the model, and its config; ConfigError where it cannot be had."""
    if isinstance(target, Mapping):
        return _named(target.get("_name_or_path"), target.get("model_type"), "config"), target
    if isinstance(target, str) and is_of_hub(target):
        from symparams.models.sources.hub import fetch

        return target.removeprefix(HUB), parse(fetch(target), target)
    file = Path(target) / CONFIG_FILE if is_folder(target) else Path(target)
    text = content.of_file(file)
    values = parse(text, str(file))
    name = file.resolve().parent.name if file.name == CONFIG_FILE else file.stem
    own = values.get("_name_or_path")
    return _named(own if isinstance(own, str) and NAME.fullmatch(own) else None, name, CONFIG_FILE), values


def _named(*names: object) -> str:
    """The first of these that calls a model anything, as a text of spaces does not, short enough for a drawing."""
    name = next(text for text in (shown(name) for name in names if name) if text.strip())
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


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


def configured(target: Mapping[str, Any] | Path | str, architecture: str = "") -> Model:
    """The model that a config stands for; ConfigError where it cannot be had, or says what cannot be."""
    return interpret(*read(target), architecture)


def interpret(name: str, values: Mapping[str, Any], architecture: str = "") -> Model:
    """The family, the features and the sizes that a config stands for, the class that it names or else the base class.

    The family is the ``architecture`` that is named, whatever the config says, or else what the config makes known.
    """
    family, settings = identify(Settings(values), architecture)
    table = library(family)
    assert table is not None
    settings = Settings(table.formed(settings.values))
    if settings.has("per_layer_config"):
        raise ConfigError("per_layer_config in the config: only layers that all have the same sizes are supported.")
    for check in table.checks:
        check(settings, table)
    named = _class_name(settings, family, table)
    class_name = named or table.base
    usual = {feature.name for feature in family.has if feature.name not in table.by_class and feature not in table.flags}
    present = frozenset(usual | table.features(settings, class_name))
    learned = table.learned(settings, family.tree, present)
    family = family.changed(tree=activated(family.tree, learned)) if learned else family
    tree = family.resolved(present).tree
    sizes = _sizes(family, table, settings, class_name, tree)
    _refuse_null(family, table, tree, sizes)
    origin = Origin(name, name, frozenset(sizes), present, class_name, named is None, settings.values)
    return Model(family, present, sizes, origin)


def _sizes(
    family: Architecture, library: Library, settings: Settings, class_name: str, tree: Component
) -> dict[Dimension, int]:
    """The sizes that the tree and the relations need, as the config gives them; what the class fixes is not read."""
    needed = {
        *family.used(tree),
        *letters(tree),
        *family.known,
        *(d for value in family.known.values() for d in value.dimensions),
    }
    fixed = library.classes[class_name].n_labels
    read = (d for d in library.sizes if d in needed and (fixed is None or d != n_labels))
    sizes = {d: value for d in read if (value := library.size(settings, d)) is not None}
    return {**sizes, n_labels: fixed} if fixed is not None and n_labels in needed else sizes


def _refuse_null(family: Architecture, library: Library, tree: Component, sizes: Mapping[Dimension, int]) -> None:
    """A size that counts, or says into how many heads attention falls, must stand in the config or follow from a relation."""
    counted = {d for leaf in leaves(tree) for d in leaf.times.dimensions}
    counted |= {d for _, part in components(tree) for tensor in part.tensors for side in tensor.shape for d in side.dimensions}
    counted |= {d for _, part in components(tree) if part.heads for d in part.heads.number.dimensions}
    for dimension in library.sizes:
        is_given = dimension in sizes or dimension in family.known
        if dimension in counted and not is_given:
            key = library.key(dimension) or dimension.name
            raise ConfigError(f"{key} in the config is null: give a whole number, the {dimension.name} of {family.title}.")


def _class_name(settings: Settings, family: Architecture, library: Library) -> str | None:
    names = settings.listed("architectures")
    if not names:
        return None
    class_name = class_of(names[0], family, library)
    if not class_name:
        known = suggestion(shown(names[0]), library.classes)
        raise ConfigError(f"Unknown class {quoted(names[0])} under architectures in the config. {known}")
    return class_name


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

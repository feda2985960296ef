"""A Hugging Face config.json, as a file, a folder that holds one, or a dict: its family, its features, its sizes.

``model_type`` names the architecture, ``architectures`` the class, whose features the model has. Sizes and switches are
read as the family's ``Library`` says; a key that matters and cannot be read is an error that names it.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from symparams.architectures import Architecture, architecture, published_names
from symparams.components.activations import activated
from symparams.components.checks import letters
from symparams.components.tree import Component
from symparams.components.walks import components, leaves
from symparams.errors import ConfigError, DefinitionError, SymparamsError, quoted, shown, suggestion
from symparams.expressions.nodes import Dimension
from symparams.expressions.symbols import n_labels
from symparams.models.library import Library, Settings, families, is_family, library
from symparams.models.library.legacy import UnknownFamilyError, class_alike, class_of, identify, type_of
from symparams.models.library.settings import TracedConfig
from symparams.models.model import LONGEST_NAME, Model, Origin
from symparams.models.sources import content
from symparams.models.sources.config_reading import ConfigReader, lists_of_layers
from symparams.models.sources.own_type import in_its_section, owner
from symparams.models.sources.target import CONFIG_FILE, HUB, is_folder, is_of_hub
from symparams.models.windows import check_lists

DEEPEST_NESTING = 100
OWN_TREE = "For its own tree, write a definition file, as docs/research.md shows"
LISTED = "'symparams list' names those that it knows."
NAME = re.compile(r"(?:\w[\w.-]{0,95}/)?\w[\w.-]{0,95}")  # what _name_or_path has where it is not a path


def read(target: Mapping[str, Any] | Path | str) -> tuple[str, Mapping[str, Any]]:
    """Return a name for the model, and its config; ConfigError where it cannot be had."""
    if isinstance(target, Mapping):
        return _named(target.get("_name_or_path"), target.get("model_type"), "config"), target
    if isinstance(target, str) and is_of_hub(target):
        return target.removeprefix(HUB), parse(_fetched(target), target)
    file = Path(target) / CONFIG_FILE if is_folder(target) else Path(target)
    text = content.of_file(file)
    values = parse(text, str(file))
    name = file.resolve().parent.name if file.name == CONFIG_FILE else file.stem
    own = values.get("_name_or_path")
    return _named(own if isinstance(own, str) and NAME.fullmatch(own) else None, name, CONFIG_FILE), values


def _fetched(target: str) -> str:
    """Return a config of the hub; where it cannot be had, the ConfigError names the published model that is called so."""
    from symparams.models.sources.hub import fetch

    try:
        return fetch(target)
    except ConfigError as error:
        name = target.rpartition("/")[2].casefold()
        if name not in published_names():
            raise
        raise ConfigError(f"{error} symparams knows it as {quoted(name)}.") from None


def _named(*names: object) -> str:
    """Return the first of these that is more than spaces, as a name, shortened to what a drawing has room for."""
    name = next(text for text in (shown(name) for name in names if name) if text.strip())
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


class JSONObject(dict[str, Any]):
    """An object of a JSON text, and the keys that the text gives more than once, of which the last one counts."""

    repeated: tuple[str, ...] = ()


def parse(text: str, name: str) -> Mapping[str, Any]:
    """The JSON object in a text; ConfigError says where it is none."""
    if not text.strip():
        raise ConfigError(f"{quoted(name)} is empty: give a config.json, which holds the sizes of a model.")
    _refuse_deep(text, name)
    repeated: dict[str, None] = {}

    def joined(pairs: list[tuple[str, Any]]) -> JSONObject:
        values = JSONObject(pairs)
        if len(values) < len(pairs):
            number = Counter(key for key, _ in pairs)
            repeated.update(dict.fromkeys(key for key in values if number[key] > 1))
        return values

    try:
        values = json.loads(text, object_pairs_hook=joined)
    except json.JSONDecodeError as error:
        raise ConfigError(f"{quoted(name)} is not JSON: {error.msg} at line {error.lineno}, column {error.colno}.") from None
    except ValueError:
        raise ConfigError(f"{quoted(name)} holds a number with more digits than any model needs.") from None
    if not isinstance(values, JSONObject):
        raise ConfigError(f"{quoted(name)} holds a {type(values).__name__}, not an object with the keys of a config.")
    values.repeated = tuple(repeated)
    return values


def configured(target: Mapping[str, Any] | Path | str, architecture: str = "") -> Model:
    """The model that a config stands for; ConfigError where it cannot be had, or says what cannot be."""
    return interpret(*read(target), architecture)


def interpret(name: str, values: Mapping[str, Any], architecture: str = "") -> Model:
    """The family, the features and the sizes that a config stands for, the class that it names or else the base class.

    The family is the ``architecture`` that is named, whatever the config says, or else what the config makes known. Where it
    names a class of one of its sections' families, that section is the config.
    """
    repeated = values.repeated if isinstance(values, JSONObject) else ()
    if not architecture:
        values = in_its_section(values)
    asked: set[str] = set()
    try:
        family, settings = identify(Settings(TracedConfig(values, asked)), architecture)
    except UnknownFamilyError as error:
        if (discovered := _discovered(name, values)) is not None:
            return discovered
        raise _with_nearest(error, name, values) from None
    family = _of_parts(family, settings)
    table = library(family)
    assert table is not None
    original = dict(settings.values)
    formed = table.formed(original)
    settings = Settings(TracedConfig(formed, asked))
    if settings.has("per_layer_config"):
        raise ConfigError("per_layer_config in the config: only layers that all have the same sizes are supported.")
    for check in table.checks:
        check(settings, table)
    named, is_own = _class_name(settings, family, table, is_chosen=bool(architecture))
    class_name = named or table.base
    usual = {feature.name for feature in family.has if feature.name not in table.by_class and feature not in table.flags}
    present = frozenset(usual | table.features(settings, class_name))
    learned = table.learned(settings, family.tree, present)
    family = family.changed(tree=activated(family.tree, learned)) if learned else family
    tree = family.resolved(present).tree
    reader = ConfigReader(original, formed, asked)
    sizes = _sizes(family, table, settings, class_name, tree, reader)
    _refuse_null(family, table, tree, sizes)
    is_foreign = not is_own or (architecture != "" and type_of(settings) != family.name)
    reading = reader.reading(family, table, tree, class_name if is_foreign else "", repeated)
    origin = Origin(name, name, frozenset(sizes), present, class_name, named is None, dict(formed), reading=reading)
    model = Model(family, present, sizes, origin)
    if reader.has_any(lists_of_layers(tree)):
        check_lists(model)
    return model


def _of_parts(family: Architecture, settings: Settings) -> Architecture:
    """The family, a composite of the families that the sections of its config name; ConfigError for one that it cannot have."""
    table = library(family)
    if table is None or not table.sections:
        return family
    keys = [section.key for section in table.sections.values()]
    sections = Settings({key: settings.values.get(key) for key in keys})
    given = [sections.inner(section.key).word("model_type") if section.any else None for section in table.sections.values()]
    of = [usual if name is None else name.replace("-", "_") for name, usual in zip(given, family.of, strict=True)]
    for place, (key, name) in enumerate(zip(keys, of, strict=True)):

        def fits(other: str, place: int = place) -> bool:
            return composes(family, (*family.of[:place], other, *family.of[place + 1 :]))

        if not fits(name):
            known = suggestion(name, filter(fits, families()))
            raise ConfigError(
                f"{key}.model_type = {quoted(given[place])} in the config is not a family that {family.title} can have. {known}"
            )
    return architecture(family.name, *of)


def composes(family: Architecture, of: tuple[str, ...]) -> bool:
    """True if a composite can be made of these families, of which transformers has all."""
    records = (library(architecture(name)) if is_family(name) else None for name in of)
    if any(record is None or record.code for record in records):
        return False
    try:
        architecture(family.name, *of)
    except DefinitionError:
        return False
    return True


def _discovered(name: str, values: Mapping[str, Any]) -> Model | None:
    from symparams.atlas.configs import configured

    return configured(name, values)


def _sizes(
    family: Architecture, library: Library, settings: Settings, class_name: str, tree: Component, reader: ConfigReader
) -> dict[Dimension, int]:
    """The sizes that the tree and the relations need, as the config gives them; what the class fixes is not read."""
    needed = {
        *family.used(tree),
        *letters(tree),
        *family.known,
        *(d for value in family.known.values() for d in value.dimensions),
    }
    fixed = library.classes[class_name].n_labels
    sizes: dict[Dimension, int] = {}
    for dimension in library.sizes:
        if dimension in needed and (fixed is None or dimension != n_labels):
            asked: set[str] = set()
            size = library.size(Settings(TracedConfig(settings.values, asked)), dimension)
            reader.asked |= asked
            if size is not None:
                sizes[dimension] = size
                reader.note_default(dimension, library, size, asked)
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


def _class_name(settings: Settings, family: Architecture, library: Library, *, is_chosen: bool) -> tuple[str | None, bool]:
    """The class that a config names, None where it names none, and whether that is one of the family's own.

    A class of another family is read as the one with its head where somebody chose the family.
    """
    names = settings.listed("architectures")
    if not names:
        return None, True
    if class_name := class_of(names[0], family, library):
        return class_name, True
    alike = class_alike(names[0], library) if isinstance(names[0], str) else ""
    if alike and is_chosen:
        return alike, False
    reads = f" --architecture {family.name} reads it as {alike}." if alike else ""
    if isinstance(names[0], str) and (other := owner(names[0])):
        its = f"give that type's config, or a section with its model_type.{reads}"
        raise ConfigError(f"{quoted(names[0])} under architectures in the config is a class of {quoted(other)}: {its}")
    known = suggestion(shown(names[0]), library.classes)
    raise ConfigError(f"Unknown class {quoted(names[0])} under architectures in the config. {known}{reads}")


def _with_nearest(error: UnknownFamilyError, name: str, values: Mapping[str, Any]) -> ConfigError:
    """Return the error with the known families that read most of the keys, each tried, and what else can be done."""
    from symparams.atlas import kind_of
    from symparams.models.sources.nearest import nearest

    kinds = {at: part["model_type"] for at, part in values.items() if isinstance(part, Mapping) and "model_type" in part}
    if there := [at for at, kind in kinds.items() if isinstance(kind, str) and (is_family(kind) or kind_of(kind))]:
        told = " and ".join(f"that of its {at}, {quoted(kinds[at])}" for at in there)
        lacking = " and ".join(f"{quoted(kind)} of its {at}" for at, kind in kinds.items() if at not in there)
        unknown = f"; not known is {lacking}" if lacking else ""
        whole = f"give {' or '.join(there)} as a config of its own to count that part"
        return ConfigError(f"{error.lack}, but {told}: {whole}{unknown}.")

    def read_as(family: str) -> Model | None:
        try:
            return interpret(name, values, family)
        except SymparamsError:
            return None

    near = nearest(values, read_as)
    if not near:
        known = suggestion(shown(values.get("model_type", "")), families())
        return ConfigError(f"{error} {known if known.startswith('Did') else LISTED}")
    first, *others = near
    needs = f" and needs {first.lacking} more" if first.lacking else ""
    reads = f"{first.name} reads {first.number} of {first.of} keys{needs}"
    reads = ", ".join([reads, *(f"{family.name} {family.number}" for family in others)])
    chosen = f"--architecture {first.name}"
    if first.is_near:
        return ConfigError(f"{error.lack}. The nearest families: {reads}. To count it as one, add {chosen}. {OWN_TREE}.")
    return ConfigError(f"{error.lack}. None is near: {reads}. {OWN_TREE}; {chosen} leaves the rest out.")


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
        raise ConfigError(f"{quoted(name)} is nested deeper than {DEEPEST_NESTING} levels: that is not a config.json.")

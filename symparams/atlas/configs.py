"""A config of a type that was discovered, as a model: the class that it names, its sizes, its features."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from symparams.architectures import Architecture
from symparams.atlas import BASE, class_with, entries
from symparams.atlas.architectures import architecture
from symparams.atlas.comparison import compare_where_asked
from symparams.atlas.facts import LABELS, TYPE, Facts, flat
from symparams.atlas.keys import last, outermost, section
from symparams.atlas.own_layers import by_kind
from symparams.atlas.reading import Reading, read
from symparams.atlas.record import Entry
from symparams.errors import A_SLIP, ConfigError, quoted, shown, suggestion
from symparams.expressions.nodes import Dimension, Number
from symparams.models.library import Settings
from symparams.models.load import complete
from symparams.models.model import Model, Origin
from symparams.models.sources.config_reading import (
    ALIKE,
    GENERAL,
    ConfigReading,
    UnreadKey,
    asks_for_nothing,
    near_key,
    silent_keys,
    structural_keys,
)


def configured(name: str, config: Mapping[str, Any]) -> Model | None:
    """Return the model of a config; None where its type was not discovered.

    Raises ConfigError where it is outside of what was checked.
    """
    found = entries(str(config.get(TYPE, "")))
    if not found:
        return None
    entry, assumes_base = _class(found, config)
    model = of_entry(name, entry, config, assumes_base=assumes_base)
    compare_where_asked(entry, config, lambda: complete(model, {}).count(frozen=True))
    return model


def of_entry(name: str, entry: Entry, config: Mapping[str, Any], *, assumes_base: bool = False) -> Model:
    """Return the model of a config by the definition of a class; ConfigError where it is outside of what was checked."""
    told = by_kind(entry, config)
    reading = _reading(entry, told)
    family = architecture(entry, config=entry.keyed(dict(flat(told))))
    sizes = {Dimension(letter): number for letter, number in reading.numbers.items() if Dimension(letter) in family.dimensions}
    origin = Origin(
        name,
        name,
        frozenset(sizes),
        reading.present,
        entry.name,
        assumes_base,
        dict(config),
        reading=_told(entry, reading, family, told),
    )
    return Model(family, frozenset(name for name in reading.present if name in family.features), sizes, origin)


def sizes_of(entry: Entry, config: Mapping[str, Any]) -> tuple[Mapping[str, int], frozenset[str]]:
    """Return the sizes and the features of a config, {} being the default one."""
    reading = _reading(entry, by_kind(entry, config))
    return reading.numbers, reading.present


def _reading(entry: Entry, config: Mapping[str, Any]) -> Reading:
    values = {key: value for key, value in flat(config) if key != TYPE}
    keys = {letter.source.key for letter in entry.letters.values()}
    empty = {outermost(key) for key in keys} - {outermost(key) for key in values} - {""}
    values |= {name: {} for name in empty if isinstance(config.get(name), Mapping)}
    for key in sorted(keys & config.keys()):
        if isinstance(config[key], Mapping):
            raise ConfigError(f"{key} is an object in the config, and {entry.name} has a number or a list there.")
    if LABELS in keys and {LABELS, "id2label"} & config.keys():
        values[LABELS] = Settings(config).labels
    return read(entry, Facts(values))


def _class(found: Mapping[str, Entry], config: Mapping[str, Any]) -> tuple[Entry, bool]:
    """The class that a config names, or the base class, and whether it names none."""
    names = Settings(config).listed("architectures")
    if not names:
        base = class_with({name: entry.heads for name, entry in found.items()}, (BASE,))
        if not base:
            lack = "The config names no class, and the base model of its type was not discovered"
            classes = " or ".join(f'["{name}"]' for name in found)
            raise ConfigError(f'{lack}: add "architectures": {classes}.')
        return found[base], True
    first = names[0] if isinstance(names[0], str) else shown(names[0])
    first = next((name for name in found if _folded(name) == _folded(first)), first)  # Ernie4_5_ForCausalLM
    if first not in found:
        raise ConfigError(f"Unknown class {quoted(first)} under architectures in the config. {suggestion(first, found)}")
    return found[first], False


def _folded(name: str) -> str:
    return name.casefold().replace("_", "")


def _told(entry: Entry, reading: Reading, family: Architecture, config: Mapping[str, Any]) -> ConfigReading:
    """What became of the keys: the sizes that count with the library's default, the keys that were mistyped."""
    counted = {letter.source for name, letter in entry.letters.items() if Dimension(name) in family.dimensions}
    lists = {source.key for source in counted if isinstance(source.of, int)}  # each is told whole
    sources = {
        Dimension(name): letter.source
        for name, letter in entry.letters.items()
        if name in reading.usual
        and isinstance(letter.usual, Number)
        and (letter.source in counted or (letter.source.key in lists and isinstance(letter.source.of, int)))
    }
    defaults = {dimension: (str(source), reading.numbers[dimension.name]) for dimension, source in sources.items()}
    usual = {dimension for dimension, source in sources.items() if config.get(section(source.key)) is not None}
    unread = tuple(_mistyped(entry, [source.key for source in sources.values()], config))
    return ConfigReading(family.name, defaults, frozenset(usual), unread, (), getattr(config, "repeated", ()))


def _mistyped(entry: Entry, lacking: Sequence[str], config: Mapping[str, Any]) -> Iterator[UnreadKey]:
    """The keys that nothing reads, and that are near one that counts; those of other families are spelt as they were meant."""
    known = {*entry.keys, *GENERAL}
    for key, value in flat(config):
        if key not in known and last(key) not in silent_keys() and not asks_for_nothing(value):
            near = near_key(key, lacking, ALIKE) or near_key(key, known, A_SLIP)
            if near and last(key) not in structural_keys():
                yield UnreadKey(key, near)

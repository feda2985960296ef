"""The reading of a config: which keys were read, which were not though they matter, and what counts that nobody wrote.

The library passes over a key that it does not know and puts its default in the place of a size that is not there; so does
the count. A file that is written by hand may mean something else, and this says it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import field, replace
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

from symparams.architectures import Architecture
from symparams.architectures._tables import TomlTable, read, table
from symparams.components.patterns import Pattern
from symparams.components.tree import Component
from symparams.components.walks import components
from symparams.errors import A_SLIP, ConfigError, printable
from symparams.expressions.nodes import Dimension
from symparams.models.library import Flag, Library, Settings, families
from symparams.models.windows import FULL, LAYER_TYPES, TEXT, USUAL
from symparams.records import frozen

ALIKE = 0.65  # as near a key may be to one whose absence counts a default
MOST_NAMED, MOST_COMPARED = 12, 200
MOST_LAYERS = 1_000  # that the library may count by default
GENERAL = ("model_type", "architectures", "id2label", "num_labels")


@frozen
class UnreadKey:
    """A key that was not read, and the key that it is near."""

    name: str
    near: str = ""

    def __str__(self) -> str:
        return printable(self.name) + (f" (did you mean {self.near}?)" if self.near else "")


@frozen
class ConfigReading:
    """The keys of a config by what became of them.

    ``defaults`` are the sizes that the config lacks and that count with the library's default, by the dimension: the key and
    the value; ``usual`` are those of them that a section lacks, as a section of the library's own files may. ``unread`` are
    keys that were not read though they are near one that is, or change other architectures; ``unknown`` are keys that were
    not read and that no table calls harmless. ``repeated`` are those that stand in the file more than once, of which the last
    counts. A config that is read as another family than its own is read as one of its ``foreign_class``: ``used`` are all
    keys that were, ``unused`` all others that may change a count.
    """

    family: str = ""
    defaults: Mapping[Dimension, tuple[str, int]] = field(default_factory=dict)
    usual: frozenset[Dimension] = frozenset()
    unread: tuple[UnreadKey, ...] = ()
    unknown: tuple[UnreadKey, ...] = ()
    repeated: tuple[str, ...] = ()
    foreign_class: str = ""
    used: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()

    def without(self, given: Collection[Dimension]) -> ConfigReading:
        """Return the reading where somebody gave these sizes."""
        return replace(self, defaults={d: default for d, default in self.defaults.items() if d not in given})

    @property
    def sizes(self) -> dict[str, int | list[int]]:
        """The defaults by their keys, those of a list together where all of its places are there."""
        return dict(_with_lists(self.defaults.values()))

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines that tell it; none where a config says all that counts."""
        return tuple(self._lines())

    def _lines(self) -> Iterator[str]:
        if self.foreign_class:
            yield f"read as {self.family}, {self.foreign_class}: used {_listed(self.used)}; not used: {_listed(self.unused)}"
        if self.defaults:
            sizes = [f"{key} = {value}" for key, value in self.sizes.items()]
            yield f"not in the config, so the library's default{'s apply' if len(sizes) > 1 else ' applies'}: {_listed(sizes)}"
        if self.unread and not self.foreign_class:
            yield f"not read for {self.family}: {_listed(map(str, self.unread))}"
        if self.repeated:
            yield f"given more than once in the config, where the last one counts: {_listed(self.repeated)}"

    def refuse(self) -> None:
        """ConfigError where there is anything to tell, but for the usual defaults, and for an unknown key."""
        known = {key.name for key in self.unread}
        unread = (*self.unread, *(key for key in self.unknown if key.name not in known))
        if lines := replace(self.without(self.usual), unread=unread).lines:
            raise ConfigError(f"{'; '.join(lines)}. Correct the config, or leave out strict.")


def _with_lists(sizes: Iterable[tuple[str, int]]) -> Iterator[tuple[str, int | list[int]]]:
    """Yield each key with its size; depths[0], depths[1] and so on, where all places are there, as one list."""
    given = dict(sizes)
    for key, size in given.items():
        name, _, place = key.removesuffix("]").partition("[")
        number = sum(other.startswith(f"{name}[") for other in given)
        places = [f"{name}[{i}]" for i in range(number)]
        if not place or not given.keys() >= {*places}:
            yield key, size
        elif place == "0":
            yield name, [given[other] for other in places]


def _listed(names: Iterable[str]) -> str:
    listed = [printable(name[:60]) for name in names]
    more = f" and {len(listed) - MOST_NAMED} more" if len(listed) > MOST_NAMED else ""
    return (", ".join(listed[:MOST_NAMED]) or "nothing") + more


class ConfigReader:
    """The keys of a config, and those that are asked for while it is read in the form that its family has for it."""

    def __init__(self, values: Mapping[str, Any], formed: Mapping[str, Any], asked: set[str]) -> None:
        self.values, self.formed, self.asked = values, formed, asked
        self.defaults: dict[Dimension, tuple[str, int]] = {}
        self.kinds: dict[Dimension, int] = {}  # the layers of each kind, without the number of all layers

    def has_any(self, names: Collection[str]) -> bool:
        """True if a key with one of these names is in the form that is read, or in a section of it."""
        return any(_last(key) in names for key, _ in _keys(self.formed, self.formed))

    def note_default(self, dimension: Dimension, library: Library, size: int, asked: Collection[str]) -> None:
        """Take down a size for which these keys were asked, where none of them is there; a section by itself gives no size."""
        key = library.key(dimension)
        values = {name: value for name in asked if not isinstance(value := self.values.get(name), Mapping)}
        sections = {own.section for own in library.keys.values()}  # which may be null, too
        giving = (name for name in values if _last(name) not in GENERAL and name not in sections)
        is_formed = self.formed.get(key or "") is not None and key not in self.values  # out of another key
        if key and not is_formed and not any(map(self._is_there, giving)):
            usual = library.keys[dimension].default if dimension in library.derived else None
            self.defaults[dimension] = key, usual or size  # a reader may make another of the key's
        if not key and USUAL in asked and not self._is_there(USUAL):  # one of the kinds into which all layers are divided
            self.kinds[dimension] = size

    def reading(
        self, family: Architecture, library: Library, tree: Component, foreign_class: str, repeated: tuple[str, ...]
    ) -> ConfigReading:
        """Return what became of each key, once all that counts was read; as of a ``foreign_class`` where it is not its own."""
        used = family.used(tree)
        asked = {  # of a part that is not there nothing is said
            size: told for size, told in self.defaults.items() if size in used or self._is_in_section(told[0])
        }
        default_sizes = {**asked, **self._default_of_all_layers(library)}
        known = {*self.asked, *GENERAL, *read_later(library, tree)}
        # What was put into a section that is not in the file was read where it stands, unless the library's own was put there.
        absent = (name for name in self.formed if self.values.get(name) is None)
        put = [name for name in absent if self.formed[name] is not library.extra.get(name)]
        known |= {_last(key) for key in known if _section(key) in put}
        sections = {_section(key) for key in (*known, *library.without_effect)} - {""}
        present = dict(_keys(self.values, sections))
        known |= present.keys() - dict(_keys(self.formed, sections)).keys()
        spoken = [key for key in present if key not in sections and _last(key) not in silent_keys()]
        unread = [key for key in spoken if key not in known and not self._is_idle(key, present, library)]
        unused = [key for key in unread if not asks_for_nothing(present[key])]
        defaults = [key for key, _ in default_sizes.values()]
        nearest = {key: near_key(key, defaults, ALIKE) or near_key(key, known, A_SLIP) for key in unread[:MOST_COMPARED]}
        keys = [UnreadKey(key, nearest.get(key, "")) for key in unread]
        return ConfigReading(
            family.name,
            default_sizes,
            frozenset(dimension for dimension, (key, _) in default_sizes.items() if self.values.get(_section(key)) is not None),
            tuple(key for key in keys if key.near or _last(key.name) in structural_keys()),
            tuple(keys),
            repeated,
            foreign_class,
            tuple(key for key in spoken if key in known) if foreign_class else (),
            tuple(unused) if foreign_class else (),
        )

    def _default_of_all_layers(self, library: Library) -> dict[Dimension, tuple[str, int]]:
        """Return the default number of all layers, the one that gives these layers of each kind, by the first kind."""
        for number in range(1, MOST_LAYERS if self.kinds else 0):
            sizes = Settings({**self.formed, USUAL: number})
            with suppress(ConfigError):  # of a list of the layers' kinds that is longer or shorter
                if all(library.size(sizes, kind) == size for kind, size in self.kinds.items()):
                    return {next(iter(self.kinds)): (USUAL, number)}
        return {}

    def _is_in_section(self, key: str) -> bool:
        """True of a key at the root, or in a section that the file has."""
        return not _section(key) or self.values.get(_section(key)) is not None

    def _is_there(self, key: str) -> bool:
        section, name = _section(key), _last(key)
        inner = self.values.get(section)
        return name in (inner if isinstance(inner, Mapping) else self.values)

    def _is_idle(self, key: str, present: Mapping[str, Any], library: Library) -> bool:
        """True for a key that the text model's section has as well, and for one of some family that asks for nothing more."""
        value, name = present[key], _last(key)
        if asks_for_nothing(value) and name in structural_keys():
            return True
        if isinstance(value, list) and name == LAYER_TYPES and all(kind == FULL for kind in value):
            return True
        if f"{TEXT}.{key}" in present:  # files that newer releases of the library wrote have both, and that section counts
            return True
        usual = library.without_effect.get(key, library.without_effect.get(name))
        if not usual:
            return usual is not None
        entries = value if isinstance(value, list) else [value]  # a list has an entry for each layer
        return all(entry in [present.get(word, word) for word in usual] for entry in entries)


def read_later(library: Library, tree: Component) -> Iterator[str]:
    """Yield the keys of a family's table and its patterns: some are read when something is asked that they change."""
    for key in library.keys.values():
        yield from key.names
    for flag in (*library.flags.values(), *(flag for kind in library.classes.values() for flag in kind.flags.values())):
        if isinstance(flag, Flag):
            yield flag.name
    for choice in library.choices.values():
        yield from choice.names
        yield f"{_section(choice.names[0])}.{choice.switch}".removeprefix(".")
    yield from library.extra
    steps = (name for pattern in _patterns(tree) for name in pattern.keys)
    if any(_section(name) == TEXT for key in library.keys.values() for name in key.names):
        yield f"{TEXT}.sliding_window"  # of a text model of another family
    for name in (*steps, *lists_of_layers(tree)):
        yield from (name, f"{TEXT}.{name}")


def lists_of_layers(tree: Component) -> list[str]:
    """Return the keys of lists that say layer by layer where a tree has windows, or positions."""
    listed = [str(pattern.listed[0]) for pattern in _patterns(tree) if pattern.listed]
    has_windows = any(part.attending and part.attending.windowed for _, part in components(tree))
    return [*([LAYER_TYPES] if has_windows else []), *listed]


def _patterns(tree: Component) -> list[Pattern]:
    facts = [part.attending for _, part in components(tree) if part.attending]
    return [pattern for fact in facts for pattern in (fact.windowed, fact.positioned) if pattern]


def _keys(values: Mapping[str, Any], sections: Collection[str]) -> Iterator[tuple[str, Any]]:
    """Yield the keys of a config with their values, and those of its sections that are read, "text_config.hidden_size"."""
    for name, value in values.items():
        if isinstance(name, str):  # as every name of JSON is
            yield name, value
            if name in sections and isinstance(value, Mapping):
                yield from ((f"{name}.{inner}", other) for inner, other in value.items())


def asks_for_nothing(value: Any) -> bool:
    """True for null, false, 0, and an empty text, list or object."""
    return value is None or (isinstance(value, (bool, int, float, str, list, Mapping)) and not value)


def _section(key: str) -> str:
    return key.rpartition(".")[0]


def _last(key: str) -> str:
    return key.rpartition(".")[2]


def near_key(key: str, others: Iterable[str], cutoff: float) -> str:
    """Return the one of other keys of the same section that a key is near; "" if none is."""
    names = sorted({_last(other) for other in others if _section(other) == _section(key)})
    if same := next((name for name in names if _folded(name) == _folded(_last(key))), ""):  # numKeyValueHeads
        return same
    return next(iter(get_close_matches(_last(key)[:60], names, n=1, cutoff=cutoff)), "")


def _folded(key: str) -> str:
    return key.casefold().replace("_", "").replace("-", "")


@cache
def silent_keys() -> frozenset[str]:
    """Return the names of keys that change no count, and of those that every family reads."""
    return frozenset((*_table().words("silent"), *GENERAL))


@cache
def _table() -> TomlTable:
    return read(Path(__file__).parents[1] / "library" / "unread.toml")


@cache
def structural_keys() -> frozenset[str]:
    """The names of keys that change the count or the cache of some family."""
    names = {*_table().words("structural")}
    for family in families():
        own = table(family).table("library")
        keys, flags, window = own.table("keys"), own.table("flags"), own.table("choices").table("window")
        names |= {_last(word) for name in keys.values for word in keys.words(name)}
        for name, value in flags.values.items():
            names.add(_last(flags.table(name).word("key") if isinstance(value, Mapping) else flags.word(name)))
        names |= {_last(word) for word in window.words("key")}
    return frozenset(names)

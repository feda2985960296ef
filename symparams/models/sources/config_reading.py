"""The reading of a config: which keys were read, which were not though they matter, and what counts that nobody wrote.

The library passes over a key that it does not know and puts its default in the place of a size that is not there; so does
the count. A file that is written by hand may mean something else, and this says it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

from symparams.architectures import Architecture
from symparams.architectures._tables import TomlTable, read, table
from symparams.components.tree import Component
from symparams.components.walks import components
from symparams.errors import A_SLIP, ConfigError, printable
from symparams.expressions.nodes import Dimension
from symparams.models.library import Flag, Library, families

ALIKE = 0.65  # as near a key may be to one whose absence counts a default
MOST_NAMED = 12
GENERAL = ("model_type", "architectures", "id2label", "num_labels", "layer_types")


@dataclass(frozen=True)
class UnreadKey:
    """A key that was not read, and the key that it is near."""

    name: str
    near: str = ""

    def __str__(self) -> str:
        return printable(self.name) + (f" (did you mean {self.near}?)" if self.near else "")


@dataclass(frozen=True)
class ConfigReading:
    """The keys of a config by what became of them.

    ``defaults`` are the sizes that the config lacks and that count with the library's default, by the dimension: the key and
    the value. ``unread`` are keys that were not read though they are near one that is, or change other architectures;
    ``repeated`` those that stand in the file more than once, of which the last counts. Of a config that is read as another
    family than its own, ``used`` are all keys that were read, and ``unused`` all others that may change a count.
    """

    family: str = ""
    defaults: Mapping[Dimension, tuple[str, int]] = field(default_factory=dict)
    unread: tuple[UnreadKey, ...] = ()
    repeated: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()
    is_foreign: bool = False

    def without(self, given: Collection[Dimension]) -> ConfigReading:
        """Return the reading where somebody gave these sizes."""
        return replace(self, defaults={d: default for d, default in self.defaults.items() if d not in given})

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines that tell it; none where a config says all that counts."""
        return tuple(self._lines())

    def _lines(self) -> Iterator[str]:
        if self.is_foreign:
            yield f"read as {self.family}: used {_listed(self.used)}; not used: {_listed(self.unused)}"
        if self.defaults:
            sizes = _listed([f"{key} = {value}" for key, value in self.defaults.values()])
            yield f"not in the config: {sizes}, the library's default{'s' if len(self.defaults) > 1 else ''}"
        if self.unread and not self.is_foreign:
            yield f"not read for {self.family}: {_listed(map(str, self.unread))}"
        if self.repeated:
            yield f"given more than once in the config, where the last one counts: {_listed(self.repeated)}"

    def refuse(self) -> None:
        """ConfigError where there is anything to tell."""
        if self.lines:
            raise ConfigError(f"{'; '.join(self.lines)}. Correct the config, or leave out strict.")


def _listed(names: Iterable[str]) -> str:
    listed = [printable(name[:60]) for name in names]
    more = f" and {len(listed) - MOST_NAMED} more" if len(listed) > MOST_NAMED else ""
    return (", ".join(listed[:MOST_NAMED]) or "nothing") + more


class ConfigReader:
    """The keys of a config, and those that are asked for while it is read, "text_config.hidden_size" in a section of it."""

    def __init__(self, values: Mapping[str, Any], asked: set[str]) -> None:
        self.values, self.asked = values, asked
        self.defaults: dict[Dimension, tuple[str, int]] = {}

    def note_default(self, dimension: Dimension, library: Library, size: int, asked: Collection[str]) -> None:
        """Take down a size for which these keys were asked, where none of them is there.

        The library's files leave out of a section what is the default, so that its absence there says it.
        """
        key = library.key(dimension)
        if key and (not _section(key) or _section(key) not in self.values) and not any(map(self._is_there, asked)):
            self.defaults[dimension] = key, size

    def reading(
        self, family: Architecture, library: Library, tree: Component, repeated: tuple[str, ...], *, is_foreign: bool
    ) -> ConfigReading:
        """Return what became of each key, once all that counts was read."""
        known = {*self.asked, *GENERAL, *_read_later(library, tree)}
        # what was moved into a section that is not in the file was read where it stands
        known |= {_last(key) for key in known if _section(key) and _section(key) not in self.values}
        sections = {_section(key) for key in known}
        present = dict(_keys(self.values, sections))
        silent = {*_table().words("silent"), *library.without_effect, "model_type"}
        spoken = [key for key in present if key not in sections and _last(key) not in silent]
        unused = [key for key in spoken if key not in known and not _is_off(present[key])]
        lacking, defaults = known - present.keys(), [key for key, _ in self.defaults.values()]
        nearest = {key: _near(key, defaults, ALIKE) or _near(key, lacking, A_SLIP) for key in unused}
        return ConfigReading(
            family.name,
            self.defaults,
            tuple(UnreadKey(key, near) for key, near in nearest.items() if near or _last(key) in _structural()),
            repeated,
            tuple(key for key in spoken if key in known) if is_foreign else (),
            tuple(unused) if is_foreign else (),
            is_foreign,
        )

    def _is_there(self, key: str) -> bool:
        section, name = _section(key), _last(key)
        inner = self.values.get(section)
        return name in (inner if isinstance(inner, Mapping) else self.values)


def _read_later(library: Library, tree: Component) -> Iterator[str]:
    """Yield the keys that are read when something is asked that they change: a window, a switch of a class."""
    for key in library.keys.values():
        yield from key.names
    for flag in (*library.flags.values(), *(flag for kind in library.classes.values() for flag in kind.flags.values())):
        if isinstance(flag, Flag):
            yield flag.name
    for choice in library.choices.values():
        yield from choice.names
        yield f"{_section(choice.names[0])}.{choice.switch}".removeprefix(".")
    yield from library.extra
    facts = [part.attending for _, part in components(tree) if part.attending]
    for pattern in (pattern for fact in facts for pattern in (fact.windowed, fact.positioned) if pattern):
        for name in (*pattern.keys, *(pattern.listed or ())[:1]):
            yield from (name, f"text_config.{name}")


def _keys(values: Mapping[str, Any], sections: Collection[str]) -> Iterator[tuple[str, Any]]:
    """Yield the keys of a config with their values, and those of its sections that are read, "text_config.hidden_size"."""
    for name, value in values.items():
        yield name, value
        if name in sections and isinstance(value, Mapping):
            yield from ((f"{name}.{inner}", other) for inner, other in value.items())


def _is_off(value: Any) -> bool:
    """True for a value that asks for nothing: null, false, 0, an empty list."""
    return value is None or (isinstance(value, (bool, int, float, str, list, dict)) and not value)


def _section(key: str) -> str:
    return key.rpartition(".")[0]


def _last(key: str) -> str:
    return key.rpartition(".")[2]


def _near(key: str, others: Iterable[str], cutoff: float) -> str:
    names = sorted({_last(other) for other in others if _section(other) == _section(key)})
    return next(iter(get_close_matches(_last(key)[:60], names, n=1, cutoff=cutoff)), "")


@cache
def _table() -> TomlTable:
    return read(Path(__file__).parents[1] / "library" / "unread.toml")


@cache
def _structural() -> frozenset[str]:
    """The names that a key has which changes the count or the cache of some family."""
    names = {*_table().words("structural")}
    for family in families():
        own = table(family).table("library")
        keys, flags, window = own.table("keys"), own.table("flags"), own.table("choices").table("window")
        names |= {_last(word) for name in keys.values for word in keys.words(name)}
        for name, value in flags.values.items():
            names.add(_last(flags.table(name).word("key") if isinstance(value, Mapping) else flags.word(name)))
        names |= {_last(word) for word in window.words("key")}
    return frozenset(names)

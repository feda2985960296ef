"""Settings: a config.json as it was found, read key by key; and the readers of it, one for each size, feature or choice.

Keys that are absent take the library's documented default; a key that is null means that the value follows from others.
Readers are plain data, so that a config can be written back too; what no table can say is a ``Derived``: a function of
``symparams.models.library.quirks``, with its reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from symparams.errors import ConfigError, quoted, shown
from symparams.expressions.nodes import Dimension

if TYPE_CHECKING:
    from symparams.components.tree import Component
    from symparams.models.library.record import Library

MOST_DIGITS = 40
MOST_LISTED = 10_000
MISSING = object()


@dataclass(frozen=True)
class Settings:
    """A config.json as it was found, read key by key; every reading names the key when it fails."""

    values: Mapping[str, Any]

    def find(self, names: Sequence[str]) -> tuple[str, Any]:
        """The key among the spellings that is there and its value; both spellings may stand there if they agree."""
        found = {name: self.values[name] for name in names if name in self.values}
        if len(found) > 1 and len({(type(_plain(value)), shown(_plain(value))) for value in found.values()}) > 1:
            given = " and ".join(f"{name} = {quoted(value, 30)}" for name, value in found.items())
            raise ConfigError(f"The config contradicts itself: {given} are the same setting; leave one out.")
        return next(iter(found.items()), (names[0], MISSING))

    def has(self, *names: str) -> bool:
        """True if a key is there and not null."""
        return self.find(names)[1] not in (MISSING, None)

    def size(self, *names: str, default: int | None = None, least: int = 1) -> int | None:
        """A whole number of at least ``least``; None where the key is null, or absent without a default."""
        name, value = self.find(names)
        if value is MISSING:
            return default
        if value is None:
            return None
        return read_whole(name, value, least)

    def need(self, *names: str, default: int | None = None, least: int = 1) -> int:
        """A whole number that must be there: null is an error, and so is absence without a default."""
        value = self.size(*names, default=default, least=least)
        if value is None:
            raise ConfigError(f"The config has no value for {names[0]}: give a whole number of at least {least}.")
        return value

    def flag(self, name: str, default: bool = False) -> bool:
        """A switch; null is off."""
        value = self.values.get(name, default)
        if value is None or isinstance(value, bool):
            return bool(value)
        if isinstance(value, (int, float)) and value in (0, 1):
            return bool(value)
        raise ConfigError(f"{name} = {quoted(value, 30)} in the config must be true or false.")

    def word(self, name: str, default: str | None = None) -> str | None:
        """A setting that is a word."""
        value = self.values.get(name, default)
        if value is not None and not isinstance(value, str):
            raise ConfigError(f"{name} = {quoted(value, 30)} in the config must be a word.")
        return value

    def listed(self, name: str) -> list[Any] | None:
        """A list, of a length that is worth reading."""
        value = self.values.get(name)
        if value is None:
            return None
        if not isinstance(value, list) or len(value) > MOST_LISTED:
            raise ConfigError(f"{name} in the config must be a list of at most {MOST_LISTED:,} entries.")
        return value

    def inner(self, name: str) -> Settings:
        """A config within the config, as CLIP has for its text and its images; empty where it is absent.

        The older spelling, text_config_dict, has the say where it is there.
        """
        if self.values.get(f"{name}_dict") is not None:
            name = f"{name}_dict"
        value = self.values.get(name)
        if value is not None and not isinstance(value, Mapping):
            raise ConfigError(f"{name} in the config must be an object with the keys of a config.")
        return Settings(value or {})

    @property
    def labels(self) -> int:
        """The number of labels of a classifier: num_labels, or else the entries of id2label, none too, or the library's two."""
        if "num_labels" in self.values:
            return self.need("num_labels")
        value = self.values.get("id2label")
        if value is None:
            return 2
        try:
            numbers = {int(number) for number in value} if isinstance(value, Mapping) else None
        except (TypeError, ValueError):
            numbers = None
        if numbers is None:
            raise ConfigError(f"id2label = {quoted(value, 30)} in the config must map the number of each label to its name.")
        return len(numbers)


def _plain(value: Any) -> Any:
    """A value as it compares with another spelling's: 768.0 is 768."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def read_whole(name: str, value: Any, least: int = 1) -> int:
    """A whole number as JSON may hold it: 768, or 768.0; ConfigError names the key for anything else."""
    is_whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    if isinstance(value, bool) or not is_whole:
        raise ConfigError(f"{name} = {quoted(value, 30)} in the config must be a whole number.")
    whole = int(value)
    if isinstance(value, float) and abs(value) >= 2**53:
        raise ConfigError(f"{name} = {quoted(value, 30)} in the config is too large for a float: write all of its digits.")
    if whole < least or abs(whole) >= 10**MOST_DIGITS:
        raise ConfigError(
            f"{name} = {quoted(whole, 30)} in the config must be at least {least} and have at most {MOST_DIGITS} digits."
        )
    return whole


def within(settings: Settings, section: str) -> Settings:
    """The config within the config that a key with a dot speaks of; the config itself where there is no section."""
    return settings.inner(section) if section else settings


def put(values: dict[str, Any], names: tuple[str, ...], value: int | bool) -> None:
    """Put a value under the first spelling of its key, in its section, and under no other."""
    section, _, first = names[0].rpartition(".")
    others = {name.rpartition(".")[2] for name in names[1:]}
    if not section:
        values.update({first: value})
        for name in others:
            values.pop(name, None)
        return
    inner = {name: other for name, other in Settings(values).inner(section).values.items() if name not in others}
    values.update({section: {**inner, first: value}})
    values.pop(f"{section}_dict", None)


@dataclass(frozen=True)
class Key:
    """A size that stands under a key, or under another spelling of it, with the library's default for its absence.

    Null, or a default of None, means that a relation of the family gives the value (d_head = h / n_heads). A key with a
    dot, text_config.hidden_size, stands in a config within the config, where null is an error unless it is the default.
    """

    names: tuple[str, ...]
    default: int | None = None
    least: int = 1

    @property
    def section(self) -> str:
        """The config within the config in which the key stands; "" for the config itself."""
        return self.names[0].rpartition(".")[0]

    def read(self, settings: Settings) -> int | None:
        """The size; None where the key is null, or absent without a default."""
        if self.section and self.default is not None:
            return self.need(settings)
        where, names = self._place(settings)
        return where.size(*names, default=self.default, least=self.least)

    def need(self, settings: Settings) -> int:
        """The size; ConfigError where there is none."""
        where, names = self._place(settings)
        return where.need(*names, default=self.default, least=self.least)

    def write(self, values: dict[str, Any], size: int) -> None:
        """Put the size under its first spelling, and under no other."""
        put(values, self.names, size)

    def _place(self, settings: Settings) -> tuple[Settings, tuple[str, ...]]:
        return within(settings, self.section), tuple(name.rpartition(".")[2] for name in self.names)


@dataclass(frozen=True)
class Flag:
    """A feature that a switch turns on, with the library's default for its absence; ``off`` where true means without."""

    name: str
    default: bool
    off: bool = False

    def read(self, settings: Settings) -> bool:
        """True if the model has the feature."""
        section, _, name = self.name.rpartition(".")
        return within(settings, section).flag(name, self.default) is not self.off

    def write(self, values: dict[str, Any], is_there: bool) -> None:
        """Turn the switch so that the model has the feature, or has it not."""
        put(values, (self.name,), is_there is not self.off)


# What puts a model's features and sizes into a config, where no key or flag by itself does.
Writer = Callable[[dict[str, Any], frozenset[str], Mapping[Dimension, int]], None]


@dataclass(frozen=True)
class Derived:
    """What a function reads, since no table can say it; the reason stands in its docstring."""

    function: Callable[[Settings, Library], Any]
    reason: str = ""

    def read(self, settings: Settings, library: Library) -> Any:
        """What the function makes of the config; it finds keys and defaults in the family's table."""
        return self.function(settings, library)


@dataclass(frozen=True)
class FlowSetting:
    """A word or a size that decides no parameter, but how data flows: the activation, the sliding window.

    ``switch`` is a key beside it that must be true for the choice to count, ``derived`` what makes the word of the library
    of what stands under the key. An activation is that of every sublayer, or of those ``within`` these parts, and of the
    layers ``after`` which it stands; that of another layer is the definition's.
    """

    names: tuple[str, ...]
    default: str | int | None
    switch: str = ""
    derived: Derived | None = None
    within: tuple[str, ...] = ("",)
    after: tuple[str, ...] = ()

    def is_of(self, path: str, part: Component) -> bool:
        """True if an activation of this choice stands in, or after, a part of a tree."""
        is_within = any(path == outer or path.startswith(f"{outer}." if outer else "") for outer in self.within)
        return path in self.after or (part.is_sublayer and bool(part.activation) and is_within)

    def read(self, settings: Settings, library: Library) -> str | int | None:
        """What is chosen; None where the model has no such thing, as no window."""
        if self.derived:
            chosen: str | int | None = self.derived.read(settings, library)
            return chosen
        section, _, first = self.names[0].rpartition(".")
        where = within(settings, section)
        if self.switch and not where.flag(self.switch):
            return None
        name, value = where.find((first, *self.names[1:]))
        if value is MISSING:
            return self.default
        if value is not None and (isinstance(value, bool) or not isinstance(value, (str, int))):
            raise ConfigError(f"{name} = {quoted(value, 30)} in the config must be a word or a whole number.")
        return value

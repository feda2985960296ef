"""Settings: a config.json as it was found, read key by key; and the readers of it, one for each size, feature or choice.

Keys that are absent take the library's documented default; a key that is null means that the value follows from others.
Readers are plain data, so that a config can be written back too; what no table can say is a ``Quirk``: a function of
``symparams.models.library.quirks``, whose docstring is its reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from symparams.errors import ConfigError, quoted, shown
from symparams.records import frozen

if TYPE_CHECKING:
    from symparams.components.tree import Component
    from symparams.models.library.record import Library

MOST_DIGITS = 40
MOST_LISTED = 10_000
MISSING = object()
ENTRY = "]"  # ends a key that names an entry of a list


class TracedConfig(dict[str, Any]):
    """A config that takes down which keys are asked for, "text_config.hidden_size" for one of a config within it."""

    def __init__(self, values: Mapping[str, Any], asked: set[str], section: str = "") -> None:
        super().__init__(values)
        self.asked, self.section = asked, section

    def __getitem__(self, name: str) -> Any:
        self.asked.add(path := f"{self.section}{name}")
        value = super().__getitem__(name)
        return TracedConfig(value, self.asked, f"{path}.") if isinstance(value, Mapping) else value

    def __contains__(self, name: object) -> bool:
        self.asked.add(f"{self.section}{name}")
        return super().__contains__(name)

    def get(self, name: str, default: Any = None) -> Any:
        """Return the value of a key, which is then asked for."""
        is_there = name in self
        return self[name] if is_there else default


@frozen
class Settings:
    """A config.json as it was found, read key by key; every reading names the key when it fails.

    A key with a dot, text_config.hidden_size, stands in a config within the config, and depths[0] in a list.
    """

    values: Mapping[str, Any]

    def place(self, names: Sequence[str]) -> tuple[Settings, list[str]]:
        """Return the config in which keys stand, and their names there."""
        if names[0].endswith(ENTRY):
            name, _ = entry_of(names[0])
            return Settings({f"{name}[{place}]": entry for place, entry in enumerate(self.listed(name) or ())}), [*names]
        section = names[0].rpartition(".")[0]
        return self.inner(section) if section else self, [name.rpartition(".")[2] for name in names]

    def find(self, names: Sequence[str]) -> tuple[str, Any]:
        """Return the key among the spellings that is there and its value; all may be there if they agree."""
        where, names = self.place(names)
        present = {name: where.values[name] for name in names if name in where.values}
        if len(present) > 1 and len({(type(_plain(value)), shown(_plain(value))) for value in present.values()}) > 1:
            given = " and ".join(f"{name} = {quoted(value, 30)}" for name, value in present.items())
            raise ConfigError(f"The config contradicts itself: {given} are the same setting. Leave one out.")
        return next(iter(present.items()), (names[0], MISSING))

    def has(self, *names: str) -> bool:
        """True if a key is there and not null."""
        return self.find(names)[1] not in (MISSING, None)

    def size(self, *names: str, default: int | None = None, least: int = 1) -> int | None:
        """Return a whole number of at least ``least``; None where the key is null, or absent without a default."""
        name, value = self.find(names)
        if value is MISSING:
            return default
        return None if value is None else read_whole(name, value, least)

    def need(self, *names: str, default: int | None = None, least: int = 1) -> int:
        """Return a whole number that must be there: null is an error, and so is absence without a default."""
        value = self.size(*names, default=default, least=least)
        if value is None:
            name = names[0].rpartition(".")[2]
            raise ConfigError(f"The config has no value for {name}: give a whole number of at least {least}.")
        return value

    def flag(self, name: str, default: bool = False) -> bool:
        """Return the value of a switch; null is off."""
        name, value = self.find((name,))
        if value is MISSING or value is None:
            return default and value is MISSING
        if isinstance(value, (bool, int, float)) and value in (0, 1):
            return bool(value)
        raise ConfigError(f"{name} = {quoted(value, 30)} in the config must be true or false.")

    def word(self, name: str, default: str | None = None) -> str | None:
        """Return a setting that is a word."""
        value = self.values.get(name, default)
        if value is not None and not isinstance(value, str):
            raise ConfigError(f"{name} = {quoted(value, 30)} in the config must be a word.")
        return value

    def number(self, name: str, default: float) -> float:
        """Return a number, whole or not."""
        value = self.values.get(name, default)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise ConfigError(f"{name} = {quoted(value, 30)} in the config must be a number.")
        return value

    def listed(self, name: str) -> list[Any] | None:
        """Return a list of at most ``MOST_LISTED`` entries; None where there is none."""
        value = self.values.get(name)
        if value is None:
            return None
        if not isinstance(value, list) or len(value) > MOST_LISTED:
            raise ConfigError(f"{name} in the config must be a list of at most {MOST_LISTED:,} entries.")
        return value

    def indices(self, name: str) -> set[int] | None:
        """Return the whole numbers that a list names, as of layers, those of no layer too; None where there is none."""
        listed = self.listed(name)
        return None if listed is None else {read_whole(name, index, least=1 - 10**MOST_DIGITS) for index in listed}

    def inner(self, name: str) -> Settings:
        """Return a config within the config, as CLIP has for its text and its images; an empty one where it is absent.

        The older spelling, text_config_dict, has the say where it is there.
        """
        if self.values.get(f"{name}_dict") is not None:
            name = f"{name}_dict"
        value = self.values.get(name)
        if value is not None and not isinstance(value, Mapping):
            raise ConfigError(f"{name} in the config must be an object with the keys of a config.")
        return Settings(value or {})

    @property
    def class_name(self) -> str:
        """The class that the config names first; "" where it names none."""
        first = next(iter(self.listed("architectures") or ()), "")
        return first if isinstance(first, str) else ""

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
    """Return a value as it compares with that of another spelling: 768.0 is 768."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def read_whole(name: str, value: Any, least: int = 1) -> int:
    """Return a whole number as JSON may hold it, 768 or 768.0; ConfigError names the key for anything else."""
    is_whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    if isinstance(value, bool) or not is_whole:
        raise ConfigError(f"{name} = {quoted(value, 30)} in the config must be a whole number.")
    whole = int(value)
    if isinstance(value, float) and abs(value) >= 2**53:
        raise ConfigError(f"{name} = {quoted(value, 30)} in the config is too large for a float: write all its digits.")
    if whole < least or abs(whole) >= 10**MOST_DIGITS:
        raise ConfigError(
            f"{name} = {quoted(whole, 30)} in the config must be at least {least} and have at most {MOST_DIGITS} digits."
        )
    return whole


def entry_of(key: str) -> tuple[str, int]:
    """Return the name of a list and the place of an entry in it: depths and 0 of depths[0]."""
    name, _, place = key.removesuffix(ENTRY).partition("[")
    return name, int(place)


def put(values: dict[str, Any], names: tuple[str, ...], value: Any) -> None:
    """Put a value under the first spelling of its key, in its section, and under no other."""
    if names[0].endswith(ENTRY):
        name, place = entry_of(names[0])
        entries = [*values.get(name, ())]
        values[name] = [*entries[:place], *[None] * (place - len(entries)), value, *entries[place + 1 :]]
        return
    section = names[0].rpartition(".")[0]
    where, (first, *others) = Settings(values).place(names)
    settings = values if not section else dict(where.values)
    for name in others:
        settings.pop(name, None)
    settings[first] = value
    if section:
        values[section] = settings
        values.pop(f"{section}_dict", None)


@frozen
class Key:
    """A size that stands under a key, or under another spelling of it, with the library's default for its absence.

    Null, or a default of None, means that a relation of the family gives the value (d_head = h / n_heads). In a config
    within the config null is an error unless it is the default.
    """

    names: tuple[str, ...]
    default: int | None = None
    least: int = 1

    @property
    def section(self) -> str:
        """The config within the config in which the key stands; "" for the config itself."""
        return self.names[0].rpartition(".")[0]

    def read(self, settings: Settings) -> int | None:
        """Return the size; None where the key is null, or absent without a default."""
        read = settings.need if self.section and self.default is not None else settings.size
        return read(*self.names, default=self.default, least=self.least)

    def need(self, settings: Settings) -> int:
        """Return the size; ConfigError where there is none."""
        return settings.need(*self.names, default=self.default, least=self.least)

    def write(self, values: dict[str, Any], size: int) -> None:
        """Put the size under its first spelling, and under no other."""
        put(values, self.names, size)


@frozen
class Flag:
    """A feature that a switch turns on, with the library's default for its absence; ``off`` where true means without."""

    name: str
    default: bool
    off: bool = False

    def read(self, settings: Settings) -> bool:
        """True if the model has the feature."""
        return settings.flag(self.name, self.default) is not self.off

    def write(self, values: dict[str, Any], is_there: bool) -> None:
        """Turn the switch so that the model has the feature, or has it not."""
        put(values, (self.name,), is_there is not self.off)


# A function that reads from a config, with keys and defaults of the family's table, what no table can say.
Quirk = Callable[[Settings, "Library"], Any]
# A function that puts a model's features and sizes, by their names, into a config, where no key or flag by itself does.
Writer = Callable[[dict[str, Any], frozenset[str], Mapping[str, int], "Library"], None]


@frozen
class FlowSetting:
    """A word or a size that decides no parameter, but how data flows: the activation, the sliding window.

    ``switch`` is a key beside it that must be true for the choice to count; ``derived`` reads the word in place of the key.
    An activation is that of every sublayer, or of those ``within`` these parts, and of the layers ``after`` which it stands;
    that of another layer is the definition's. A choice that ``is_size`` is a whole number, as its default is, or null; one that
    ``is_number`` is any number, as it is written, or null.
    """

    names: tuple[str, ...]
    default: str | int | None
    switch: str = ""
    derived: Quirk | None = None
    within: tuple[str, ...] = ("",)
    after: tuple[str, ...] = ()
    is_size: bool = False
    is_number: bool = False

    def is_of(self, path: str, part: Component) -> bool:
        """True if an activation of this choice stands in, or after, a part of a tree."""
        is_within = any(path == outer or path.startswith(f"{outer}." if outer else "") for outer in self.within)
        return path in self.after or (part.is_sublayer and bool(part.activation) and is_within)

    def read(self, settings: Settings, library: Library) -> str | int | None:
        """Return what is chosen; None where the model has no such thing, as no window."""
        if self.derived:
            chosen: str | int | None = self.derived(settings, library)
            return chosen
        where, names = settings.place(self.names)
        if self.switch and not where.flag(self.switch):
            return None
        name, value = where.find(names)
        if value is MISSING:
            return self.default
        if self.is_size and value is not None:
            return read_whole(name, value, least=0)
        if self.is_number and value is not None:
            return str(where.number(name, 0))
        if value is not None and (isinstance(value, bool) or not isinstance(value, (str, int))):
            raise ConfigError(f"{name} = {quoted(value, 30)} in the config must be a word or a whole number.")
        return value

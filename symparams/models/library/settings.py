"""Settings: a config.json as it was found, read key by key.

Keys that are absent take the library's documented default; a key that is null means that the value follows from others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from symparams.errors import ConfigError, quoted, shown

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
        """Whether a key is there and not null."""
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

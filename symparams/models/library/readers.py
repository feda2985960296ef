"""Readers: how a size, a feature or a choice is read from a config. Plain data, so that a config can be written back too.

What no table can say is a ``Derived``: a function of ``symparams.models.library.quirks``, with its reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from symparams.errors import ConfigError, quoted
from symparams.expressions.nodes import Dimension
from symparams.models.library.settings import MISSING, Settings

if TYPE_CHECKING:
    from symparams.components.tree import Component
    from symparams.models.library.record import Library


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
        """Whether the model has the feature."""
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
        """Whether an activation of this choice stands in, or after, a part of a tree."""
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

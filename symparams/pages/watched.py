"""Watched settings: what the terms of a quantity read of one; settings that differ in nothing else have the same terms."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from symparams.quantities.setting import Setting

OF_MODEL = frozenset({"choices", "modules", "model", "family", "config", "implementation"})  # alike in all settings of a tree
FIELDS = frozenset(field.name for field in fields(Setting)) - OF_MODEL


class WatchedSetting(Setting):
    """A setting that remembers which of its fields were read."""

    @classmethod
    def of(cls, setting: Setting) -> WatchedSetting:
        """The same setting, of which nothing was read."""
        watched = cls.__new__(cls)
        vars(watched).update(vars(setting), read=set())
        return watched

    def __getattribute__(self, name: str) -> Any:
        own = super().__getattribute__("__dict__")
        if name in FIELDS and "read" in own:  # which a copy has not, that was made by reading all fields
            own["read"].add(name)
        return super().__getattribute__(name)


def values_of(setting: Setting, names: Iterable[str]) -> tuple[Any, ...]:
    """The values of these fields."""
    return tuple([getattr(setting, name) for name in names])

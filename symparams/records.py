"""Records: frozen dataclasses that are quick to import, since the methods that all of them have are written once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

Kind = TypeVar("Kind")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(kind: type[Kind]) -> type[Kind]:
    """A frozen dataclass, compared, hashed and printed by its fields, unless it or a base says otherwise.

    ``dataclass`` writes and compiles these methods for each class, which was a tenth of the time of a command.
    """
    for name, method in SHARED.items():
        if getattr(kind, name) in (getattr(object, name), None):
            setattr(kind, name, method)
    return dataclass(frozen=True, eq=False, repr=False)(kind)


def _values(own: Any) -> Any:
    """The values of the fields that are compared."""
    kind = type(own)
    read: Callable[[Any], Any] | None = vars(kind).get("_compared")
    if read is None:
        read = kind._compared = attrgetter(*[each.name for each in fields(kind) if each.compare] or ["__class__"])
    return read(own)


def _equal(own: Any, other: object) -> Any:
    if own is other:
        return True
    return _values(own) == _values(other) if type(own) is type(other) else NotImplemented


def _hash(own: Any) -> int:
    return hash(_values(own))


def _shown(own: Any) -> str:
    shown = ", ".join(f"{each.name}={getattr(own, each.name)!r}" for each in fields(own) if each.repr)
    return f"{type(own).__qualname__}({shown})"


SHARED = {"__eq__": _equal, "__hash__": _hash, "__repr__": _shown}

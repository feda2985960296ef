"""A class that the type of a config does not have: the section of the config that has its type, and whose class it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from symparams.architectures import architecture
from symparams.models.library import Settings, families, is_family, library
from symparams.models.library.legacy import class_of, type_of


def in_its_section(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the section of a config that has the type of the class that it names; the config itself where none has.

    The library builds a class of such a section, and reads nothing beside it, where the config is of another type.
    """
    names = values.get("architectures")
    if not isinstance(names, list) or not names or not isinstance(names[0], str):
        return values
    for part in (values, *(section for section in values.values() if isinstance(section, Mapping))):
        if isinstance(part.get("model_type"), str) and _has(part, names[0]):
            return values if part is values else {**part, "architectures": names[:1]}
    return values


def owner(name: str) -> str:
    """Return the first family that has a class; "" where none has."""
    return next((family for family in families() if _is_of(family, name)), "")


def _has(config: Mapping[str, Any], name: str) -> bool:
    """True if the type of a config has a class, by hand or as it was discovered."""
    family = type_of(Settings(config))
    if is_family(family):
        return _is_of(family, name)
    from symparams.atlas import entries

    return name in entries(config["model_type"])


def _is_of(family: str, name: str) -> bool:
    of = architecture(family)
    known = library(of)
    return known is not None and bool(class_of(name, of, known))

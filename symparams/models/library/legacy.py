"""Old files: a family by another name, by its class or by its keys, and classes by other prefixes; the table legacy.toml."""

from __future__ import annotations

from pathlib import Path

from symparams.architectures import Architecture, architecture
from symparams.architectures._tables import TomlTable, read
from symparams.errors import ConfigError, quoted, suggestion
from symparams.models.library.record import Library
from symparams.models.library.settings import Settings
from symparams.models.library.tables import families, library

OPTION = "--architecture NAME, in Python architecture=NAME"


def table() -> TomlTable:
    """Return the table of old files."""
    return read(Path(__file__).parent / "legacy.toml")


def identify(settings: Settings, chosen: str = "") -> tuple[Architecture, Settings]:
    """The family of a config, and the config as it would be written now.

    The family is the one that is chosen, or what model_type names, or the one that has the class, or the one that has the
    keys. ConfigError where there is none.
    """
    model_type = settings.word("model_type")
    if chosen:
        if (name := chosen.casefold().replace("-", "_")) not in families():
            raise ConfigError(f"--architecture {quoted(chosen)} has no config of the library. {suggestion(chosen, families())}")
        return architecture(name), settings
    if model_type is None:
        return architecture(_by_class(settings) or _by_keys(settings)), settings
    types = table().table("types")
    if model_type in types.values:
        row = types.table(model_type)
        return architecture(row.word("architecture")), _renamed(settings, row, model_type)
    name = model_type.replace("-", "_")
    if name not in families():
        raise ConfigError(
            f"symparams does not know the family {quoted(model_type)}. {suggestion(model_type, families())} To count it as a"
            f" similar family, add {OPTION}."
        )
    return architecture(name), settings


def type_of(settings: Settings) -> str:
    """Return the family that model_type names, by its own name or by another; "" where there is no model_type."""
    model_type = settings.word("model_type") or ""
    row = table().table("types").table(model_type)
    return row.word("architecture") or model_type.replace("-", "_")


def class_of(name: object, family: Architecture, library: Library) -> str:
    """The class of a family that a config names, by its own prefix or by another; "" where the family has none such."""
    if not isinstance(name, str) or name in library.classes:
        return str(name) if isinstance(name, str) else ""
    for old, new in table().table("prefixes").table(family.name).values.items():
        renamed = f"{new}{name.removeprefix(old)}"
        if name.startswith(old) and renamed in library.classes:
            return renamed
    return ""


def _by_class(settings: Settings) -> str:
    """The family whose class a config names first; "" where it names none that is known."""
    for name in (settings.listed("architectures") or [])[:1]:
        for family in families():
            known = library(architecture(family))
            if known and class_of(name, architecture(family), known):
                return family
    return ""


def _by_keys(settings: Settings) -> str:
    keys = table().table("keys")
    for family in keys.values:
        row = keys.table(family)
        if all(settings.has(key) for key in row.words("has")) and not any(key in settings.values for key in row.words("lacks")):
            return family
    raise ConfigError(
        'The config has no model_type, which names its architecture: add it, as in "model_type": "bert", or give '
        + OPTION
        + "."
    )


def _renamed(settings: Settings, row: TomlTable, model_type: str) -> Settings:
    """The config with the keys that it would have now, and with what its model_type stands for."""
    for key in row.words("needs"):
        if not settings.has(key):
            raise ConfigError(f"The config has no value for {key}, which {model_type} needs: releases differ in its default.")
    keys = row.table("keys").values
    renamed = {keys.get(key, key): value for key, value in settings.values.items()}
    return Settings({**row.table("means").values, **renamed})

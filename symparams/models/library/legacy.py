"""Old files: a family by another name, by its class or by its keys, and classes by other prefixes; the table legacy.toml."""

from __future__ import annotations

from pathlib import Path

from symparams.architectures import Architecture, architecture
from symparams.architectures._tables import TomlTable, read
from symparams.errors import ConfigError, quoted, suggestion
from symparams.models.library.record import Library
from symparams.models.library.settings import Settings
from symparams.models.library.tables import families, is_family
from symparams.models.library.tables import library as table_of


class UnknownFamilyError(ConfigError):
    """A config of a family that no table knows, or that does not say which it is of: what it lacks, and what would help."""

    def __init__(self, lack: str, advice: str = "") -> None:
        self.lack = lack
        super().__init__(f"{lack}{advice}.")


def table() -> TomlTable:
    """Return the table of old files."""
    return read(Path(__file__).parent / "legacy.toml")


def identify(settings: Settings, chosen: str = "") -> tuple[Architecture, Settings]:
    """The family of a config, and the config as it would be written now.

    The family is the one that is chosen, or what model_type names, or the one that has the class, or the one that has the
    keys. UnknownFamilyError where there is none.
    """
    model_type = settings.word("model_type")
    if chosen:
        if not is_family(name := chosen.casefold().replace("-", "_")):
            raise ConfigError(
                f"--architecture {quoted(chosen)} has no config in transformers. {suggestion(chosen, families())}"
            )
        return architecture(name), settings
    if model_type is None:
        return architecture(_by_class(settings) or _by_keys(settings)), settings
    types = table().table("types")
    if model_type in types.values:
        row = types.table(model_type)
        return architecture(row.word("architecture")), _renamed(settings, row, model_type)
    name = _as_written(settings, model_type.replace("-", "_"))
    if not is_family(name):
        raise UnknownFamilyError(f"symparams does not know the family {quoted(model_type)}")
    return architecture(name), settings


def class_alike(name: str, library: Library) -> str:
    """Return the class of a family with the same head as another family's class has by its name: BaichuanForCausalLM has
    that of LlamaForCausalLM. "" if its name tells no head, or the family has none such.
    """
    heads: dict[str, list[set[str]]] = {}
    for family in families():
        known = table_of(architecture(family))
        assert known is not None
        for class_name, kind in known.classes.items():
            heads.setdefault(known.suffix(class_name), []).append({feature.name for feature in kind.features})
    own = {library.suffix(class_name): class_name for class_name in library.classes}
    for suffix in sorted((suffix for suffix in heads if suffix and name.endswith(suffix)), key=len, reverse=True):
        if suffix in own:
            return own[suffix]
        for class_name, kind in library.classes.items():
            if {feature.name for feature in kind.features} in heads[suffix]:
                return class_name
    return ""


def type_of(settings: Settings) -> str:
    """Return the family that model_type names, by its own name or by another; "" where there is no model_type."""
    model_type = settings.word("model_type") or ""
    row = table().table("types").table(model_type)
    return row.word("architecture") or _as_written(settings, model_type.replace("-", "_"))


def _as_written(settings: Settings, family: str) -> str:
    """The family as its authors ship it, where its config has their keys and the library's has the same model_type."""
    row = table().table("authors").table(family)
    return row.word("architecture") if row.values and all(map(settings.has, row.words("has"))) else family


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
            known = table_of(architecture(family))
            if known and class_of(name, architecture(family), known):
                return _as_written(settings, family)
    return ""


def _by_keys(settings: Settings) -> str:
    keys = table().table("keys")
    for family in keys.values:
        row = keys.table(family)
        if all(settings.has(key) for key in row.words("has")) and not any(key in settings.values for key in row.words("lacks")):
            return family
    raise UnknownFamilyError(
        "The config has no model_type, which names its architecture",
        ': add it, as in "model_type": "bert", or name the family, as in --architecture bert',
    )


def _renamed(settings: Settings, row: TomlTable, model_type: str) -> Settings:
    """The config with the keys that it would have now, and with what its model_type stands for."""
    for key in row.words("needs"):
        if not settings.has(key):
            raise ConfigError(
                f"The config has no value for {key}, which {model_type} needs: releases differ in its default, so add it."
            )
    keys = row.table("keys").values
    renamed = {keys.get(key, key): value for key, value in settings.values.items()}
    return Settings({**row.table("means").values, **renamed})

"""The architectures: one file each in this folder, which is the registry.

``bert.py`` defines the ``Architecture`` named "bert"; ``bert.toml`` beside it lists its published models and its names in
transformers. Only the files that are needed are read: a published model is found by the heading of its section, or by its
quoted name in the text of its family's file.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import import_module

from symparams.architectures._definition import Architecture, Certificate, Published
from symparams.architectures._tables import FOLDER, model_names, published
from symparams.errors import UnknownNameError, quoted, suggestion

__all__ = ["Architecture", "Certificate", "Published", "architecture", "architecture_names", "find", "published_names"]


@cache
def architecture_names() -> tuple[str, ...]:
    """Return the names of all architectures in alphabetical order."""
    return tuple(sorted(file.stem for file in FOLDER.glob("*.py") if not file.stem.startswith("_")))


@cache
def published_names() -> tuple[str, ...]:
    """Return the names of all published models, family by family."""
    return tuple(model for name in architecture_names() for model in _models(name))


@cache
def architecture(name: str, *of: str) -> Architecture:
    """The architecture of this name, or the composite of this name of other families than usual.

    UnknownNameError suggests the nearest; DefinitionError where a composite cannot have such a part.
    """
    module_name = name.replace("-", "_")
    if module_name not in architecture_names():
        raise UnknownNameError(f"Unknown architecture {quoted(name)}. {suggestion(name, architecture_names())}")
    if module_name != name:
        return architecture(module_name, *of)
    module = import_module(f"{__name__}.{name}")
    if of:
        composed: Architecture = module.composed(*map(architecture, of))
        return composed.changed(models=architecture(name).models)
    family = next(item for item in vars(module).values() if isinstance(item, Architecture) and item.name == name)
    return family.changed(models={**family.models, **published(name)})


def find(name: str, others: Iterable[str] = ()) -> tuple[Architecture, Published | None]:
    """The architecture of this name, or the published model of this name and its family.

    Where a family and its first model share a name, as GPT-2's do, the name means the model. An UnknownNameError suggests
    the nearest, of the ``others`` too.
    """
    if name.replace("-", "_") in architecture_names():
        family = architecture(name)
        return family, family.models.get(name)
    for candidate in architecture_names():
        if name in model_names(candidate) or (f'"{name}"' in _text(candidate) and name in architecture(candidate).models):
            return architecture(candidate), architecture(candidate).models[name]
    known = [*architecture_names(), *published_names()]
    near = suggestion(name, known, others, listing="symparams list")
    raise UnknownNameError(f"Unknown architecture or model {quoted(name)}. {near}")


def _models(family: str) -> tuple[str, ...]:
    """The published models of a family, which is imported only where its own file speaks of models."""
    return tuple(architecture(family).models) if "models=" in _text(family) else model_names(family)


@cache
def _text(family: str) -> str:
    return (FOLDER / f"{family}.py").read_text(encoding="utf-8")

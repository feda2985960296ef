"""A discovered type by its name, as a model without values: the class that people mean by it."""

from __future__ import annotations

from symparams.architectures import Architecture
from symparams.atlas import BASE, LANGUAGE_MODELS, class_with, entries, heads_of, kind_of
from symparams.atlas.architectures import architecture
from symparams.expressions.nodes import Dimension
from symparams.models.model import Model
from symparams.models.sources import member


def of_kind(kind: str) -> Model:
    """Return the language model of a type, or else its base model, or the first of its classes."""
    found = entries(kind)
    name = class_with(heads_of(kind), (*LANGUAGE_MODELS, BASE)) or next(iter(found))
    return member(kind, architecture(found[name]), None)


def keys_of(family: Architecture) -> dict[str, Dimension]:
    """Return the dimensions of a class by the keys of its configs; none of a definition that is not one of the atlas."""
    found = entries(kind_of(family.name) or "").get(family.title)
    if found is None:
        return {}
    sizes = {letter.source.key: Dimension(name) for name, letter in found.letters.items() if letter.source.of == ""}
    return sizes | {alias: sizes[key] for alias, key in found.aliases.items() if key in sizes}


def sources_of(family: Architecture) -> dict[Dimension, str]:
    """Return the key from which each dimension of a class is read, a list's own for what is counted in it."""
    found = entries(kind_of(family.name) or "").get(family.title)
    return {} if found is None else {Dimension(name): letter.source.key for name, letter in found.letters.items()}

"""Mistyped keys: what a model would be if the keys of its config were read that are near one that is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from symparams.answers.terms import ConventionTerm
from symparams.derivations.steps import Note, step
from symparams.errors import SymparamsError, printable
from symparams.expressions.nodes import Number
from symparams.models.load import complete
from symparams.models.model import Model


def corrected(model: Model) -> tuple[Model, ConventionTerm] | None:
    """Return the model with its mistyped keys read as those that they are near, and that difference as a term.

    None if its config has no such key, if what the key is near stands there too, or if the corrected config cannot be read.
    """
    keys = [key for key in model.reading.unread if key.near] if model.reading else []
    if not keys or not model.origin.config or model.own_relations:
        return None
    from symparams.models.sources.config import interpret

    values: Mapping[str, Any] = model.origin.config
    for key in keys:
        *section, name = key.name.split(".")
        values = _renamed(values, section, name, key.near)
    sizes = model.origin.sizes or {}
    chosen = {d.name: model.values[d] for d in model.given if sizes.get(d) != model.values.get(d)}
    try:
        start = interpret(model.origin.name, values, model.origin.architecture)
        other = complete(start, chosen, model.present - start.present, start.present - model.present)
        difference = other.count() - model.count()
    except SymparamsError:
        return None
    if not difference:
        return None
    words = {
        "written": ", ".join(printable(key.name) for key in keys),
        "meant": ", ".join(key.name.removesuffix(key.name.rpartition(".")[2]) + key.near for key in keys),
    }
    written = step(model, "", "difference", Number(difference))
    return other, ConventionTerm(Note(("explain.mistyped",)), written, words=words)


def _renamed(values: Mapping[str, Any], section: list[str], name: str, near: str) -> dict[str, Any]:
    """Return a config in which a key, of this section, has another name; what has that name already stays."""
    if section:
        inner = values.get(section[0])
        return {**values, section[0]: _renamed(inner, section[1:], name, near)} if isinstance(inner, Mapping) else dict(values)
    return {near if key == name and near not in values else key: value for key, value in values.items()}

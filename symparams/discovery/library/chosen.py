"""The class of the library that a name or a config means, and its discovery."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from symparams.atlas import BASE, CAUSAL, LANGUAGE_MODELS, class_with, kind_of
from symparams.atlas.facts import TYPE
from symparams.atlas.record import Entry
from symparams.discovery.library.flows import flow
from symparams.discovery.library.making import make
from symparams.discovery.library.subjects import Report, Subject, classes, silent, subjects
from symparams.discovery.library.survey import survey
from symparams.errors import ConfigError, DiscoveryError, quoted, suggestion
from symparams.records import frozen

SECONDS = 300.0


@frozen
class Chosen:
    """A class of a type, and the names of the others of that type."""

    kind: str
    subject: Subject
    others: tuple[str, ...]


def chosen(name: str) -> Chosen:
    """Return the class of this name, or of a type the language model, or else the base model; DiscoveryError for no name."""
    known = classes()
    kind = kind_of(name, known)
    if kind is not None:
        return _of_type(kind, class_with(known[kind], (*LANGUAGE_MODELS, BASE)) or next(iter(known[kind])))
    kinds = [kind for kind, names in known.items() if name in names]
    if not kinds:
        of_classes = dict.fromkeys(own for names in known.values() for own in names)
        near = suggestion(name, known if name.islower() else of_classes)
        raise DiscoveryError(f"transformers has no type and no class {quoted(name)}. {near}")
    return _of_type(kinds[0], name)


def of_config(config: Mapping[str, Any]) -> Chosen:
    """Return the class that a config names, or the base model of its type; ConfigError where the library has none."""
    known, name = classes(), config.get(TYPE)
    kind = kind_of(name, known) if isinstance(name, str) else None
    if kind is None:
        lack = "has no model_type" if name is None else f"names the type {quoted(name)}, which transformers does not have"
        near = suggestion(name, known) if isinstance(name, str) else "Name its type or its class instead."
        raise ConfigError(f"The config {lack}. {near}")
    named = config.get("architectures") or []
    own = str(named[0]) if isinstance(named, list) and named else class_with(known[kind], (BASE,))
    if own not in known[kind]:
        lack = f"Unknown class {quoted(own)} under architectures in the config." if own else "The config names no class."
        raise ConfigError(f"{lack} {suggestion(own, known[kind])}")
    return _of_type(kind, own)


def of_entry(entry: Entry) -> Subject:
    """Return the class of an entry, with what was set in all of its configs."""
    subject = _of_type(entry.kind, entry.name).subject
    subject.base = dict(entry.base)
    return subject


def discovered(of: Chosen, *, rows: int, seed: int, seconds: float = SECONDS, report: Report = silent) -> Entry:
    """Return the entry of a class, with its flow where that can be measured; ``report`` is told how far it is.

    DiscoveryError says what could not be found.
    """
    of.subject.tell = report
    found = survey(of.subject)
    if found is None:
        raise DiscoveryError(f"{of.subject.name}: the library does not build its default config: {of.subject.problem}")
    entry = make(found, of.kind, rows=rows, seed=seed, seconds=seconds)
    if CAUSAL not in entry.heads:
        return entry
    try:
        return replace(entry, flow=flow(entry, of.subject))
    except DiscoveryError:
        return entry


def _of_type(kind: str, name: str) -> Chosen:
    found = subjects(kind)
    subject = next((one for one in found if one.name == name), None)
    if subject is None:
        raise DiscoveryError(f"transformers does not import {name} here: it may need another package.")
    return Chosen(kind, subject, tuple(one.name for one in found if one is not subject))

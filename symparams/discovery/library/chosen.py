"""The class of the library that a name or a config means, and its discovery."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from symparams.atlas.facts import TYPE
from symparams.atlas.record import Entry
from symparams.discovery.library.making import make
from symparams.discovery.library.subjects import Row, Subject, classes, subjects
from symparams.discovery.library.survey import survey
from symparams.errors import ConfigError, DiscoveryError, quoted, suggestion

LANGUAGE_MODELS = ("CAUSAL_LM", "SEQ_TO_SEQ_CAUSAL_LM", "MASKED_LM")  # heads, the first that a type has
BASE = "BASE"
SECONDS = 300.0
Report = Callable[[str], None]


def _silent(_: str) -> None:
    """Tell nobody."""


@dataclass
class Watched(Subject):
    """A class that tells how many models of it were built."""

    tell: Report = _silent

    def build(self, given: Mapping[str, Any]) -> Row | None:
        """The model of a config with these keys."""
        self.tell(f"{self.builds} models built")
        return super().build(given)


@dataclass(frozen=True)
class Chosen:
    """A class of a type, and the names of the others of that type."""

    kind: str
    subject: Subject
    others: tuple[str, ...]


def chosen(name: str) -> Chosen:
    """Return the class of this name, or of a type the language model, or else the base model; DiscoveryError for no name."""
    known = classes()
    kind = _kind(name, known)
    if kind is not None:
        return _of_type(kind, _usual(known[kind], (*LANGUAGE_MODELS, BASE)))
    kinds = [kind for kind, heads in known.items() if any(own == name for _, own in heads)]
    if not kinds:
        of_classes = dict.fromkeys(own for heads in known.values() for _, own in heads)
        near = suggestion(name, known if name.islower() else of_classes)
        raise DiscoveryError(f"transformers has no type and no class {quoted(name)}. {near}")
    return _of_type(kinds[0], name)


def of_config(config: Mapping[str, Any]) -> Chosen:
    """Return the class that a config names, or the base model of its type; ConfigError where the library has none."""
    known, name = classes(), config.get(TYPE)
    kind = _kind(name, known) if isinstance(name, str) else None
    if kind is None:
        lack = "has no model_type" if name is None else f"names the type {quoted(name)}, which transformers does not have"
        near = suggestion(name, known) if isinstance(name, str) else "Name its type or its class instead."
        raise ConfigError(f"The config {lack}. {near}")
    named = config.get("architectures") or []
    own = named[0] if isinstance(named, list) and named else _usual(known[kind], (BASE,))
    if not any(own == other for _, other in known[kind]):
        listed = suggestion(str(own), (other for _, other in known[kind]))
        raise ConfigError(f"Unknown class {quoted(own)} under architectures in the config. {listed}")
    return _of_type(kind, own)


def of_entry(entry: Entry) -> Subject:
    """Return the class of an entry, with what was set in all of its configs."""
    subject = _of_type(entry.kind, entry.name).subject
    subject.base = dict(entry.base)
    return subject


def discovered(of: Chosen, *, rows: int, seed: int, seconds: float = SECONDS, report: Report = _silent) -> Entry:
    """Return the entry of a class, while ``report`` is told how far it is; DiscoveryError says what could not be found."""
    own = {each.name: getattr(of.subject, each.name) for each in fields(Subject)}
    watched = Watched(**own, tell=report)
    found = survey(watched)
    if found is None:
        raise DiscoveryError(f"{watched.name}: the library does not build its default config: {watched.problem}")
    return make(found, of.kind, rows=rows, seed=seed, seconds=seconds)


def _kind(name: str, known: Mapping[str, Any]) -> str | None:
    """A type as the library spells it, which has - in some names and _ in others."""
    folded = name.casefold().replace("-", "_")
    return name if name in known else next((kind for kind in known if kind.casefold().replace("-", "_") == folded), None)


def _usual(heads: list[tuple[str, str]], wanted: tuple[str, ...]) -> str:
    """The class of the first of these heads that a type has, or its first class."""
    by_head = dict(reversed(heads))
    return next((by_head[head] for head in wanted if head in by_head), heads[0][1])


def _of_type(kind: str, name: str) -> Chosen:
    found = subjects(kind)
    subject = next((one for one in found if one.name == name), None)
    if subject is None:
        raise DiscoveryError(f"transformers does not import {name} here: it may need another package.")
    return Chosen(kind, subject, tuple(one.name for one in found if one is not subject))

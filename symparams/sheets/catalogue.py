"""The catalogues: every sentence and every name that a sheet says, one file a language in templates/languages."""

from __future__ import annotations

import string
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from symparams.errors import OptionError, quoted, suggestion


@cache
def templates() -> Path:
    """The folder of templates: inside an installed package, beside it in a checkout."""
    package = Path(__file__).parents[1]
    return next(folder for folder in (package / "templates", package.parent / "templates") if folder.is_dir())


def languages() -> list[str]:
    """The languages that there are, by their codes."""
    return sorted(file.stem for file in (templates() / "languages").glob("*.toml"))


@cache
def catalogue(language: str) -> Catalogue:
    """The catalogue of a language; OptionError lists the languages that there are."""
    if language not in languages():
        raise OptionError(f"Unknown language {quoted(language)}. {suggestion(language, languages())}")
    text = (templates() / "languages" / f"{language}.toml").read_text(encoding="utf-8")
    return Catalogue(tomllib.loads(text))


class Catalogue:
    """Sentences and names by key: "notes.attention.biased"."""

    def __init__(self, tables: Mapping[str, Any]) -> None:
        self.entries: Mapping[str, Any] = dict(_flatten(tables))

    @property
    def joint(self) -> str:
        """What stands between two sentences of a paragraph."""
        return str(self.entries["joint"])

    @property
    def rounding(self) -> list[Mapping[str, Any]]:
        """The language's words for large powers of ten, the largest first."""
        return list(self.entries["rounding.words"])

    def name(self, key: str) -> str:
        """What a step or component is called; a name that no language knows is itself, with spaces.

        "within:feed_forward/up" is the pattern ``within`` of [patterns] with the names of both; "part:tying" is what a
        feature is called where it is added or left out.
        """
        pattern, colon, inner = key.partition(":")
        if not colon:
            return str(self.entries.get(f"names.{key}", key.replace("_", " ")))
        if pattern == "part":
            part = f"parts.{inner}"
            return str(self.entries[part]) if part in self.entries else self.name(inner)
        outer, slash, inside = inner.partition("/")
        names = (
            {"outer": self.name(outer), "name": self.name(inside)}
            if slash and pattern == "within"
            else {"name": self.name(inner)}
        )
        return str(self.entries[f"patterns.{pattern}"]).format(**names)

    def sentence(self, keys: Iterable[str]) -> list[tuple[str, str | None]]:
        """The first of these sentences that there is, as (literal text, placeholder after it); [] if there is none."""
        found = next((self.entries[key] for key in keys if key in self.entries), "")
        return parsed(found)


@cache
def parsed(sentence: str) -> list[tuple[str, str | None]]:
    """A sentence cut at its placeholders."""
    return [(literal, name) for literal, name, _, _ in string.Formatter().parse(sentence)]


def _flatten(tables: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in tables.items():
        if isinstance(value, dict):
            yield from _flatten(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value

"""Activations by the library's words for them, and what each learns: the table activations.toml."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from symparams.architectures._tables import read
from symparams.errors import ConfigError, quoted, suggestion
from symparams.models.library.readers import FlowSetting


@cache
def activations() -> Mapping[str, tuple[str, ...]]:
    """What each activation learns, by its word: the names of its numbers; nothing for most."""
    rows = read(Path(__file__).parent / "activations.toml")
    return {word: rows.words(word) for word in rows.values}


def numbers_of(choice: FlowSetting, word: str | int | None) -> tuple[str, ...]:
    """What an activation learns; nothing where there is none. ConfigError where the library has no such activation."""
    if not word:
        return ()
    if word not in activations():
        known = suggestion(str(word), activations())
        raise ConfigError(f"{choice.names[0]} = {quoted(word, 30)} in the config is no activation of the library. {known}")
    return activations()[str(word)]

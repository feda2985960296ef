"""Keys of the library's configs, and what their names tell: the table keys.toml."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from symparams.architectures._tables import TomlTable, read

SECTION = "."


@cache
def table() -> TomlTable:
    """Return the table of keys."""
    return read(Path(__file__).with_name("keys.toml"))


def last(key: str) -> str:
    """Return a key without the sections before it: hidden_size of text_config.hidden_size."""
    return key.rpartition(SECTION)[2]


def section(key: str) -> str:
    """Return the sections before a key: text_config of text_config.hidden_size; "" where there are none."""
    return key.rpartition(SECTION)[0]


def outermost(key: str) -> str:
    """Return the first section before a key: text_config of text_config.rope_parameters.factor; "" where there is none."""
    return key.partition(SECTION)[0] if SECTION in key else ""


def is_size(key: str) -> bool:
    """True if a key may hold a size, not the number of a token or the name of a file."""
    return not _found("no_size", key)


def is_activation(key: str) -> bool:
    """True if a key holds the word for an activation."""
    return _found("activation", last(key))


def has_role(role: str, key: str) -> bool:
    """True if the name of a key is one of those with a role: heads, groups, head_width, layers, width."""
    return _found(role, last(key), "roles")


def _found(name: str, key: str, within: str = "") -> bool:
    return _pattern(name, within).search(key) is not None


@cache
def _pattern(name: str, within: str) -> re.Pattern[str]:
    return re.compile((table().table(within) if within else table()).word(name))

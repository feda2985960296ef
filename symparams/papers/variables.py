"""Variables: the values of models as YAML, which Quarto reads as _variables.yml, and as JSON; formulas are TeX between dollars.

Every value is a text, integers too: a reader that keeps numbers in 53 bits would lose digits of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from symparams.papers.names import as_key, refuse_clashes
from symparams.papers.values import FORMULAS, Values
from symparams.sheets.catalogue import catalogue

ESCAPES = {'"': '\\"', "\\": "\\\\"}
WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})  # which are not texts to some readers


def yaml(values: Sequence[Values], language: str = "en") -> str:
    """The values as YAML of quoted texts; OptionError for two models that would have one key."""
    head = [f"# {line}" for line in catalogue(language).entry("macros.head_yaml")]
    return "\n".join([*head, *_lines(_nested(values), 0), ""])


def as_json(values: Sequence[Values]) -> str:
    """The same as JSON."""
    return json.dumps(_nested(values), ensure_ascii=False, indent=2) + "\n"


def _nested(values: Sequence[Values]) -> dict[str, Any]:
    refuse_clashes((as_key(of_target.name), of_target.name) for of_target in values)
    nested: dict[str, Any] = {}
    for of_target in values:
        refuse_clashes((".".join(map(as_key, entry.path)), " ".join(entry.path)) for entry in of_target.entries)
        for entry in of_target.entries:
            *above, last = map(as_key, (of_target.name, *entry.path))
            inner = nested
            for key in above:
                inner = inner.setdefault(key, {})
            inner[last] = f"${entry.text}$" if entry.kind in FORMULAS else entry.text
    return nested


def _lines(nested: Mapping[str, Any], depth: int) -> Iterator[str]:
    for key, value in nested.items():
        is_plain = key.isascii() and key[0].isalpha() and key.lower() not in WORDS
        start = "  " * depth + (key if is_plain else quoted(key)) + ":"
        if isinstance(value, str):
            yield f"{start} {quoted(value)}"
        else:
            yield start
            yield from _lines(value, depth + 1)


def quoted(text: str) -> str:
    """A text as YAML writes it between quotes, on one line, with the number of each character that does not print."""
    return f'"{"".join(map(_character, text))}"'


def _character(character: str) -> str:
    if character.isprintable():
        return ESCAPES.get(character, character)
    number = ord(character)
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"

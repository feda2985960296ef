"""Synonyms: what people write for what has another name here, and that name."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path


@cache
def synonyms(section: str) -> Mapping[str, str]:
    """Return what each word of a section stands for; of a section that there is not none."""
    return {word: meant for meant, words in _table().get(section, {}).items() for word in words}


def named(section: str, word: str) -> str:
    """Return what a word stands for, in whatever case and with whatever marks it is written; "" where that is not known."""
    return synonyms(section).get(word.casefold().replace("-", "_").replace(" ", "_"), "")


@cache
def _table() -> Mapping[str, Mapping[str, list[str]]]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))

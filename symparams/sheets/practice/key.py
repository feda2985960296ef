"""The key of a paper on pages of its own."""

from __future__ import annotations

from collections.abc import Iterable

from symparams.practice.worksheet import END, NONE, ONLY
from symparams.sheets.document import Break, Section


def with_key(place: str, paper: Iterable[Section], key: Iterable[Section]) -> list[Section]:
    """The sections of a paper with those of its key behind them, or those of the one alone."""
    if place == ONLY:
        return list(key)
    return list(paper) if place == NONE else [*paper, Section(END, None, [Break()]), *key]

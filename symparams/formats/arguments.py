"""What ``render`` is asked: each argument checked, with the one line that says what would be right."""

from __future__ import annotations

import re
from collections.abc import Mapping

from symparams.errors import OptionError, quoted

MOST_LEVELS = 4  # a title may be a section, and the headings below it have one more
PREFIX = re.compile(r"[A-Za-z0-9][A-Za-z0-9:.-]{0,40}")


def level_of(level: int | None) -> int | None:
    """The level of the title; OptionError for one that no heading has."""
    if level is not None and level not in range(1, MOST_LEVELS + 1):
        raise OptionError(f"A heading has a level from 1 to {MOST_LEVELS}, not {quoted(level)}.")
    return level


def prefix_of(label: str) -> str:
    """A prefix of labels; OptionError for one that TeX would stumble over."""
    if label and not PREFIX.fullmatch(label):
        raise OptionError(f"{quoted(label)} is no prefix of a label: write letters, digits, - : . alone, as in eq:bert.")
    return label


def check_texts(**arguments: object) -> None:
    """OptionError for an argument by its name that is no text."""
    for name, value in arguments.items():
        if not isinstance(value, str):
            usual = {"format": "text", "language": "en", "flavor": "pandoc", "notation": "hidden"}[name]
            raise OptionError(f"{name} = {quoted(value)} is a {type(value).__name__}, not a text: write {name}={usual!r}.")


def check(columns: object, width: object, symbols: object) -> None:
    """OptionError for a number of columns, a width or letters that there are not."""
    if columns not in (1, 2):
        raise OptionError(f"A page has 1 or 2 columns, not {quoted(columns)}.")
    if not isinstance(width, int) or isinstance(width, bool) or width < 1:
        raise OptionError(f"width = {quoted(width)} is no number of characters: write width=80.")
    pairs = symbols.items() if isinstance(symbols, Mapping) else [] if symbols is None else [(None, None)]
    if not all(isinstance(text, str) for pair in pairs for text in pair):
        raise OptionError(f"symbols = {quoted(symbols)} are no letters by dimension: write symbols={{'h': 'd'}}.")

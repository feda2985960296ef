"""Letters of discovered numbers as a person writes them: L_full for the key layer_types_full_attention, from letters.toml."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from symparams.architectures._tables import TomlTable, read
from symparams.atlas.facts import NUMBER, Source
from symparams.atlas.keys import last, section


def letters(sources: Mapping[str, Source]) -> dict[str, str]:
    """Return the letter of each of a class's numbers by the name that it was discovered with; no two have the same.

    A number whose letters are all taken keeps its name.
    """
    waiting = {name: [*dict.fromkeys((*_letters(name, source), name))] for name, source in sources.items()}
    while True:
        claims = Counter(candidates[0] for candidates in waiting.values())
        disputed = {letter for letter, number in claims.items() if number > 1}
        if not disputed:
            return {name: candidates[0] for name, candidates in waiting.items()}
        owners = {letter: _owner(letter, waiting) for letter in disputed}
        for name, candidates in waiting.items():
            if candidates[0] in disputed and name != owners[candidates[0]]:
                candidates.pop(0)


def _owner(letter: str, waiting: Mapping[str, list[str]]) -> str:
    """Who of those that claim a letter has it: who has no other, or else the first."""
    claiming = [name for name, candidates in waiting.items() if candidates[0] == letter]
    return min(claiming, key=lambda name: len(waiting[name]) > 1)


def _letters(name: str, source: Source) -> list[str]:
    """The letters of a number, the best first; none where its name is one, or no table tells it."""
    own, of = last(source.key), source.of
    if isinstance(of, int) and not name.startswith(own):
        return [f"{base}_{of + 1}"] if (base := name.removesuffix(f"_{of}")) != name else []
    around = re.sub(r"\W", "_", section(source.key).replace("_config", "")).strip("_")
    end = _table("sections").get(around, around)
    if not name.startswith(own):
        return [f"{name.removesuffix(around)}{end}"] if around and name.endswith(f"_{around}") else []
    within = f"_{end}" if around and name.removeprefix(own).startswith(f"_{around}") else ""
    if of in ("", NUMBER):
        found = [_table("keys" if of == "" else "numbers").get(own, "")]
    elif isinstance(of, int):
        found = [f"{letter}_{of + 1}" for letter in _named("places", own)]
    else:
        word = _table("words").get(of, of)
        found = [f"{letter}{stem}_{word}" for letter in _named("lists", own) for stem in ("", f"_{own.partition('_')[0]}")]
    return [f"{letter}{within}" for letter in found if letter]


def _named(kind: str, key: str) -> list[str]:
    return [_table(kind)[key]] if key in _table(kind) else []


@cache
def _table(kind: str) -> Mapping[str, str]:
    table: TomlTable = read(Path(__file__).with_name("letters.toml")).table(kind)
    return {key: table.word(key) for key in table.values}

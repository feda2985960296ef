"""Facts of a config: its keys, those of its sections too, and the numbers, switches and words under them.

``text_config.hidden_size`` is a key of a section. A list gives numbers: how often each word stands in it, or the number at each
of its places, how many there are and their sum.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from types import MappingProxyType
from typing import Any

from symparams.architectures._tables import table
from symparams.atlas.keys import SECTION, is_size, last, section
from symparams.records import frozen

LABELS = "num_labels"
TYPE = "model_type"
NUMBER = "number"  # of a list: how many entries it has
SUM = "sum"  # of the numbers of a list
EACH = "each"  # of a list whose entries are all the same number
MOST_PLACES = 12
WRITTEN = {EACH: "each of", NUMBER: "entries of", SUM: "sum of"}  # what is counted of a list, in words


@frozen
class Facts:
    """A config, flattened: the value under each key, with the sections before it."""

    values: Mapping[str, Any]

    @cached_property
    def sizes(self) -> dict[str, int]:
        """The whole numbers by key."""
        return {key: value for key, value in self.values.items() if is_whole(value)}

    @cached_property
    def lists(self) -> dict[str, tuple[Any, ...]]:
        """The lists of words, of numbers or of switches by key."""
        return {
            key: tuple(value)
            for key, value in self.values.items()
            if isinstance(value, (list, tuple)) and all(isinstance(entry, (int, str)) for entry in value)
        }

    @cached_property
    def numbers(self) -> dict[Source, int]:
        """Every number that a config gives, by where it stands."""
        found = {Source(key): value for key, value in self.sizes.items()}
        for key, values in self.lists.items():
            found |= {Source(key, reading): number for reading, number in readings(values).items()}
        return found

    @cached_property
    def literals(self) -> frozenset[Literal]:
        """Everything that holds: a switch that is on, a word, a null."""
        return frozenset(
            Literal(key, value)
            for key, value in self.values.items()
            if value is None or value is True or isinstance(value, str) or (is_whole(value) and value == 0)
        )


@frozen
class Source:
    """Where a number stands: a key, or of a list under it what is counted: a word, a place, "number", "sum" or "each"."""

    key: str
    of: str | int = ""

    def __str__(self) -> str:
        if isinstance(self.of, int):
            return f"{self.key}[{self.of}]"
        return f"{WRITTEN.get(self.of, f'{self.of} in')} {self.key}" if self.of else self.key


@frozen
class Literal:
    """That a key has a value: true, null, 0, or a word; or the same number as another key, or one above a number."""

    key: str
    value: Any = True
    like: str = ""
    above: int = -1

    @property
    def compares(self) -> bool:
        """True if it speaks of the number under a key."""
        return bool(self.like) or self.above >= 0

    def holds(self, numbers: Mapping[str, int]) -> bool:
        """True if a comparison holds for the numbers by key."""
        number = numbers.get(self.key)
        return number is not None and (number == numbers.get(self.like) if self.like else number > self.above)


def readings(values: Iterable[Any]) -> dict[str | int, int]:
    """The numbers that a list gives."""
    listed = list(values)
    if listed and all(isinstance(value, str) for value in listed):
        return dict(Counter(listed))
    numbers = [int(value) for value in listed if isinstance(value, int)]
    by_place: dict[str | int, int] = dict(enumerate(numbers)) if len(numbers) <= MOST_PLACES else {}
    each: dict[str | int, int] = {EACH: numbers[0]} if len(numbers) > 1 and len(set(numbers)) == 1 else {}
    return {**by_place, NUMBER: len(numbers), SUM: sum(numbers), **each}


def flat(values: Mapping[str, Any], within: str = "") -> Iterator[tuple[str, Any]]:
    """Every key with its sections before it, and its value; ``num_labels`` stands for the names of the labels."""
    for key, value in values.items():
        name = f"{within}{key}"
        if key == "id2label":
            if isinstance(value, Mapping):
                yield f"{within}{LABELS}", len(value)
        elif key == LABELS:
            if is_whole(value):
                yield name, value
        elif key == TYPE or is_size(key) or (isinstance(value, bool) and not key.startswith("_")):
            if isinstance(value, Mapping) and all(isinstance(inner, str) for inner in value):
                yield from flat(value, f"{name}{SECTION}")
            else:
                yield name, value


def nested(values: Mapping[str, Any]) -> dict[str, Any]:
    """Keys with sections as a config of sections."""
    whole: dict[str, Any] = {}
    for key, value in values.items():
        *path, own = key.split(SECTION)
        at = whole
        for name in path:
            at = at.setdefault(name, {})
        at[own] = value
    return whole


def is_whole(value: Any) -> bool:
    """True for a whole number, which a switch is not."""
    return isinstance(value, int) and not isinstance(value, bool)


class Names:
    """The letters and features of a config's keys: those of the field where the families have one for the key, else the key."""

    def __init__(self, keys: Iterable[str], aliases: Mapping[str, str] = MappingProxyType({})) -> None:
        self._aliases = {key: alias for alias, key in aliases.items()}  # what the library also calls a key
        self._last = Counter(map(last, keys))

    def letter(self, source: Source) -> str:
        """The letter of a number."""
        usual = _usual("keys").get(source.key) or self._within(source.key, _usual("keys"))
        return usual if source.of == "" else _word(f"{usual}_{source.of}")

    def feature(self, literal: Literal) -> str:
        """The name of a feature."""
        if literal.value is True:
            return _usual("flags").get(literal.key) or self._within(literal.key, _usual("flags"))
        own = self._within(literal.key, {})
        if literal.above >= 0:
            return _word(f"{self.letter(Source(literal.key))}_above_{literal.above}")
        if literal.like:
            return _word(f"{self.letter(Source(literal.key))}_is_{self.letter(Source(literal.like))}")
        return _word(f"no_{own}" if literal.value is None else f"{own}_{literal.value}")

    def _within(self, key: str, usual: Mapping[str, str]) -> str:
        own, around = last(key), section(key)
        name = usual.get(own) or usual.get(self._aliases.get(own, "")) or _word(own)
        return f"{name}_{_word(around.replace('_config', ''))}" if around and self._last[own] > 1 else name


def _word(text: str) -> str:
    return re.sub(r"\W", "_", text).strip("_")[:60] or "x"


@cache
def _usual(kind: str) -> dict[str, str]:
    """The name of a key in most families: the letter of a size ("keys"), or the feature of a switch ("flags")."""
    from symparams.models.library import families

    found: dict[str, Counter[str]] = {}
    for family in families():
        rows = table(family).table("library").table(kind).values
        for name, row in rows.items():
            for key in [row.get("key")] if isinstance(row, Mapping) else row if isinstance(row, list) else [row]:
                if isinstance(key, str):
                    found.setdefault(key, Counter())[name] += 1
    return {key: names.most_common(1)[0][0] for key, names in found.items()}

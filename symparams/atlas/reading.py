"""The reading of a config by an entry of the atlas: the number of each letter and the features, or the key that is refused.

What a config leaves out is what the library makes of it: a default, or an expression in other letters. A value that was not
checked when the type was discovered is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from symparams.atlas.facts import Facts, is_whole, readings
from symparams.atlas.keys import outermost, table
from symparams.atlas.record import Entry, Letter
from symparams.atlas.refusals import aliased, as_json, lengths, misplaced, problems
from symparams.atlas.words import put_in
from symparams.discovery.parts import Part
from symparams.errors import ConfigError, quoted
from symparams.expressions.closed_form import is_rounded
from symparams.expressions.nodes import Dimension, Expression, Number
from symparams.expressions.written import exact
from symparams.records import frozen


@frozen
class Reading:
    """The numbers of the letters, the features that are present, and the letters that have what the library usually has."""

    numbers: Mapping[str, int]
    present: frozenset[str]
    usual: frozenset[str]


def read(entry: Entry, config: Facts) -> Reading:
    """Return what a config says to an entry; ConfigError names the key that was not checked, or lacks."""
    given = entry.keyed(config.values)
    values = given | {key: listed for key, listed in entry.lists.items() if given.get(key) is None}
    entry = _numbered(entry, values)
    values |= {key: _in_new_words(values[key], words) for key, words in entry.entries.items() if key in values}
    for problem in (*aliased(entry, config.values), *misplaced(entry, values), *problems(entry, values)):
        raise ConfigError(f"{problem}.")
    numbers: dict[str, int] = {}
    pending: list[str] = []
    for name, letter in entry.letters.items():
        number = _given(letter, values)
        if number is None:
            pending.append(name)
        else:
            numbers[name] = number
    usual = frozenset(pending)
    without = _without(values)
    while pending:
        later = [name for name in pending if not _follows(entry, name, numbers, without)]
        if len(later) == len(pending):
            key = entry.letters[later[0]].source.key
            raise ConfigError(f"{key} is not in the config, and {entry.name} was checked only with it: add it.")
        pending = later
    for key, problem in lengths(entry, values, numbers):
        told = key if given.get(key) is not None else f"{key}, which is {as_json(values[key])} where a config has none,"
        raise ConfigError(f"{told} {problem}.")
    for problem in _too_small(entry, numbers):
        raise ConfigError(f"{problem} for {entry.name}.")
    present = _present(entry, values, numbers, without)
    for side in _roundings(entry.part, present):
        _leaves_something(entry, side, numbers)
    return Reading(numbers, present, usual)


def _too_small(entry: Entry, numbers: Mapping[str, int]) -> Iterator[str]:
    """Yield the numbers that are smaller than any that was checked, and those that another does not divide."""
    for name, number in numbers.items():
        if number < (least := entry.least.get(name, 0)):
            yield f"{_key(entry, name)} = {number} is too small: from {least} was checked"
    for divisor, of in entry.needs:
        if numbers[divisor] < 1 or numbers[of] % numbers[divisor]:
            by = f"{_key(entry, divisor)} = {numbers[divisor]}"
            yield f"{_key(entry, of)} = {numbers[of]} is not a multiple of {by}, as in all that was checked"


def _roundings(part: Part, present: frozenset[str]) -> Iterator[Expression]:
    """The sides of arrays, of those that are present, in which anything is rounded: the patches along an image."""
    if all(feature.holds(present) for feature in part.when):
        for rule in part.arrays:
            if all(feature.holds(present) for feature in rule.when):
                yield from filter(is_rounded, rule.shape)
        for inner in part.parts:
            yield from _roundings(inner, present)


def _leaves_something(entry: Entry, side: Expression, numbers: Mapping[str, int]) -> None:
    """Raise ConfigError where a side is 0, as where an image is smaller than a patch."""
    letters = sorted(dimension.name for dimension in side.dimensions)
    if all(numbers.get(name, 0) > 0 for name in letters):
        length = exact(side, {Dimension(name): numbers[name] for name in letters})
        if length < 1:
            given = " and ".join(f"{_key(entry, name)} = {numbers[name]}" for name in letters)
            raise ConfigError(f"{given} give an array a side of {length}, which was not checked for {entry.name}.")


def _numbered(entry: Entry, values: Mapping[str, Any]) -> Entry:
    """The entry with the numbers of a config in the words of its lists: stage12 for stage{num_hidden_layers}."""
    usual = {letter.source.key: letter.usual for letter in entry.letters.values() if letter.source.of == ""}
    numbers = {key: number.value for key, number in usual.items() if isinstance(number, Number)}
    numbers |= {key: value for key, value in values.items() if is_whole(value)}
    entries = {key: tuple(put_in(word, numbers) for word in words) for key, words in entry.entries.items()}
    return replace(entry, entries=entries)


def _without(values: Mapping[str, Any]) -> Callable[[str], bool]:
    """Tells of a key whether the config lacks its whole section."""
    given = {outermost(key) for key in values} | {key for key, value in values.items() if value == {}}
    return lambda key: outermost(key) not in given


def _in_new_words(value: Any, words: Sequence[str]) -> Any:
    """A list in which the words of older files are those that the library takes them for."""
    if not isinstance(value, (list, tuple)):
        return value
    older = table().table("older_words").values
    return [older.get(word, word) if isinstance(word, str) and word not in words else word for word in value]


def _given(letter: Letter, values: Mapping[str, Any]) -> int | None:
    """The number that a config gives; None where it gives none."""
    value = values.get(letter.source.key)
    if value is None:
        return None
    if letter.source.of == "":
        if is_whole(value):
            return int(value)
        if isinstance(value, (list, tuple)) and letter.usual is not None:
            return None
        raise ConfigError(f"{letter.source.key} = {quoted(value, 30)} is not a whole number.")
    if isinstance(value, (list, tuple)):
        return readings(value).get(letter.source.of, 0)
    return None


def _follows(entry: Entry, name: str, numbers: dict[str, int], without: Callable[[str], bool]) -> bool:
    """Put in what a letter usually is, if all is known on which it depends."""
    letter = entry.letters[name]
    usual = letter.usual if letter.without is None or not without(letter.source.key) else Number(letter.without)
    if usual is None or any(dimension.name not in numbers for dimension in usual.dimensions):
        return False
    number = exact(usual, {Dimension(other): value for other, value in numbers.items()})
    if number.denominator != 1 or number < 0:
        raise ConfigError(f"{_key(entry, name)} is not in the config, and {usual!r} is not a whole number: add it.")
    numbers[name] = int(number)
    return True


def _present(
    entry: Entry, values: Mapping[str, Any], numbers: Mapping[str, int], without: Callable[[str], bool]
) -> frozenset[str]:
    present = set()
    by_key = {letter.source.key: numbers[name] for name, letter in entry.letters.items() if letter.source.of == ""}
    for feature, switch in entry.features.items():
        key, wanted = switch.literal.key, switch.literal.value
        if switch.literal.compares:
            is_on = switch.literal.holds(by_key)
        elif key in values and (values[key] is not None or wanted is None):
            is_on = values[key] is wanted if wanted is None or isinstance(wanted, bool) else values[key] == wanted
        elif switch.without is not None and without(key):
            is_on = switch.without
        elif switch.usual is None:
            raise ConfigError(f"{key} is not in the config, and {entry.name} was checked only with it: add it.")
        else:
            is_on = switch.usual
        if is_on:
            present.add(feature)
    return frozenset(present)


def _key(entry: Entry, name: str) -> str:
    return entry.letters[name].source.key

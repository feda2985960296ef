"""Refusals: the values of a config that were not among those checked when its class was discovered, each with its key.

The library refuses some of them itself. It builds the others, and nobody has seen whether the definition holds for them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from symparams.atlas.facts import EACH, TYPE, is_whole
from symparams.atlas.keys import SECTION, is_activation, last, section
from symparams.atlas.record import Entry, Letter
from symparams.errors import quoted, shown
from symparams.expressions.nodes import Number
from symparams.models.library.record import activations

ACTIVATION = "activations without parameters"  # in place of all that learn nothing
WHOLE = "whole numbers"  # in place of all of them, where a list was not checked
LONGEST = 40  # characters of a value


def problems(entry: Entry, values: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with the values of single keys, without the full stop."""
    sections = _sections(entry)
    for key, value in values.items():
        name = f"{key} = {as_json(value)}"
        if key in sections:
            if value is not None and value != {}:
                yield f"{name} is not a section: write an object with the keys of a config"
        elif key in entry.allowed:
            yield from _of_allowed(entry, key, value, name)
        elif last(key) == TYPE and SECTION in key:
            yield f"{name}: sections of other types were not checked for {entry.name}"
        else:
            yield from _of_letters(entry, key, value, name)
            yield from _of_switches(entry, key, value, name)
        if (
            key not in entry.allowed
            and isinstance(value, str)
            and (activations().get(value) or (is_activation(key) and value not in activations()))
        ):
            yield f"{name} was not checked for {entry.name}, only activations without parameters"


def misplaced(entry: Entry, values: Mapping[str, Any]) -> Iterator[str]:
    """Yield the keys that stand beside the sections though a section has them, as in files of older releases."""
    read = {letter.source.key for letter in entry.letters.values()}
    for key, value in values.items():
        if SECTION in key or key in read or key in entry.beside:
            continue
        inner = [other for other in read if last(other) == key]
        if inner and not any(same(values.get(other), value) for other in inner):
            yield f"{key} stands beside the sections of the config, and {entry.name} reads {' and '.join(sorted(inner))}"


def aliased(entry: Entry, values: Mapping[str, Any]) -> Iterator[str]:
    """Yield the pairs of a key and its other name that are both given and differ."""
    for alias, key in entry.aliases.items():
        if alias in values and key in values and not same(values[alias], values[key]):
            yield (
                f"{alias} = {as_json(values[alias])} and {key} = {as_json(values[key])} are two names of one key: "
                "leave one of them out"
            )


def _of_allowed(entry: Entry, key: str, value: Any, name: str) -> Iterator[str]:
    """What is wrong with a value of a key of which not all were checked; a list of other words is told by its words."""
    allowed = entry.allowed[key]
    may_begin = key in entry.lengths or any(letter.source.key == key for letter in entry.letters.values())
    if not any(same(value, one) or (may_begin and _begins(value, one)) for one in allowed) and not (
        isinstance(value, (list, tuple)) and key in entry.entries
    ):
        yield f"{name} was not checked for {entry.name}, only {', '.join(map(_said, allowed))}"
    elif isinstance(value, (list, tuple)):
        yield from _of_list(entry, key, value, name)


def _begins(value: Any, whole: Any) -> bool:
    """True if a list of words is what the usual one, of more layers, begins with."""
    return (
        isinstance(value, (list, tuple))
        and isinstance(whole, (list, tuple))
        and all(isinstance(word, str) for word in whole)
        and list(value) == list(whole[: len(value)])
    )


def _of_letters(entry: Entry, key: str, value: Any, name: str) -> Iterator[str]:
    """What is wrong with a size, or with a list that gives sizes."""
    letters = [letter for letter in entry.letters.values() if letter.source.key == key]
    takes_list = key in entry.entries or any(letter.source.of != "" for letter in letters)
    takes_list = takes_list or key in (*entry.lengths, *entry.indices)
    takes_number = any(letter.source.of == "" for letter in letters)
    if isinstance(value, (list, tuple)):
        if takes_list:
            yield from _of_list(entry, key, value, name)
        elif takes_number:
            yield f"{name} is a list, and only whole numbers were checked for {entry.name}"
    elif not letters and not takes_list:
        return
    elif value is None:
        if not _has_rule_for_null(entry, key, letters):
            yield f"{key} is null, which was not checked for {entry.name}: give it a value, or leave it out"
    elif is_whole(value):
        if letters and not takes_number:
            yield f"{name} is not a list, and only lists were checked for {entry.name}"
    elif not any(switch.literal.key == key for switch in entry.features.values()):
        yield f"{name} is not a {'whole number' if takes_number else 'list'}"


def _of_list(entry: Entry, key: str, value: list[Any] | tuple[Any, ...], name: str) -> Iterator[str]:
    """What is wrong with the entries of a list."""
    if known := entry.entries.get(key):
        for other in (one for one in value if not isinstance(one, str) or one not in known):
            yield f"{key} has {as_json(other)}, which was not checked for {entry.name}, only {', '.join(known)}"
        return
    if key in entry.indices:
        if not all(is_whole(one) and one >= 0 for one in value) or len(set(value)) < len(value):
            yield f"{name} is not a list of layers, each once and from 0"
        return
    letters = [letter.source.of for letter in entry.letters.values() if letter.source.key == key]
    if not letters or (key in entry.allowed and all(isinstance(one, str) for one in value)):
        return
    if not all(isinstance(one, int) and one >= 0 for one in value) or len({type(one) for one in value}) > 1:
        yield f"{name} is not a list of whole numbers from 0"
    if EACH in letters and len(set(value)) > 1:
        yield f"{name} has entries that differ, and only equal ones were checked for {entry.name}"
    places = [place for place in letters if isinstance(place, int)]
    if places and len(value) != max(places) + 1:
        yield f"{key} has {len(value)} entries, and {max(places) + 1} were checked for {entry.name}"


def lengths(entry: Entry, values: Mapping[str, Any], numbers: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Yield the key of each list that is not as long as there are layers, or names one that there is not, and what it does."""
    by_key = {letter.source.key: numbers[name] for name, letter in entry.letters.items() if letter.source.of == ""}
    for key, value in values.items():
        if not isinstance(value, (list, tuple)):
            continue
        like, among = entry.lengths.get(key, ""), entry.indices.get(key, "")
        number = by_key.get(like or among, values.get(like or among))
        if not is_whole(number) or (not value and not _is_read(entry, key)):
            continue
        if like and number != len(value):
            yield key, f"has {len(value)} entries for {like} = {number}"
        elif among and value and max(value) >= number:
            yield key, f"names the layer {max(value)} of {among} = {number}, counted from 0"


def _is_read(entry: Entry, key: str) -> bool:
    """True if a list counts something."""
    return key in entry.entries or any(letter.source.key == key for letter in entry.letters.values())


def _of_switches(entry: Entry, key: str, value: Any, name: str) -> Iterator[str]:
    """What is wrong with the value of a switch or a word that makes a feature present."""
    wanted = [
        switch.literal.value for switch in entry.features.values() if switch.literal.key == key and not switch.literal.compares
    ]
    if value is None:
        if wanted and None not in wanted and not any(letter.source.key == key for letter in entry.letters.values()):
            yield f"{key} is null, which was not checked for {entry.name}: give it a value, or leave it out"
    elif True in wanted and not isinstance(value, bool) and not any(one is not True and same(value, one) for one in wanted):
        yield f"{name} is not true or false"


def _has_rule_for_null(entry: Entry, key: str, letters: list[Letter]) -> bool:
    """True if a null was among what was checked: a feature, an expression in other sizes, an empty list."""
    if any(switch.literal.key == key and switch.literal.value is None for switch in entry.features.values()):
        return True
    usual = [letter.usual for letter in letters]
    if key in (*entry.lengths, *entry.indices) and not letters:
        return True
    return all(value is not None and (not isinstance(value, Number) or value.value == 0) for value in usual) and bool(usual)


def _sections(entry: Entry) -> set[str]:
    keys = [letter.source.key for letter in entry.letters.values()]
    keys += [*entry.allowed, *(switch.literal.key for switch in entry.features.values())]
    return {section(key) for key in keys} - {""}


def as_json(value: Any) -> str:
    """Return a value as JSON writes it, on one line and shortened; a word in quotes."""
    return quoted(value, LONGEST) if isinstance(value, str) else quoted(_said(value), LONGEST)[1:-1]


def _said(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, default=shown)


def same(value: Any, other: Any) -> bool:
    """True for the same value of the same type, which 1 and true are not."""
    if other == ACTIVATION and isinstance(value, str):
        return activations().get(value) == ()
    if other == WHOLE and is_whole(value):
        return True
    if isinstance(value, (list, tuple)) and isinstance(other, (list, tuple)):
        return list(value) == list(other)
    return type(value) is type(other) and bool(value == other)

"""Entries of the atlas: what was discovered of one type of the library, and the JSON in which it is kept.

An entry says where the number of each letter stands in a config, and what it is where the config has none; which switches and
words are features; what was not varied; the parts of each class with the expressions of their sides.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import field, fields
from functools import cached_property
from typing import Any

from symparams.architectures import Certificate
from symparams.atlas.facts import Literal, Source
from symparams.atlas.letters import letters
from symparams.discovery.order import Flow
from symparams.discovery.parts import ArrayRule, Part
from symparams.expressions.nodes import Expression, Number
from symparams.expressions.parsing import parse
from symparams.expressions.symbols import letter as as_letter
from symparams.expressions.written import ONE
from symparams.features import Feature
from symparams.records import frozen

SCHEMA = 1
ARRAY = re.compile(
    r"(?P<name>[^:]+): (?P<shape>[^=|]*?)(?: = (?P<shares>\S+))?(?P<fixed> \(not trained\))?(?: \| (?P<when>.*))?"
)
USUAL: tuple[Any, ...] = (None, None, [], [], "1", "", False)  # of a part: what is left out at the end of its row
REFERENCE, LIKE, ABOVE = "@", "like", "above"


@frozen
class Letter:
    """Where the number of a letter stands, and what it is where the config has none: a number, an expression, or unknown.

    ``without`` is the number where the config lacks the whole section, if that is another.
    """

    source: Source
    usual: Expression | None
    without: int | None = None


@frozen
class Switch:
    """What of a config makes a feature present, and whether it is where the config does not say; None where that is unknown.

    ``without`` says it of a config that lacks the whole section, if that is another.
    """

    literal: Literal
    usual: bool | None
    without: bool | None = None

    @property
    def usually(self) -> bool | None:
        """Whether the feature is present in the default config."""
        return self.usual if self.without is None else self.without


@frozen
class Entry:
    """A class of the library as it was discovered.

    ``allowed`` are the values of a key that were checked, where not all hold, ``entries`` those in a list, of which
    "stage{num_hidden_layers}" stands for stage12 of 12 layers. ``lengths`` are the keys of lists with the key of the number
    that each is as long as, ``indices`` those of which each entry is one of so many. ``needs`` are pairs of letters of which
    the first divides the second, ``least`` the smallest value of a letter that holds. ``default`` is the count of the default
    config, 0 where the library does not build it; ``base`` is what was set to build any; ``aliases`` are other names of keys;
    ``heads`` are those of the library's auto classes that the class has; ``beside`` are the config's own keys that are called
    as those in its sections. ``flow`` is the order of its parts, None where nobody saw it; ``lists`` are those that name some
    layers where the config has none.
    """

    kind: str
    name: str
    part: Part
    letters: Mapping[str, Letter]
    features: Mapping[str, Switch]
    allowed: Mapping[str, tuple[Any, ...]]
    entries: Mapping[str, tuple[Any, ...]]
    lengths: Mapping[str, str]
    indices: Mapping[str, str]
    needs: tuple[tuple[str, str], ...]
    least: Mapping[str, int]
    certificate: Certificate
    default: int = 0
    base: Mapping[str, Any] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)
    heads: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    flow: Flow | None = None
    lists: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)

    def keyed(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The values of a flat config by their own keys, not by other names of these."""
        return {self.aliases.get(key, key): value for key, value in values.items()}

    @cached_property
    def keys(self) -> frozenset[str]:
        """The keys of a config that anything is said of, by all of their names."""
        read = {letter.source.key for letter in self.letters.values()}
        read |= {key for switch in self.features.values() for key in (switch.literal.key, switch.literal.like)}
        tables = (self.allowed, self.entries, self.lengths, self.indices, self.aliases)
        return frozenset(read.union(*tables, self.aliases.values()))


def written(entries: Iterable[Entry]) -> dict[str, Any]:
    """Return the data of the classes of one type: what is alike in all of them stands once."""
    rows = {entry.name: _row(entry) for entry in entries}
    common = {
        key: value
        for key, value in next(iter(rows.values())).items()
        if len(rows) > 1 and key != "part" and all(row.get(key) == value for row in rows.values())
    }
    parts = _Shared([row["part"] for row in rows.values()])
    classes = {
        name: {key: parts.of(value) if key == "part" else value for key, value in row.items() if key not in common}
        for name, row in rows.items()
    }
    return {"schema": SCHEMA, **common, "parts": parts.kept, "classes": classes}


def text(data: Mapping[str, Any]) -> str:
    """Return the JSON of an entry's data, a line for each row that a person reads."""
    return _lines(data, 0) + "\n"


def read(kind: str, data: Mapping[str, Any]) -> dict[str, Entry]:
    """Return the entries of a type by the names of their classes."""
    common = {key: value for key, value in data.items() if key not in ("schema", "parts", "classes")}
    return {name: _entry(kind, name, {**common, **own}, data["parts"]) for name, own in data["classes"].items()}


def _row(entry: Entry) -> dict[str, Any]:
    certificate = {own.name: getattr(entry.certificate, own.name) for own in fields(entry.certificate)}
    return {
        "letters": {
            name: [row.source.key, row.source.of, None if row.usual is None else _usual(row.usual), *_without(row)]
            for name, row in entry.letters.items()
        },
        "features": {name: _switch(row) for name, row in entry.features.items()},
        "allowed": {key: list(values) for key, values in entry.allowed.items()},
        "entries": {key: list(values) for key, values in entry.entries.items()},
        "lengths": dict(entry.lengths),
        "indices": dict(entry.indices),
        "needs": [list(pair) for pair in entry.needs],
        "least": dict(entry.least),
        "base": dict(entry.base),
        "aliases": dict(entry.aliases),
        "heads": list(entry.heads),
        **({"beside": list(entry.beside)} if entry.beside else {}),
        **({"lists": {key: list(value) for key, value in entry.lists.items()}} if entry.lists else {}),
        "default": entry.default,
        "certificate": certificate,
        "part": _part(entry.part),
        **({"flow": vars(entry.flow)} if entry.flow else {}),
    }


def _without(row: Letter | Switch) -> list[Any]:
    return [] if row.without is None else [row.without]


def _switch(row: Switch) -> list[Any]:
    if row.literal.compares:
        return [row.literal.key, {LIKE: row.literal.like} if row.literal.like else {ABOVE: row.literal.above}, row.usual]
    return [row.literal.key, row.literal.value, row.usual, *_without(row)]


def _literal(key: str, value: Any) -> Literal:
    return Literal(key, None, value.get(LIKE, ""), value.get(ABOVE, -1)) if isinstance(value, dict) else Literal(key, value)


def _usual(expression: Expression) -> int | str:
    return int(expression.value) if isinstance(expression, Number) else repr(expression)


def _part(part: Part) -> list[Any]:
    """A part as [name, class, arrays, parts, how often, features, whether kinds take turns]; what is usual is left out."""
    arrays = [_array(rule) for rule in part.arrays]
    row: list[Any] = [part.name, part.of, arrays, [_part(inner) for inner in part.parts], repr(part.times)]
    row += [" ".join(map(str, part.when)), part.turns]
    while len(row) > 2 and row[-1] == USUAL[len(row) - 1]:
        row.pop()
    return row


def _array(rule: ArrayRule) -> str:
    shape = ", ".join(map(repr, rule.shape))
    shares = f" = {rule.shares}" if rule.shares else ""
    when = f" | {' '.join(map(str, rule.when))}" if rule.when else ""
    return f"{rule.name}: {shape}{shares}{'' if rule.trained else ' (not trained)'}{when}"


class _Shared:
    """Parts that stand in more than one place, kept once: "@3" stands for the third."""

    def __init__(self, wholes: list[Any]) -> None:
        self.kept: dict[str, Any] = {}
        self._names: dict[str, str] = {}
        self._times: Counter[str] = Counter()
        for whole in wholes:
            self._count(whole)

    def _count(self, part: Any) -> None:
        name = json.dumps(part)
        self._times[name] += 1
        if self._times[name] == 1:
            for inner in part[3] if len(part) > 3 else ():
                self._count(inner)

    def of(self, part: Any) -> Any:
        """A part, with references to those that stand elsewhere too."""
        name = json.dumps(part)
        row = [*part]
        if len(row) > 3:
            row[3] = [self.of(inner) for inner in part[3]]
        if self._times[name] < 2 or len(name) < 60:
            return row
        if name not in self._names:
            self._names[name] = f"{REFERENCE}{len(self._names) + 1}"
            self.kept[self._names[name]] = row
        return self._names[name]


def _lines(value: Any, depth: int) -> str:
    """JSON in which what fits a line stands on one."""
    short = json.dumps(value, ensure_ascii=False)
    if len(short) <= 140 or not isinstance(value, (dict, list)) or not value:
        return short
    pad = " " * (depth + 1)
    if isinstance(value, dict):
        rows = [f"{pad}{json.dumps(key)}: {_lines(inner, depth + 1)}" for key, inner in value.items()]
        return "{\n" + ",\n".join(rows) + f"\n{' ' * depth}}}"
    return "[\n" + ",\n".join(f"{pad}{_lines(inner, depth + 1)}" for inner in value) + f"\n{' ' * depth}]"


def _entry(kind: str, name: str, row: Mapping[str, Any], parts: Mapping[str, Any]) -> Entry:
    letter_of = letters({letter: Source(key, of) for letter, (key, of, *_) in row["letters"].items()})
    reading = _Reading(letter_of, parts)
    certificate = row["certificate"]
    return Entry(
        kind,
        name,
        reading.part(row["part"]),
        {
            letter_of[name]: Letter(Source(key, of), None if usual is None else reading.expression(str(usual)), *without)
            for name, (key, of, usual, *without) in row["letters"].items()
        },
        {
            feature: Switch(_literal(key, value), usual, *without)
            for feature, (key, value, usual, *without) in row["features"].items()
        },
        {key: tuple(values) for key, values in row["allowed"].items()},
        {key: tuple(values) for key, values in row["entries"].items()},
        row["lengths"],
        row["indices"],
        tuple((letter_of[divisor], letter_of[of]) for divisor, of in row["needs"]),
        {letter_of.get(name, name): least for name, least in row["least"].items()},
        Certificate(
            **{
                **certificate,
                "ranges": {letter_of.get(name, name): (low, high) for name, (low, high) in certificate["ranges"].items()},
                "switches": tuple(certificate["switches"]),
            }
        ),
        row["default"],
        row["base"],
        row["aliases"],
        tuple(row["heads"]),
        tuple(row.get("beside", ())),
        Flow(**row["flow"]) if "flow" in row else None,
        {key: tuple(value) for key, value in row.get("lists", {}).items()},
    )


class _Reading:
    def __init__(self, letter_of: Mapping[str, str], parts: Mapping[str, Any]) -> None:
        self._symbols = {name: as_letter(letter) for name, letter in letter_of.items()}
        self._parts = parts
        self._expressions: dict[str, Expression] = {}

    def expression(self, written: str) -> Expression:
        """An expression, read by the safe parser."""
        if written not in self._expressions:
            self._expressions[written] = parse(written, self._symbols, is_evaluated=True)
        return self._expressions[written]

    def part(self, row: Any) -> Part:
        """A part, those that it refers to put in."""
        if isinstance(row, str):
            row = self._parts[row]
        whole: list[Any] = [*row, *USUAL[len(row) :]]
        name, of, arrays, inner, times, when, turns = whole
        return Part(
            name,
            of,
            ONE if times == "1" else self.expression(times),
            _features(when),
            tuple(self.array(array) for array in arrays),
            tuple(self.part(part) for part in inner),
            turns,
        )

    def array(self, row: str) -> ArrayRule:
        """An array: its name, its sides, what it shares, its features."""
        found = ARRAY.fullmatch(row)
        assert found is not None, row
        sides = tuple(self.expression(side) for side in _sides(found["shape"]))
        return ArrayRule(found["name"], sides, _features(found["when"] or ""), found["shares"] or "", not found["fixed"])


def _sides(shape: str) -> list[str]:
    """The sides of a shape, split at the commas that stand in no parentheses."""
    sides, depth, start = [], 0, 0
    for place, character in enumerate(shape):
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            sides.append(shape[start:place].strip())
            start = place + 1
    last = shape[start:].strip()
    return [*sides, last] if last else sides


def _features(names: str) -> tuple[Feature, ...]:
    return tuple(~Feature(name[1:]) if name.startswith("~") else Feature(name) for name in names.split())

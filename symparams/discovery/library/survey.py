"""The survey of a class: each key of its config varied alone, which of its values build, and whether they change any array."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import lcm
from typing import Any

from symparams.atlas.facts import TYPE, Facts, is_whole
from symparams.atlas.keys import SECTION, last, outermost, section
from symparams.discovery.library.roles import WIDE, role
from symparams.discovery.library.subjects import Row, Subject, starred_names
from symparams.models.library.record import activations
from symparams.models.sources.config_reading import silent_keys

FEWEST_LAYERS = (2, 3, 4, 6, 8, 12)
MOST_ALONE = 6  # numbers of a list that are changed each alone
AS_SURVEYED = 0.3  # of the lists that are drawn, those that are known to build by themselves


@dataclass
class Dial:
    """A key that can be set: its usual value, others with which the library builds, and whether one changed an array."""

    key: str
    usual: Any
    like: str = ""  # of a list: the key of the number that it is as long as
    among: str = ""  # of a list of indices: the key of the number of layers
    others: list[Any] = field(default_factory=list)
    matters: bool = False

    def fits(self, facts: Facts) -> bool:
        """True if a list is as long as there are layers, or names none that there is not."""
        listed = facts.lists.get(self.key)
        if not listed:
            return True
        if self.among:
            return all(layer < facts.sizes.get(self.among, 0) for layer in listed)
        return not self.like or len(listed) == facts.sizes.get(self.like)

    @property
    def is_even(self) -> bool:
        """True if it is a list of one number, which stands for each layer."""
        listed = self.usual if self.like and isinstance(self.usual, (list, tuple)) else []
        return len(listed) > 1 and is_whole(listed[0]) and len(set(listed)) == 1

    @property
    def is_size(self) -> bool:
        """True if it is a whole number, whatever its usual value is."""
        return any(is_whole(value) for value in (self.usual, *self.others))


@dataclass
class Survey:
    """What was found out of a class: its dials, the keys of which no other value builds, and the models that were built."""

    subject: Subject
    start: Row
    parted: Row  # the default model with its sections in the config, of which some have other values if they are left out
    dials: dict[str, Dial] = field(default_factory=dict)
    fixed: dict[str, Any] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    aliases: dict[str, str] = field(default_factory=dict)  # keys that only set another
    even: set[str] = field(default_factory=set)  # keys of lists of which only those of one number are looked at
    small: dict[str, Any] = field(default_factory=dict)  # fewer layers than usual, which have every kind of layer
    no_lists: set[str] = field(default_factory=set)  # keys of numbers that may be lists, which then change arrays

    def lacks_section(self, row: Row, key: str) -> bool:
        """True if the config of a model has nothing of the whole section of a key."""
        around = outermost(key)
        return around != "" and all(outermost(other) != around for other in (*self.subject.base, *row.given))


def survey(subject: Subject, like: Survey | None = None) -> Survey | None:
    """Vary each key of a config by itself; None if the library builds no model from its own defaults.

    ``like`` is the survey of another class with the same config: what built there and changed no array is tried once.
    """
    if like is not None and subject.build({}) is None:
        subject.base = dict(like.subject.base)
    whole = subject.start()
    if whole is None:
        return None
    parted, sections = _parted(subject, whole)
    small = {**sections, **_small(subject, parted, sections)}
    start = subject.build(small)
    assert start is not None
    found = Survey(subject, start, parted, rows=[start], small=small)
    usual = signature(start)
    for key, value in _keys(subject, start.facts):
        dial = Dial(key, value, as_long(key, start.facts, parted.facts))
        if dial.like and _names_all(value):
            dial.like, dial.among = "", dial.like
        elif isinstance(small.get(key), list) and (like_layers := _indexed(key, parted.facts)):
            dial.like, dial.among = "", like_layers
        tried = _vary(found, dial, usual, like)
        if _is_listed(value) and not dial.matters and like is None and _decides(found, dial, usual):
            dial.others = []
        if dial.others:
            if like is not None and not dial.matters:
                dial.others = like.dials[key].others
            if not value and any(isinstance(other, list) for other in dial.others):
                dial.among = _layers(key, start.facts)
            found.dials[key] = dial
        elif (tried or (like is not None and key in like.fixed) or _is_listed(value)) and key in start.facts.values:
            found.fixed[key] = value
    return found


def _vary(found: Survey, dial: Dial, usual: tuple[Any, ...], like: Survey | None) -> bool:
    """Keep the values of a key that build, and whether one changes an array; False if no other value is known."""
    subject, start, key, tried = found.subject, found.start, dial.key, False
    others = _others(key, dial.usual, subject, start.facts) if not dial.among else _other_indices(dial.usual)
    for other in others if like is None else _as_there(key, like):
        row = subject.build({**found.small, key: other})
        tried = True
        if row is None or (isinstance(other, list) and row.facts.values.get(key, other) != other):
            continue  # the library refuses the value, or puts another in its place
        if alias := _sets(key, other, start, row):
            found.aliases[key] = alias
            break
        dial.others.append(other)
        if signature(row) != usual:
            dial.matters = True
            found.rows.append(row)
        if is_whole(other) and sum(map(is_whole, dial.others)) == 2 and like is None:
            break
    if not dial.matters and like is None:
        _look_closer(found, dial, usual)
    return tried


def _look_closer(found: Survey, dial: Dial, usual: tuple[Any, ...]) -> None:
    """Try what changes arrays though two other numbers do not, and keep it.

    That is 1 and 2, as of an interval of layers, the numbers with which the library compares a key, and a list in its place.
    """
    subject, key = found.subject, dial.key
    numbers = (*((1, 2) if is_whole(dial.usual) else ()), *subject.numbers.get(last(key), ()))
    for number in dict.fromkeys(numbers) if dial.usual is None or is_whole(dial.usual) else ():
        row = subject.build({**found.small, key: number}) if number not in (dial.usual, *dial.others) else None
        if row is not None and signature(row) != usual and not _sets(key, number, found.start, row):
            dial.matters = True
            dial.others.insert(0, number)
            found.rows.append(row)
    if is_whole(dial.usual) and "list" in subject.annotations.get(key, ""):
        row = subject.build({**found.small, key: [dial.usual] * 2})
        if row is not None and signature(row) != usual:
            found.no_lists.add(key)


def _decides(found: Survey, dial: Dial, usual: tuple[Any, ...]) -> bool:
    """True if a longer or a shorter list, or one of other numbers in its lists, changes any array."""
    built = (found.subject.build({**found.small, dial.key: other}) for other in _otherwise(list(dial.usual)))
    return any(row is not None and signature(row) != usual for row in built)


def _otherwise(value: list[Any]) -> Iterator[list[Any]]:
    """Lists of another length, with another word, or of other numbers wherever they stand."""
    yield [*value, value[-1]]
    if isinstance(value[-1], str):
        yield [*value, f"another_{value[-1]}"]
    if len(value) > 1:
        yield value[:-1]
    if (changed := _raised(value)) != value:
        yield changed


def _raised(value: Any) -> Any:
    """The same lists, each number two more."""
    if isinstance(value, (list, tuple)):
        return [_raised(inner) for inner in value]
    return value + 2 if is_whole(value) or isinstance(value, float) else value


def _is_listed(value: Any) -> bool:
    """True for a list with anything in it, which another may replace though nothing was tried."""
    return isinstance(value, (list, tuple)) and bool(value)


def _sets(key: str, value: Any, start: Row, row: Row) -> str:
    """The key that is set in place of one that the config does not keep; "" where there is none."""
    if key not in start.unread or not is_whole(value):
        return ""
    before = start.facts.values
    changed = [other for other, now in row.facts.values.items() if other != key and now == value and before.get(other) != value]
    return changed[0] if len(changed) == 1 else ""


def _as_there(key: str, like: Survey) -> list[Any]:
    """The values of a key that built in another class; one of them if they changed nothing there."""
    dial = like.dials.get(key)
    return [] if dial is None else dial.others if dial.matters else dial.others[:1]


def _parted(subject: Subject, whole: Row) -> tuple[Row, dict[str, Any]]:
    """The default model if each section stands in the config, with the keys that say no more than that, where it is another."""
    switches = {
        key: value for key, value in whole.facts.values.items() if isinstance(value, bool) and last(key) in silent_keys()
    }
    given = {around: key for key in reversed(switches) if (around := outermost(key))}
    rows = {key: subject.build({key: switches[key]}) for key in given.values()}
    needed = {key: switches[key] for key, row in rows.items() if row is not None and signature(row) != signature(whole)}
    row = subject.build(needed) if needed else None
    return (row, needed) if row is not None else (whole, {})


def _small(subject: Subject, whole: Row, sections: Mapping[str, Any]) -> dict[str, Any]:
    """Fewer layers, and padding by a token that every vocabulary has, where that changes no array."""
    names = starred_names(whole.module)
    padding = {key: 0 for key, token in subject.padding if token >= WIDE}
    if padding and ((row := subject.build({**sections, **padding})) is None or signature(row) != signature(whole)):
        padding = {}
    stages = {len(value) for value in whole.facts.lists.values() if are_sizes(value)}
    layers = {key: value for key, value in whole.facts.sizes.items() if role(key, value) == "layers" and value not in stages}
    by_stage = {key: value for key, value in whole.facts.values.items() if _are_layers(key, value)}
    of_layers = {key: like for key in whole.facts.lists if (like := _indexed(key, whole.facts)) in layers}
    for least in FEWEST_LAYERS:
        few: dict[str, Any] = {key: least for key, value in layers.items() if value > least}
        few |= {key: [min(least, one) for one in value] for key, value in by_stage.items() if max(value) > least}
        named = {key: [0] for key, like in of_layers.items() if like in few}
        for some in ({**few, **named}, few) if named else (few,):
            row = subject.build({**sections, **padding, **some}) if some else None
            if row is not None and starred_names(row.module) == names:
                return {**padding, **some}
    return padding


def _indexed(key: str, facts: Facts) -> str:
    """The key of the number of layers of which a list names some, [2, 5, 8, 11] of 12; "" for any other list."""
    value, like = facts.values.get(key), _layers(key, facts)
    if not like or not isinstance(value, (list, tuple)) or not value or not all(map(is_whole, value)) or _names_all(value):
        return ""
    return like if sorted(set(value)) == list(value) and value[0] >= 0 and value[-1] < facts.sizes[like] else ""


def _names_all(value: Any) -> bool:
    """True for a list of the indices of all layers."""
    return len(value) > 1 and list(value) == list(range(len(value)))


def _are_layers(key: str, value: Any) -> bool:
    """True for a list of the numbers of layers of each stage."""
    return are_sizes(value) and role(key, max(value)) == "layers"


def are_sizes(value: Any) -> bool:
    """Return True for a list of numbers above 0, which may be the sizes of stages."""
    return isinstance(value, (list, tuple)) and bool(value) and all(is_whole(one) and one > 0 for one in value)


def _keys(subject: Subject, facts: Facts) -> Iterator[tuple[str, Any]]:
    """The keys of a config that may be varied, with their usual values."""
    aliases = subject.aliases
    for key, value in facts.values.items():
        if last(key) != TYPE and not isinstance(value, Mapping) and aliases.get(key) not in facts.values:
            yield key, value


def _others(key: str, value: Any, subject: Subject, facts: Facts) -> Iterator[Any]:
    """Other values of a key, the likeliest to build first."""
    kind = subject.annotations.get(key, "") if SECTION not in key else ""
    if isinstance(value, bool):
        yield not value
    elif is_whole(value):
        yield from _other_sizes(key, value)
        if "None" in kind:
            yield None
    elif isinstance(value, float):
        others = [other for other in dict.fromkeys((0.0, 0.1, value * 2, value / 2, 1.0)) if other != value]
        yield from others[: 1 if last(key) in silent_keys() else None]
    elif isinstance(value, str) and activations().get(value) == ():
        yield from (word for word in ("relu", "gelu") if word != value)
    elif isinstance(value, str):
        yield from (word for word in subject.words if word != value)
    elif isinstance(value, (list, tuple)):
        yield from _other_lists(list(value), subject)
    elif value is None:
        if "bool" in kind:
            yield True
        if "int" in kind or not kind:
            yield from _instead_of_null(key, facts)
        if "float" in kind:
            yield 0.5
        if "list" in kind:
            yield from ([0], [1], [0, 1]) if "int" in kind else ([],)


def _other_indices(value: list[int]) -> list[list[int]]:
    """Lists that name other layers, and more or fewer of them."""
    return [value[1:], value[:-1]] if len(value) > 1 else [[], [1], [0, 1]]


def _other_sizes(key: str, value: int) -> Iterator[int]:
    by_role = {
        "layers": (value + 1, value + 2, value - 1),
        "heads": (value * 2, value // 2, 1),
        "groups": (value * 2, value // 2, 1),
        "width": (value * 2, value * 3, value // 2, value + 2),
        "count": (value + 1, value * 2 or 2, value - 1),
    }
    yield from dict.fromkeys(other for other in by_role[role(key, value)] if other > 0 and other != value)


def _other_lists(value: list[Any], subject: Subject) -> Iterator[list[Any]]:
    if not value:
        yield [0]
        yield [1]
    elif all(isinstance(entry, str) for entry in value):
        words = list(dict.fromkeys((*value, *subject.kinds_of_layers)))
        yield from ([*value[:-1], word] for word in words if word != value[-1])
        yield from ([word, *value[1:]] for word in dict.fromkeys(value) if word != value[0])
    elif all(is_whole(entry) for entry in value):
        yield [entry * 2 for entry in value]
        yield from ([*value[:place], value[place] * 2, *value[place + 1 :]] for place in range(min(len(value), MOST_ALONE)))
        yield [*value[:-1], value[-1] + 1]
    elif all(isinstance(entry, bool) for entry in value):
        places = sorted(range(len(value)), reverse=True)[:MOST_ALONE]
        yield from ([*value[:place], not value[place], *value[place + 1 :]] for place in places)


def _instead_of_null(key: str, facts: Facts) -> Iterator[int]:
    heads = [value for other, value in facts.sizes.items() if role(other, value) == "heads"]
    if role(key, 1) in ("heads", "groups"):
        yield from dict.fromkeys((*heads, *(value // 2 for value in heads), 1))
    yield from (32, 64, 16, 2)


def as_long(key: str, facts: Facts, whole: Facts) -> str:
    """Return the key of the number of layers that a list has an entry for each of, few or many; "" where it has none."""
    value, longest = facts.values.get(key), whole.values.get(key)
    if not isinstance(value, (list, tuple)) or not value:
        return ""
    layers = [other for other, size in facts.sizes.items() if role(other, size) == "layers" and size == len(value)]
    layers = [other for other in layers if isinstance(longest, (list, tuple)) and whole.sizes.get(other) == len(longest)]
    return next((other for other in layers if section(other) == section(key)), "")


def _layers(key: str, facts: Facts) -> str:
    """The key of the number of layers in the section of a key; "" where there is none."""
    layers = [other for other, size in facts.sizes.items() if role(other, size) == "layers"]
    return next((other for other in layers if section(other) == section(key)), "")


def signature(row: Row) -> tuple[Any, ...]:
    """The names, shapes and ties of the arrays of a model, and the classes of the modules that hold them."""
    arrays = tuple((name, array.shape, array.shares, array.trained) for name, array in row.module.named())
    return arrays, tuple(row.module.classes())


class Sampler:
    """Configs in which many keys are varied together, those that are built; ``always`` stands in each."""

    def __init__(self, found: Survey, frozen: Iterable[str], seed: int, always: Mapping[str, Any] | None = None) -> None:
        self.found, self.frozen = found, frozenset(frozen)
        self.always = {**found.small, **(always or {})}
        self.rng = random.Random(seed)  # noqa: S311 - no secret

    @property
    def dials(self) -> list[Dial]:
        """The keys that are varied."""
        return [dial for key, dial in self.found.dials.items() if key not in self.frozen]

    def by_role(self, part: float = 1.0) -> Row | None:
        """Sizes that a model is likely to build with, heads that divide and widths that they divide; switches at random."""
        return self._built(self._drawn(part))

    def with_value(self, key: str, value: Any) -> Row | None:
        """A model by role in which one key has this value."""
        return self._built({**self._drawn(1.0), key: value})

    def anywhere(self) -> Row | None:
        """A few keys, each to any other of its values, whatever divides what."""
        dials = self.dials
        chosen = self.rng.sample(dials, k=min(len(dials), self.rng.choice((1, 2, 3, 4, 6))))
        given: dict[str, Any] = {}
        for dial in chosen:
            if is_whole(dial.usual):
                given[dial.key] = (
                    self.rng.randint(1, 2 * max(dial.usual, 1) + 2) if dial.usual < WIDE else self._near(dial.usual)
                )
            else:
                given[dial.key] = self.rng.choice(dial.others)
        self._lengthen(given)
        return self._built(given)

    def without_sections(self, number: int) -> Iterator[Row]:
        """So many models of configs that lack their sections; none where there are no sections."""
        if not any(map(outermost, self.found.dials)):
            return
        own = {key: value for key, value in self.always.items() if not outermost(key)}
        for _ in range(number):
            given = {key: value for key, value in self._drawn(0.5).items() if not outermost(key)}
            if row := self.found.subject.build({**own, **given}):
                yield row

    def _near(self, value: int) -> int:
        return self.rng.choice(
            (value // 2, value + 2, value + 16, value * 2, value * 3, self.rng.randint(value // 2, 2 * value))
        )

    def _drawn(self, part: float) -> dict[str, Any]:
        rng, given = self.rng, {}
        dials = [dial for dial in self.dials if rng.random() < part]
        sizes = {dial.key: dial.usual for dial in dials if is_whole(dial.usual) and dial.usual > 0}
        for key, value in sizes.items():
            if role(key, value) == "groups":
                given[key] = rng.choice((1, 2, 3))
        shared = lcm(*given.values(), 1)
        for key, value in sizes.items():
            if role(key, value) == "heads":
                given[key] = shared * rng.choice((1, 2, 3))
        unit = 2 * lcm(*given.values(), 1)
        for dial in dials:
            key, value = dial.key, dial.usual
            if key in given:
                continue
            if key in sizes:
                match role(key, value):
                    case "layers":
                        most = 2 * value + 2 if rng.random() < 0.25 else value + 1
                        given[key] = rng.randint(2, most) if value > 1 else rng.randint(1, 3)
                    case "width":
                        given[key] = unit * rng.randint(2, 40)
                    case _:
                        given[key] = rng.choice((value, value + 1, value * 2, value + 2, value * 3, max(1, value - 1)))
            elif rng.random() < 0.4:
                given[key] = self._other(dial, unit)
        self._lengthen(given)
        return given

    def _other(self, dial: Dial, unit: int) -> Any:
        """Another value of a key that is not a number; the numbers of a list each anew."""
        usual = dial.usual
        if (
            isinstance(usual, list)
            and usual
            and all(map(is_whole, usual))
            and not dial.like
            and self.rng.random() > AS_SURVEYED
        ):
            return [unit * self.rng.randint(1, 12) if entry >= WIDE else self._few(entry) for entry in usual]
        other = self.rng.choice(dial.others)
        return unit * self.rng.randint(1, 160) if is_whole(other) and other >= WIDE else other  # below and above other widths

    def _few(self, value: int) -> int:
        return self.rng.choice((value, value + 1, value * 2, max(1, value - 1)))

    def _lengthen(self, given: dict[str, Any]) -> None:
        """Make lists as long as there are layers, those that are always given too: words and switches drawn anew."""
        for dial in self.dials:
            if dial.like and dial.key in self.always:
                given.setdefault(dial.key, self.always[dial.key])
        for dial in self.dials:
            if dial.like and dial.key in given and given[dial.key]:
                number = given.get(dial.like, self.found.start.facts.sizes[dial.like])
                words = sorted({entry for value in (dial.usual, *dial.others) for entry in value}, key=str)
                given[dial.key] = [self.rng.choice(words) for _ in range(number)]
                if dial.key in self.found.even:
                    given[dial.key] = [given[dial.key][0]] * number
            if dial.among and isinstance(given.get(dial.key), list):
                number = given.get(dial.among, self.found.start.facts.sizes[dial.among])
                given[dial.key] = sorted(self.rng.sample(range(number), k=self.rng.randint(0, number)))

    def _built(self, given: Mapping[str, Any]) -> Row | None:
        """The model with all of these keys, or with as many as build together, if its lists go with its number of layers."""
        row = self._with_most(given)
        return row if row and all(dial.fits(row.facts) for dial in self.dials) else None

    def _with_most(self, given: Mapping[str, Any]) -> Row | None:
        subject, small = self.found.subject, self.always
        row = subject.build({**small, **given})
        if row is not None:
            return row
        kept: dict[str, Any] = {}
        best: Row | None = None
        pending = [list(given.items())]
        tries = 0
        while pending and tries < 12:
            some = pending.pop()
            tries += 1
            row = subject.build({**small, **kept, **dict(some)})
            if row is not None:
                kept |= dict(some)
                best = row
            elif len(some) > 1:
                self.rng.shuffle(some)
                half = len(some) // 2
                pending += [some[half:], some[:half]]
        return best

"""The making of an entry of the atlas: a class of the library surveyed, fitted, and checked as a config is read.

What was fitted is held against models that were not, drawn in two ways, each read from its config as a user's is. What does not
hold is fitted too; where that does not help, a key is left at its usual value, and a config that sets it otherwise is refused.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from symparams.architectures import Certificate
from symparams.atlas.architectures import architecture
from symparams.atlas.facts import LABELS, TYPE, Facts, Literal, Source, is_whole
from symparams.atlas.keys import SECTION, last
from symparams.atlas.reading import read
from symparams.atlas.record import Entry, Letter, Switch, written
from symparams.atlas.record import read as read_entries
from symparams.atlas.refusals import ACTIVATION, WHOLE
from symparams.atlas.words import taken_out
from symparams.discovery.agreement import divisions, shapes_by, shapes_of
from symparams.discovery.library.roles import role
from symparams.discovery.library.rules import FEWEST, Rules, may_freeze
from symparams.discovery.library.subjects import Row, classes, layer_words, version
from symparams.discovery.library.survey import Dial, Sampler, Survey, are_sizes, as_long
from symparams.discovery.library.variables import Variables
from symparams.discovery.names import is_called, names
from symparams.discovery.parts import Part, merge
from symparams.errors import ConfigError, DefinitionError, DiscoveryError
from symparams.models.library.record import activations
from symparams.models.sources.config_reading import silent_keys

BARE = 4  # models without any section of the config that are checked
ROUNDS = 6
LATE = 3  # rounds after which more models do not help
DEEP, DEEP_CHECKED = (1, 2, 3, 6, -1, -4, -20), (4, 5, -9)  # layers fewer than usual, of what is fitted and of what is checked
TIMES = 3  # that each switch is set beside other sizes than the usual


def make(found: Survey, kind: str, *, rows: int = 60, seed: int = 0, seconds: float = 60) -> Entry:
    """Return the entry of a class that was surveyed, as it is read; DiscoveryError says what could not be found."""
    made = _Making(found, kind, rows, seed, time.monotonic() + seconds).entry()
    return read_entries(kind, written([made]))[made.name]  # whose letters are those that a person chooses


@dataclass
class _Making:
    found: Survey
    kind: str
    number: int
    seed: int
    until: float
    frozen: set[str] = field(default_factory=set)
    for_good: set[str] = field(default_factory=set)  # the frozen keys that are never tried again

    def __post_init__(self) -> None:
        self.variables = Variables(self.found)
        self.frozen |= {key for key, dial in self.found.dials.items() if isinstance(dial.usual, float) and dial.matters}
        self.for_good |= self.frozen
        self.sampler = Sampler(self.found, (), self.seed)

    # what is fitted

    def entry(self) -> Entry:
        """The entry, once what was fitted holds for all that is drawn and not refused."""
        rows = self.fitted_rows()
        part = self.fitted(rows)
        if shortened := self.frozen.intersection(self.found.small):
            self.deepen(shortened)
            rows = self.fitted_rows()
            part = self.fitted(rows)
        needs: list[tuple[str, str]] = []
        for turn in range(ROUNDS):
            made = self.written(part, rows, needs)
            by_role, anywhere, refused, wrong = self.checked(made, turn)
            if not wrong:
                if len(by_role) < FEWEST or len(anywhere) < FEWEST:
                    raise DiscoveryError(
                        f"{self.name}: only {len(by_role) + len(anywhere)} models could be checked, {refused} were refused."
                    )
                return self.certified(made, rows, by_role, anywhere, refused)
            rows, part, needs = self.mended(rows, part, needs, wrong, [*by_role, *anywhere], is_late=turn >= LATE)
        raise DiscoveryError(f"{self.name}: the expressions that were found do not hold at {_shown(wrong[0].given)}.")

    @property
    def name(self) -> str:
        return self.found.subject.name

    def fitted_rows(self) -> list[Row]:
        """The rows of the survey that set nothing frozen, and as many with all keys varied together."""
        self.sampler.frozen = frozenset(self.frozen)
        kept = [row for row in (*self.found.rows, *self.deep) if not self.sets_frozen(row)]
        drawn = [self.sampler.by_role(1.0 if place % 2 else 0.4) for place in range(self.number)]
        odd = [dial for dial in self.sampler.dials if dial.matters and not is_whole(dial.usual)]
        values = [(dial.key, other) for dial in odd if not dial.like for other in dial.others[:2]]
        drawn += [self.sampler.with_value(*value) for value in values[: self.number // TIMES] for _ in range(TIMES)]
        return [row for row in (*kept, *drawn) if row is not None and self.is_whole(row)]

    def is_whole(self, row: Row) -> bool:
        """True if no array is empty, and no list names a layer that there is not."""
        return row.has_no_empty_array and all(dial.fits(row.facts) for dial in self.found.dials.values() if dial.among)

    def deepen(self, keys: set[str]) -> None:
        """Leave keys at the values of the default config, not at those with which fewer layers are surveyed."""
        found = self.found
        for key in keys:
            del found.small[key]
            found.dials[key].usual = self.whole.facts.values[key]
        given = [{key: value for key, value in row.given.items() if key not in keys} for row in found.rows]
        found.rows = list(filter(None, map(found.subject.build, given)))
        found.start = found.rows[0]

    def sets_frozen(self, row: Row) -> bool:
        """True if the config of a model has other values of frozen keys than the usual ones, or unequal ones in even lists."""
        if any(len(set(row.facts.lists.get(key, ()))) > 1 for key in self.found.even):
            return True
        return any(row.given[key] != self.found.dials[key].usual for key in self.frozen.intersection(row.given))

    def fitted(self, rows: list[Row]) -> Part:
        """The part that gives all rows; where none does, keys are frozen until one does, and freed again one by one."""
        before = set(self.frozen)
        proper = [dial for dial in self.found.dials.values() if dial.key in self.variables.proper]
        others = {dial.key for dial in proper if not isinstance(dial.usual, bool) and not is_whole(dial.usual)}
        switches = {dial.key for dial in proper if isinstance(dial.usual, bool)}
        rare = {key for key, dial in self.found.dials.items() if may_freeze(dial)}
        problems: list[str] = []
        nothing: set[str] = set()
        stages = {dial.key for dial in proper if is_whole(dial.usual) and dial.usual in self.stages}
        even = {dial.key for dial in proper if dial.is_even}
        if even and not stages and not self.found.even:
            with suppress(DiscoveryError):
                return self.merged(rows)
            self.found.even = even
            rows[:] = self.fitted_rows()
        ways = (
            *((nothing, False), *([(stages, False)] if stages else []), (stages | others, False), (stages | rare, False)),
            *((stages, True), (stages | others, True), (stages | others | switches, True), (stages | rare, True)),
        )
        for frozen, of_all in ways:
            self.frozen = before | frozen
            kept = [row for row in rows if not self.sets_frozen(row)]
            if frozen:
                kept += [row for row in self.fitted_rows() if row not in kept][: self.number]
            try:
                part = self.merged(kept, of_all=of_all)
            except DiscoveryError as error:
                if self.is_late:
                    raise
                problems.append(str(error))
                continue
            pool = list({id(row): row for row in (*rows, *kept, *self.found.rows)}.values())
            rows[:] = kept
            return self.freed(rows, part, pool, frozen - before, of_all=of_all)
        self.frozen = before
        raise DiscoveryError(f"{self.name}: {problems[0]}") from None

    @property
    def stages(self) -> set[int]:
        """The lengths of the lists that have another size for each stage."""
        return {len(dial.usual) for dial in self.found.dials.values() if are_sizes(dial.usual) and len(set(dial.usual)) > 1}

    def freed(self, rows: list[Row], part: Part, pool: list[Row], frozen: set[str], *, of_all: bool) -> Part:
        """The part in which as few keys as can be are left at their usual values; ``pool`` are models with any of them."""
        groups, left = [sorted(frozen)] if frozen else [], len(frozen)
        while groups and not self.is_late:  # what is left in the time that was given stays as it usually is
            group = groups.pop()
            self.frozen -= set(group)
            self.sampler.frozen = frozenset(self.frozen)
            drawn = [self.sampler.by_role(1.0 if place % 2 else 0.4) for place in range(self.number // TIMES)]
            if len(group) == 1:
                [key] = group
                drawn += [self.sampler.with_value(key, other) for other in self.found.dials[key].others[:TIMES]]
            pool += [row for row in drawn if row is not None]
            tried = [row for row in pool if not self.sets_frozen(row)]
            for way in (of_all,) if len(group) > 1 else (False, True):
                try:
                    part, rows[:] = self.merged(tried, of_all=way), tried
                    break
                except DiscoveryError:
                    continue
            else:
                self.frozen |= set(group)
                half = len(group) // 2
                groups += [group[half:], group[:half]] if half else []
            if not groups and 0 < len(again := self.frozen & frozen) < left:
                groups, left = [sorted(again)], len(again)  # beside those that are free now
        return part

    @property
    def is_late(self) -> bool:
        """True once the time that was given is over."""
        return time.monotonic() > self.until

    def out_of_time(self) -> None:
        if self.is_late:
            raise DiscoveryError(f"{self.name}: not found in the time that was given.")

    def merged(self, rows: Sequence[Row], *, of_all: bool = False) -> Part:
        """The part that gives all rows: in the keys that matter alone, or in all, with the sizes that are alike."""
        self.out_of_time()
        with self.variables.all_of(rows) if of_all else nullcontext():
            variation = self.variables.of(rows)
            seen = [self.variables.observed(row, variation) for row in rows]
            proper = [name for source, name in variation.numbers.items() if source.key in self.variables.proper]
            spare = [name for name in variation.numbers.values() if name not in proper]
            return merge(seen, proper, list(dict.fromkeys(variation.features.values())), spare, self.out_of_time)

    # what is written

    def written(self, part: Part, rows: Sequence[Row], needs: Sequence[tuple[str, str]]) -> Entry:
        variation = self.variables.of(rows)
        by_letter = {name: source for source, name in variation.numbers.items()}
        asked = part.features
        literals = {literal: name for literal, name in variation.features.items() if name in asked}
        keys = {key for literal in literals if literal.compares for key in (literal.key, literal.like)}
        compared = {name for source, name in variation.numbers.items() if source.of == "" and source.key in keys}
        of_flow = names()["letters"]["of_flow"]
        told = {name for name in by_letter if any(is_called(name, letter) for letter in of_flow)}
        needed = {*part.letters, *compared, *(name for pair in needs for name in pair)}
        needed |= set(_last_places(by_letter, needed))
        rules = Rules(self.found, self.whole, rows, variation, self.freeze)
        letters: dict[str, Letter] = {}
        pending = sorted(needed | told)
        while pending:
            name = pending.pop(0)
            usual = rules.usual(by_letter[name])
            if usual is None and name not in needed:
                continue  # a config that lacks it has a count without it
            letters[name] = Letter(by_letter[name], usual, rules.without(by_letter[name], usual))
            more = {dimension.name for dimension in usual.dimensions} if usual is not None else set()
            pending += sorted(more - letters.keys() - set(pending))
        switches = {name: self.switch(literal, rows) for literal, name in literals.items()}
        least = {name: min(row.facts.numbers.get(letter.source, 0) for row in rows) for name, letter in letters.items()}
        dials = self.found.dials
        return Entry(
            self.kind,
            self.name,
            part,
            letters,
            switches,
            dict(self.allowed(letters)),
            {key: words for key, dial in dials.items() if (words := self.words(dial))}
            | {key: (self.numbered(key) or value[0],) for key, value in self.found.fixed.items() if _is_of_one_word(value)},
            {key: dial.like for key, dial in dials.items() if dial.like}
            | {key: like for key in self.found.fixed if (like := as_long(key, self.found.start.facts, self.whole.facts))},
            {key: dial.among for key, dial in dials.items() if dial.among and key not in self.frozen},
            tuple(needs),
            {name: 0 if letters[name].source.of else min(low, 1) for name, low in least.items()},
            Certificate(version(), 0, 0, 0, {}, (), self.seed),
            base=dict(self.found.subject.base),
            aliases={**self.found.subject.aliases, **self.found.aliases},
            heads=classes()[self.kind][self.name],
            beside=tuple(self.beside()),
            lists={key: tuple(self.whole.facts.values[key]) for key in self.indexed()},
        )

    def indexed(self) -> Iterator[str]:
        """The keys of lists that name some layers in the default config too."""
        whole, parted = self.whole.facts.lists, self.found.parted.facts.lists
        for key, dial in self.found.dials.items():
            if dial.among and key in self.found.small and key not in self.frozen:
                if whole.get(key) != parted.get(key):
                    raise DiscoveryError(f"{self.name}: {key} is another list where the config lacks its section.")
                yield key

    def switch(self, literal: Literal, rows: Sequence[Row]) -> Switch:
        """What makes a feature present, with what it usually is."""
        usual, without = self.variables.usually(literal, rows), literal in self.whole.facts.literals
        is_other = self.found.lacks_section(self.whole, literal.key) and without != usual and not literal.compares
        return Switch(literal, usual, without if is_other else None)

    def beside(self) -> Iterator[str]:
        """The config's own keys that are called as those in its sections."""
        facts, unread = self.found.start.facts, self.found.start.unread
        inner = {last(key) for key in facts.values if SECTION in key}
        yield from (key for key in facts.values if SECTION not in key and key in inner and key not in unread)

    def freeze(self, key: str) -> None:
        """Leave a key at its usual value."""
        self.frozen.add(key)
        self.for_good.add(key)

    @cached_property
    def whole(self) -> Row:
        """The model of the default config."""
        row = self.found.subject.build({})
        assert row is not None
        return row

    def words(self, dial: Dial) -> tuple[str, ...]:
        """The words that may stand in a list: those that were checked; of one that is left as it is, the only one in it."""
        if dial.key in self.frozen:
            return (self.numbered(dial.key) or dial.usual[0],) if _is_of_one_word(dial.usual) else ()
        whole = self.whole.facts.values.get(dial.key)
        words = dict.fromkeys((*_entries(dial), *_entries(replace(dial, usual=whole, others=[]))))
        if not dial.matters and self.follows(dial.key) and words.keys().isdisjoint(layer_words()):
            return ()  # names of layers, which the library works out from their number
        return tuple(words)

    def numbered(self, key: str) -> str:
        """The only word of a list with the key of the number that the library puts in it; "" where it puts in none."""
        rows = [row for row in (*self.found.rows, self.whole) if key not in row.given]
        words = [(row.facts.values.get(key), row.facts.sizes) for row in rows]
        return taken_out((word[0], sizes) for word, sizes in words if isinstance(word, list) and _is_of_one_word(word))

    def allowed(self, letters: Mapping[str, Letter]) -> Iterator[tuple[str, tuple[Any, ...]]]:
        """The values that were checked of keys that may have others; of a list that a letter is read from, the usual one."""
        silent = silent_keys()
        read = {letter.source.key for letter in letters.values() if letter.source.of != ""}
        for key, value in self.found.fixed.items():
            if isinstance(value, str) and value in activations():
                yield key, (value if activations()[value] else ACTIVATION,)
            elif key in read or not (any(word in silent for word in key.split(SECTION)) or self.follows(key)):
                yield key, (self.whole.facts.values.get(key, value),)
        for key, dial in self.found.dials.items():
            if (values := self.allowed_of(dial)) is not None:
                yield key, values
        for key, value in self.found.start.facts.values.items():
            if last(key) == TYPE and SECTION in key:
                yield key, (value,)
        yield from ((key, (WHOLE,)) for key in self.found.no_lists if key not in self.frozen and key not in read)

    def follows(self, key: str) -> bool:
        """True for a key that the library works out from others, and of which it takes no other value."""
        return len({str(row.facts.values.get(key)) for row in self.found.rows}) > 1

    def allowed_of(self, dial: Dial) -> tuple[Any, ...] | None:
        """The values of a key that was varied, or left as it is; None where all hold."""
        usual, is_frozen = dial.usual, dial.key in self.frozen
        if is_frozen and isinstance(usual, list):
            return None if _is_of_one_word(usual) else (self.whole.facts.values.get(dial.key, usual),)
        if is_frozen:
            return (usual,)
        if isinstance(usual, str):
            is_idle = activations().get(usual) == () and not dial.matters
            return (ACTIVATION,) if is_idle else (usual, *(other for other in dial.others if isinstance(other, str)))
        if usual is None and not dial.is_size and not any(isinstance(other, list) for other in dial.others):
            return (None, *dial.others)
        return None

    # what is checked

    def checked(self, entry: Entry, turn: int) -> tuple[list[Row], list[Row], int, list[Row]]:
        """The fresh models that are equal, by role and anywhere, how many are refused, and those that are wrong."""
        fresh = Sampler(self.found, self.frozen, self.seed + 1_000 * (turn + 1), self.required(entry))
        equal: tuple[list[Row], list[Row]] = [], []
        wrong: list[Row] = []
        refused = 0
        start = [self.found.start, *self.deeper(DEEP_CHECKED), *fresh.without_sections(BARE)]
        for place in range(self.number + self.number // 2):
            is_by_role = place >= self.number
            row = start.pop() if start else fresh.by_role() if is_by_role else fresh.anywhere()
            if row is None or not self.is_whole(row):
                continue
            verdict = self.verdict(entry, row)
            if verdict is None:
                refused += 1
            elif verdict:
                equal[0 if is_by_role else 1].append(row)
            else:
                wrong.append(row)
        return equal[0], equal[1], refused, wrong

    def required(self, entry: Entry) -> dict[str, Any]:
        """The numbers and lists without which a config is refused, as they usually are."""
        start, dials = self.found.start.facts.sizes, self.found.dials
        keys = [letter.source.key for letter in entry.letters.values() if letter.usual is None]
        lists = {key: list(dials[key].usual) for key in keys if key in dials and dials[key].like}
        return {key: start[key] for key in keys if key in start} | lists

    @cached_property
    def deep(self) -> list[Row]:
        """The default model, and some of about as many layers: what the layers of a few show may not hold for many."""
        return [self.whole, *self.deeper(DEEP)]

    def deeper(self, fewer: Iterable[int]) -> list[Row]:
        """Models of so many layers fewer, or more, than usual; none where the usual ones are few."""
        usual = self.whole.facts.sizes
        layers = {key: usual[key] for key in self.found.small if key in usual}
        given = [{key: max(1, value - less) for key, value in layers.items()} for less in fewer if layers]
        return list(filter(None, map(self.found.subject.build, given)))

    def verdict(self, entry: Entry, row: Row) -> bool | None:
        """True if an entry gives the model of a config, None if it refuses it."""
        given = {**self.found.subject.base, **row.given}
        try:
            reading = read(entry, Facts(given))
        except ConfigError:
            return None
        shapes = shapes_by(entry.part, reading.numbers, reading.present)
        return shapes == shapes_of(row.module)

    def mended(
        self,
        rows: list[Row],
        part: Part,
        needs: list[tuple[str, str]],
        wrong: list[Row],
        right: Sequence[Row],
        *,
        is_late: bool,
    ) -> tuple[list[Row], Part, list[tuple[str, str]]]:
        """What is fitted next: the wrong models too, what sizes must divide, or, at once if it is late, fewer keys."""
        self.out_of_time()
        more = [*rows, *wrong]
        before = set(self.frozen)
        other = None
        for of_all in () if is_late else (False, True):
            try:
                other = self.merged(more, of_all=of_all)
                break
            except DiscoveryError:
                continue
        if other is not None and other.roundings <= part.roundings:
            return more, other, needs
        variation = self.variables.of(more)
        pairs = self.pairs(part)
        at_wrong = [variation.sizes(row) for row in wrong]
        at_right = [variation.sizes(row) for row in right]
        pairs = [(a, b) for a, b in pairs if all(sizes.get(a, 0) > 0 and b in sizes for sizes in (*at_wrong, *at_right))]
        found = divisions(at_wrong, at_right, pairs)
        if found is not None:
            return rows, part, list(dict.fromkeys((*needs, *found)))
        if other is not None:
            return more, other, needs
        for row in wrong[:6]:
            self.frozen |= self.culprits(row, part, rows, needs)
        if self.frozen == before:
            raise DiscoveryError(f"{self.name}: the expressions that were found do not hold at {_shown(wrong[0].given)}.")
        return *self.fitted_anew(self.frozen - before), needs

    def fitted_anew(self, culprits: set[str]) -> tuple[list[Row], Part]:
        """What is fitted with these keys left too: others that were left before are tried again, and left if that fails."""
        left = set(self.frozen)
        self.for_good |= culprits
        if self.for_good != left:
            self.frozen = set(self.for_good)
            with suppress(DiscoveryError):
                kept = [row for row in self.fitted_rows() if not self.sets_frozen(row)]
                return kept, self.fitted(kept)
            self.frozen = left
        kept = [row for row in self.fitted_rows() if not self.sets_frozen(row)]
        return kept, self.fitted(kept)

    def culprits(self, row: Row, part: Part, rows: Sequence[Row], needs: Sequence[tuple[str, str]]) -> set[str]:
        """The keys without which a wrong model is right: switches, words and lists of them; all of them if there are none."""
        entry = self.written(part, rows, needs)
        given = dict(row.given)
        for key in list(given):
            if key in self.found.small:
                continue
            fewer = {name: value for name, value in given.items() if name != key}
            built = self.found.subject.build({**self.found.small, **fewer})
            if built is not None and self.verdict(entry, built) is False:
                given = fewer
        keys = {key for key in given if key in self.found.dials and may_freeze(self.found.dials[key])}
        odd = {key for key in keys if not is_whole(given[key]) or not is_whole(self.found.dials[key].usual)}
        chosen = odd or keys
        idle = {key for key in chosen if key not in self.variables.proper}
        return idle or chosen

    def pairs(self, part: Part) -> list[tuple[str, str]]:
        """The pairs of letters of which the first divides the second at the start: heads and other numbers, of widths."""
        used = part.letters
        sizes = {key: value for key, value in self.found.start.facts.sizes.items() if last(key) != LABELS}
        roles = {key: role(key, value) for key, value in sizes.items()}
        letters = {key: self.variables.names.letter(Source(key)) for key in sizes}
        divisors = [
            key for key in sizes if roles[key] in ("heads", "groups") or (roles[key] == "count" and letters[key] in used)
        ]
        wholes = [key for key in sizes if roles[key] in ("width", "heads") and (letters[key] in used or roles[key] == "heads")]
        return [
            (letters[a], letters[b]) for a in divisors for b in wholes if a != b and sizes[a] > 1 and sizes[b] % sizes[a] == 0
        ]

    def certified(
        self, made: Entry, rows: Sequence[Row], by_role: Sequence[Row], anywhere: Sequence[Row], refused: int
    ) -> Entry:
        seen = [*rows, *by_role, *anywhere]
        ranges = {}
        for name, letter in made.letters.items():
            values = [row.facts.numbers.get(letter.source, 0) for row in seen]
            ranges[name] = (min(values), max(values))
        is_equal = self.verdict(made, self.whole)
        if is_equal is False:
            raise DiscoveryError(f"{self.name}: the expressions that were found do not hold for the default config.")
        try:
            architecture(made)
        except DefinitionError as error:
            raise DiscoveryError(f"{self.name}: {error}") from None
        certificate = Certificate(
            version(), len(rows) + len(by_role), len(anywhere), refused, ranges, tuple(made.features), self.seed
        )
        return replace(
            made, certificate=certificate, default=self.whole.module.count(frozen=True) if is_equal and not made.base else 0
        )


def _last_places(sources: Mapping[str, Source], needed: set[str]) -> Iterator[str]:
    """The last number of each list of which any is needed, so that its length is known."""
    places = {(source.key, source.of): name for name, source in sources.items() if isinstance(source.of, int)}
    for key in {sources[name].key for name in needed if isinstance(sources[name].of, int)}:
        yield places[key, max(int(of) for other, of in places if other == key)]


def _is_of_one_word(value: Any) -> bool:
    return isinstance(value, list) and len(set(map(str, value))) == 1 and isinstance(value[0], str)


def _entries(dial: Dial) -> tuple[str, ...]:
    listed = [value for value in (dial.usual, *dial.others) if isinstance(value, list)]
    words = list(dict.fromkeys(entry for value in listed for entry in value))
    return tuple(word for word in words if isinstance(word, str))


def _shown(given: Mapping[str, Any]) -> str:
    return ", ".join(f"{key}={value}" for key, value in given.items())

"""The variables of a class: the numbers of its config that vary, as letters, and what holds in some models, as features."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import combinations

from symparams.atlas.facts import EACH, MOST_PLACES, SUM, Literal, Names, Source
from symparams.atlas.keys import SECTION
from symparams.discovery.library.roles import WIDE, completion, role
from symparams.discovery.library.subjects import Row
from symparams.discovery.library.survey import Survey
from symparams.discovery.parts import Observation
from symparams.errors import DiscoveryError
from symparams.records import frozen

LONGEST_NAME = 70


@frozen
class Variation:
    """The numbers that are not the same in all of some models, as letters, and what only some of them have, as features."""

    numbers: Mapping[Source, str]
    features: Mapping[Literal, str]

    def sizes(self, row: Row) -> dict[str, int]:
        """The numbers of a model by letter; of one that is null what it most often is then."""
        return {name: number_of(row, source) for source, name in self.numbers.items()}


class Variables:
    """The keys in which a class is fitted: at first those that change an array when they are varied alone."""

    def __init__(self, found: Survey) -> None:
        self.found = found
        self.names = Names(found.start.facts.values, found.subject.aliases)
        self.proper = {key for key, dial in found.dials.items() if dial.matters}
        self.compared: tuple[Literal, ...] = ()
        self.derived: frozenset[Literal] = frozenset()  # switches that others set where a config does not

    @contextmanager
    def all_of(self, rows: Sequence[Row]) -> Iterator[None]:
        """Take all switches, words and nulls to matter, and compare sizes; for good if nothing is raised."""
        before, self.compared = self.proper, self._comparisons(rows)
        self.proper = before | {
            key for key, dial in self.found.dials.items() if dial.usual is None or isinstance(dial.usual, (bool, str))
        }
        try:
            yield
        except DiscoveryError:
            self.proper, self.compared = before, ()
            raise

    def _comparisons(self, rows: Sequence[Row]) -> tuple[Literal, ...]:
        """The pairs of sizes that are the same in some models, and the numbers that are above 0 or 1 in some of them."""
        start = self.found.start.facts.sizes
        sizes = [key for key in self.found.dials if start.get(key, 0) >= WIDE]
        counts = [key for key, dial in self.found.dials.items() if key in start and role(key, dial.usual) == "count"]
        pairs = [Literal(a, None, b) for a, b in combinations(sizes, 2) if {a, b} & self.proper]
        several = [*pairs, *(Literal(key, None, above=least) for key in counts for least in (0, 1))]
        held = {literal: sum(literal.holds(row.facts.sizes) for row in rows) for literal in several}
        return tuple(literal for literal in several if 0 < held[literal] < len(rows))

    def _literals(self, row: Row) -> frozenset[Literal]:
        """All that holds in a model, with the comparisons that do; of a switch that others set what the config says."""
        held = row.facts.literals.union(literal for literal in self.compared if literal.holds(row.facts.sizes))
        silent = {literal for literal in self.derived if row.given.get(literal.key) is None}
        return (held - silent) | (silent & self.found.start.facts.literals)

    def of(self, rows: Sequence[Row]) -> Variation:
        """What varies in these models."""
        switches = {Literal(key) for key in self.proper if isinstance(self.found.start.facts.values.get(key), bool)}
        self.derived = frozenset(literal for literal in switches if len(self._unsaid(literal, rows)) > 1)
        values: dict[Source, set[int]] = {}
        held: dict[Literal, int] = {}
        alike = _of_one_length(rows)
        for row in rows:
            for source, number in row.facts.numbers.items():
                if (source.of == EACH) != (source.key in self.found.even) or (source.of == SUM and source.key in alike):
                    continue
                if (
                    source.key in self.found.dials
                    or source.key not in self.found.start.facts.values
                    or source.key not in row.given
                ):
                    values.setdefault(source, set()).add(number)
            for literal in sorted(self._literals(row), key=repr):  # a set has no order
                if literal.compares or literal.key in self.proper:
                    held[literal] = held.get(literal, 0) + 1
        missing = {source for source in values for row in rows if source not in row.facts.numbers}
        numbers = {
            source: self.names.letter(source)
            for source, several in values.items()
            if len(several) > 1 or (source in missing and several != {0})
        }
        features = {
            literal: self.names.feature(literal)
            for literal, count in held.items()
            if count < len(rows) and (literal.compares or self.usually(literal, rows) is not None)
        }
        taken: dict[str, Source] = {}
        for source, letter in list(numbers.items()):
            if letter in taken:
                numbers[source] = f"{letter}_{source.key.replace(SECTION, '_')}"[:LONGEST_NAME]
            taken[letter] = source
        for literal, feature in list(features.items()):
            if feature in taken:
                features[literal] = f"has_{feature}"
        return Variation(numbers, features)

    def observed(self, row: Row, variation: Variation) -> Observation:
        """A model in these letters and features."""
        held = self._literals(row)
        features = frozenset(name for literal, name in variation.features.items() if literal in held)
        return Observation(variation.sizes(row), features, row.module, row.facts.lists)

    def usually(self, literal: Literal, rows: Sequence[Row]) -> bool | None:
        """Whether something holds where a config does not say; None where that depends on other keys, or is compared.

        What it is where the config lacks the whole section is told apart.
        """
        if literal.compares:
            return None
        if literal in self.derived:
            return literal in self.found.start.facts.literals
        held = self._unsaid(literal, rows)
        return held.pop() if len(held) == 1 else None

    def _unsaid(self, literal: Literal, rows: Sequence[Row]) -> set[bool]:
        """Whether something holds in the models of configs that do not say it, though they have its section."""
        silent = [row for row in rows if row.given.get(literal.key) is None]
        return {literal in row.facts.literals for row in silent if not self.found.lacks_section(row, literal.key)}


def _of_one_length(rows: Sequence[Row]) -> set[str]:
    """The keys of lists that are as long in all models and not longer than numbers are told by place."""
    lengths: dict[str, set[int]] = {}
    for row in rows:
        for key, value in row.facts.lists.items():
            lengths.setdefault(key, set()).add(len(value))
    return {key for key, several in lengths.items() if len(several) == 1 and max(several) <= MOST_PLACES}


def number_of(row: Row, source: Source) -> int:
    """A number of a model; of one that is null what it most often is then, or 0."""
    number = row.facts.numbers.get(source)
    if number is not None or source.of != "":
        return number or 0
    match [row.facts.sizes[key] for key in completion(source.key, row.facts)]:
        case [width, heads]:
            return width // heads
        case [heads]:
            return heads
        case _:
            return 0

"""The rules of a class: what a letter is where a config does not have its number."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from symparams.atlas.facts import Source, is_whole
from symparams.discovery.fitting import fit
from symparams.discovery.library.roles import completion, role
from symparams.discovery.library.subjects import Row
from symparams.discovery.library.survey import Dial, Survey
from symparams.discovery.library.variables import Variation, number_of
from symparams.expressions.nodes import Dimension, Expression, Floor, Number, Quotient
from symparams.expressions.written import exact
from symparams.records import frozen

FEWEST = 8  # models from which a rule is told


@frozen
class Rules:
    """What the letters of a class usually are, told from its models; ``whole`` is that of the default config.

    ``freeze`` is told a key that a rule cannot be found with: it is left at its usual value.
    """

    found: Survey
    whole: Row
    rows: Sequence[Row]
    variation: Variation
    freeze: Callable[[str], None]

    def usual(self, source: Source) -> Expression | None:
        """What a letter is where the config has no number for it; None where nothing tells."""
        if source.key in self.found.small:
            number = self.found.parted.facts.numbers.get(source)
            return None if number is None else Number(number)
        if source.key in self.found.subject.base:
            return None
        without = [
            row for row in self.rows if row.given.get(source.key) is None and not self.found.lacks_section(row, source.key)
        ]
        known = [number_of(row, source) for row in without]
        if len(set(known)) == 1:
            return Number(known[0])
        if not known:
            return None
        others = [other for at, other in self.variation.numbers.items() if at.key != source.key]
        samples = [self.variation.sizes(row) for row in without]
        found = self._completed(source, known, without)
        found = found if found is not None else fit(known, samples, others)
        return found if found is not None else self._simplified(source, without, known, samples, others)

    def without(self, source: Source, usual: Expression | None) -> int | None:
        """The number of a letter in the default config if that lacks its section; None where it is what it usually is."""
        number = self.whole.facts.numbers.get(source)
        if number is None or not self.found.lacks_section(self.whole, source.key):
            return None
        sizes = {Dimension(name): size for name, size in self.variation.sizes(self.whole).items()}
        if usual is not None and sizes.keys() >= set(usual.dimensions) and exact(usual, sizes) == number:
            return None
        return number

    def _simplified(
        self,
        source: Source,
        rows: Sequence[Row],
        values: Sequence[int],
        samples: Sequence[Mapping[str, int]],
        letters: Sequence[str],
    ) -> Expression | None:
        """What a letter usually is where one of the keys on which it depends is left at its usual value; that key is frozen."""
        start = self.found.start.facts.numbers.get(source)
        depends = {
            key
            for row in self.found.rows
            if len(only := row.given.keys() - self.found.small.keys()) == 1 and row.facts.numbers.get(source) != start
            for key in only
        }
        found: dict[str, Expression] = {}
        for key in sorted(depends & self.found.dials.keys()):
            dial = self.found.dials[key]
            kept = [place for place, row in enumerate(rows) if row.given.get(key, dial.usual) == dial.usual]
            if len(kept) >= FEWEST and may_freeze(dial):
                expression = fit([values[place] for place in kept], [samples[place] for place in kept], letters)
                if expression is not None:
                    found[key] = expression
        if not found:
            return None
        key = min(found, key=lambda one: len(repr(found[one])))
        self.freeze(key)
        return found[key]

    def _completed(self, source: Source, values: Sequence[int], rows: Sequence[Row]) -> Expression | None:
        """The number of heads, or the width that falls to each, where that is what a letter is without a number."""
        keys = completion(source.key, self.found.start.facts) if source.of == "" else ()
        numbers = self.variation.numbers
        letters = [numbers[Source(key)] for key in keys if Source(key) in numbers]
        if not keys or len(letters) < len(keys):
            return None
        sizes = [[row.facts.sizes.get(key, 0) for key in keys] for row in rows]
        if len(keys) == 1:
            return Dimension(letters[0]) if values == [of for (of,) in sizes] else None
        if not all(heads and value == width // heads for value, (width, heads) in zip(values, sizes, strict=True)):
            return None
        quotient = Quotient(Dimension(letters[0]), Dimension(letters[1]))
        return Floor(quotient) if any(width % heads for width, heads in sizes) else quotient


def may_freeze(dial: Dial) -> bool:
    """True for a key that most configs do not set: no width, no number of heads or layers."""
    return not is_whole(dial.usual) or role(dial.key, dial.usual) == "count"

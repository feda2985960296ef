"""Expressions that fit whole numbers: what a side, or a number of layers, is at each of some samples of sizes.

The forms are tried from the simplest: a number, a product of powers, a sum of such products, the smaller of two, what is
rounded. All is exact: a form is taken where it gives every number, and where there are more numbers than it has free ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations

from symparams.discovery.rounding import of_any, rounded
from symparams.discovery.terms import Points, of_powers, of_products
from symparams.expressions.nodes import Dimension, Expression, Number
from symparams.expressions.written import exact

Sample = Mapping[str, int]

MOST_LETTERS = 5  # of which one number is made
MOST_TOGETHER = 10  # letters that change where one does of which the others are made
MOST_SETS = 200  # of letters of which forms are tried
FEWER_SETS = 60  # where those that matter by themselves decide the values
MOST_ROUNDED = 12  # of which forms with rounding are tried
MOST_BESIDE = 3  # where those that matter by themselves decide the values
FEWEST_TOLD = 4  # samples that tell more than what is near


def fit(
    values: Sequence[int], samples: Sequence[Sample], letters: Iterable[str], spare: Iterable[str] = ()
) -> Expression | None:
    """Return the simplest expression in the letters that gives every value at its sample; None if no form does.

    ``spare`` are letters that alone changed nothing, but may matter beside others: they are tried where the letters fail.
    """
    return Table(samples, letters, spare).fit(values)


class Table:
    """Samples, and what they tell of their letters, to fit any number of lists of values to."""

    def __init__(self, samples: Sequence[Sample], letters: Iterable[str], spare: Iterable[str] = ()) -> None:
        self._columns: dict[str, tuple[int, ...]] = {}
        proper, others = list(letters), list(spare)
        seen: set[tuple[int, ...]] = set()
        for name in (*proper, *others):
            column = tuple(sample[name] for sample in samples)
            if len(set(column)) > 1 and column not in seen:  # of two that are always alike the first will do
                seen.add(column)
                self._columns[name] = column
        self._letters = [name for name in self._columns if name in proper]
        self._spare = [name for name in self._columns if name not in proper]
        self._samples = samples
        self._same = [group for group in self._groups(list(self._columns)) if len(group) > 1]
        self._alone = {name: self._differing(name) for name in self._columns}
        self._together = [(row, few) for row in range(1, len(samples)) if 0 < len(few := self._changed(row)) <= MOST_TOGETHER]
        self._found: dict[tuple[int, ...], Expression | None] = {}
        self._by_letters: dict[tuple[str, ...], list[list[int]]] = {}

    def fit(
        self, values: Sequence[int], near: Iterable[Expression] = (), known: Iterable[Expression] = (), *, brief: bool = False
    ) -> Expression | None:
        """Return the simplest expression that gives these values, one for each sample; None if no form does.

        ``near`` are forms of what belongs to it, as the weight's of a bias, ``known`` those of anything else: both are tried
        where the letters that matter by themselves fail, and near ones first where few samples tell of letters. If ``brief``,
        only the plainest sets of letters are tried.
        """
        key = tuple(values)
        if key in self._found:
            return self._found[key]
        found: Expression | None
        near = list(near)
        if len(key) < FEWEST_TOLD:
            found = self._first(near, key) or self._fitted(key, known, brief)
        else:
            found = self._fitted(key, [*near, *known], brief)
        if found is not None or not brief:
            self._found[key] = found
        return found

    def _first(self, forms: Iterable[Expression], values: Sequence[int]) -> Expression | None:
        return next((form for form in forms if self.gives(form, values)), None)

    def gives(self, form: Expression, values: Sequence[int]) -> bool:
        """True if a form gives the value at each sample."""
        for value, at in zip(values, self._at, strict=True):
            try:
                if exact(form, at) != value:
                    return False
            except ZeroDivisionError:
                return False
        return True

    @cached_property
    def _at(self) -> list[dict[Dimension, int]]:
        return [{Dimension(name): value for name, value in sample.items()} for sample in self._samples]

    def contradicts(self, values: Sequence[int]) -> bool:
        """True if two samples of the same sizes have different values, which no expression in the sizes can give."""
        return _vary(self._same, values)

    def _fitted(self, values: tuple[int, ...], known: Iterable[Expression], brief: bool) -> Expression | None:
        if len(set(values)) == 1:
            return Number(values[0])
        if self.contradicts(values):
            return None
        tried, decided = 0, False
        for place, tier in enumerate(self._tiers(values)):
            here: list[Points] = []
            for names in tier:
                points = self._points(names, values) if tried + len(here) < (FEWER_SETS if decided else MOST_SETS) else None
                if points is None:
                    continue
                here.append(points)
                found = of_powers(points) or of_products(points, spare=1 + min(place, 2))
                if found is not None:
                    return found
            if not place and (found := self._first(known, values)) is not None:
                return found
            if not place:
                decided = bool(here)
            for points in here[: MOST_BESIDE if decided else MOST_ROUNDED]:
                if (found := rounded(points)) is not None:
                    return found
            if not place:
                found = of_any(self._points(tuple(self._columns), values))
                if found is not None or brief:
                    return found
            tried += len(here)
        return None

    def _tiers(self, values: tuple[int, ...]) -> Iterator[Iterator[tuple[str, ...]]]:
        """Sets of letters, the likeliest first: those that matter by themselves, then beside them one or two of the others."""
        known = [name for name, groups in self._alone.items() if _vary(groups, values)]
        if len(known) > MOST_LETTERS:
            return
        wider = self._wider(known, values)
        room = MOST_LETTERS - len(known)
        unshown = [name for name in self._letters if not self._alone[name]]
        idle = [name for name in self._letters if name not in known and name not in unshown]
        spare = [name for name in self._spare if name not in known]

        def beside(*sets: Iterable[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
            return ((*known, *more) for each in sets for more in each if len(more) <= room)

        yield iter([tuple(names) for names in (known, wider) if 0 < len(names) <= MOST_LETTERS][: 1 + (wider != known)])
        yield beside(combinations(unshown, 1), combinations(unshown, 2), [tuple(unshown)] if len(unshown) > 2 else [])
        yield beside(combinations(idle, 1))
        yield beside(combinations(spare, 1))
        yield beside(((one, other) for one in unshown for other in spare), combinations(spare, 2))

    def _wider(self, known: list[str], values: Sequence[int]) -> list[str]:
        """The letters that matter if those do that no sample clears, of those that change with others that are made of them."""
        idle = {name for row, few in self._together if values[row] == values[0] for name in few}
        changed = [few for row, few in self._together if values[row] != values[0] and not any(name in known for name in few)]
        left = [[name for name in few if name not in idle and name in self._letters] for few in changed]
        more = {few[0] for few in left if len(few) == 1}
        return [name for name in self._columns if name in known or name in more]

    def _changed(self, row: int) -> list[str]:
        """The letters in which a sample differs from the first."""
        return [name for name, column in self._columns.items() if column[row] != column[0]]

    def _differing(self, name: str) -> list[list[int]]:
        """The samples that differ in this letter alone, in groups."""
        column = self._columns[name]
        groups = self._groups([other for other in self._columns if other != name])
        return [group for group in groups if len({column[row] for row in group}) > 1]

    def _groups(self, names: Sequence[str]) -> list[list[int]]:
        """The samples in groups of the same sizes, of these letters alone."""
        groups: dict[tuple[int, ...], list[int]] = {}
        for row, at in enumerate(zip(*(self._columns[name] for name in names), strict=True)):
            groups.setdefault(at, []).append(row)
        return list(groups.values()) if names else [list(range(len(self._samples)))]

    def _points(self, names: tuple[str, ...], values: tuple[int, ...]) -> Points | None:
        """The values by these letters alone; None where they do not decide them."""
        groups = self._by_letters.get(names)
        if groups is None:
            groups = self._by_letters[names] = self._groups(names)
        for group in groups:
            first = values[group[0]]
            for row in group:
                if values[row] != first:
                    return None
        rows = [group[0] for group in groups]
        columns = tuple(tuple(self._columns[name][row] for row in rows) for name in names)
        return Points(tuple(map(Dimension, names)), columns, tuple(values[row] for row in rows))


def _vary(groups: Iterable[Sequence[int]], values: Sequence[int]) -> bool:
    """True if in any of these groups of samples the value is not always the same."""
    return any(len({values[row] for row in group}) > 1 for group in groups)

"""Levels: the rows of several models that stand for one another, and the heights at which they come to stand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, groupby, pairwise
from typing import TypeVar

from symparams.drawings.canvas import NEAR
from symparams.drawings.compared.columns import ModelColumn
from symparams.drawings.marks import Box, Frame, Mark, Operation, Pill, Rectangle, Text, Tint, Wire
from symparams.drawings.outline.parts import AlternatingLayers, LayerStack, Part, blocks
from symparams.records import frozen

First = TypeVar("First")
Second = TypeVar("Second")
STRIP, FOOT = "strip", "foot"  # the edges of a frame
ROWS_APART, LABELS_APART = 3.0, 3.0  # a row from one that the model lacks, what is told from what is told above it
LESS = 0.1  # as much as a partner in the first model one in another counts


@frozen
class Row:
    """What stands side by side in a model, from its top to its bottom: blocks by their paths, sums, pills by their words.

    ``stack`` is the path of the layers in which it stands, or to whose frame it belongs, in the first model where these have a
    partner there; "" outside of them.
    """

    top: float
    bottom: float
    marks: tuple[Mark, ...]
    stack: str = ""
    edge: str = ""  # of a frame: its strip or its foot

    @property
    def path(self) -> str:
        """The path of the stack of which it is the strip."""
        return next(mark.part for mark in self.marks if isinstance(mark, Frame))

    @property
    def boxes(self) -> tuple[Box, ...]:
        """The blocks, from the left."""
        return tuple(sorted((mark for mark in self.marks if isinstance(mark, Box)), key=lambda box: box.place.x))

    @property
    def words(self) -> frozenset[str]:
        """What else there is: the sign of a sum, the words of a pill."""
        pills = (mark for mark in self.marks if isinstance(mark, Pill))
        words = ("".join(str(piece.value) for line in pill.lines for piece in line.pieces) for pill in pills)
        return frozenset([*words, *(mark.sign for mark in self.marks if isinstance(mark, Operation))])


@frozen
class Level:
    """A row of each model that has it, by the model's number: one that stands for another is on its level."""

    rows: Mapping[int, Row]

    @property
    def first(self) -> Row:
        """The row of the first model that has one."""
        return self.rows[min(self.rows)]


def levels(columns: Sequence[ModelColumn]) -> list[Level]:
    """The rows of all models from below; those of the first that have a partner in another, and those that have none."""
    ways = [ways_of(column) if column.is_whole else [rows(column)] for column in columns]
    met = [level for of_each in zip(*ways, strict=True) for level in _of_one_way(columns, of_each)]
    return _in_another_order(columns, met) if columns[0].is_whole else met


def _in_another_order(columns: Sequence[ModelColumn], met: Sequence[Level]) -> list[Level]:
    """The levels; blocks of layers that the other model lacks with those of its layers, left over, that are most alike."""
    alone = {(min(level.rows), level.first.stack) for level in met if level.first.edge and len(level.rows) == 1}
    left = [level for level in met if len(level.rows) == 1 and level.first.boxes]
    pairs = [
        (_likeness(columns[one], level.first, columns[two], other.first), level, other)
        for level, other in combinations(left, 2)
        for one, two in [(min(level.rows), min(other.rows))]
        if one != two and {(one, level.first.stack), (two, other.first.stack)} & alone
    ]
    found: dict[int, Level] = {}
    taken: set[int] = set()
    for likeness, level, other in sorted(pairs, key=lambda pair: -pair[0]):
        if likeness and not {id(level), id(other)} & (taken | found.keys()):
            found[id(level)] = Level({**level.rows, **other.rows})
            taken.add(id(other))
    return [found.get(id(level), level) for level in met if id(level) not in taken]


def _of_one_way(columns: Sequence[ModelColumn], of_each: Sequence[Sequence[Row]]) -> list[Level]:
    """The levels of one column of each model."""
    met = [Level({0: row}) for row in of_each[0]]
    for number in range(1, len(columns)):

        def likeness(level: Level, row: Row, number: int = number) -> float:
            found = (
                _likeness(columns[other], own, columns[number], row) * (LESS if other else 1)
                for other, own in level.rows.items()
            )
            return max(found)

        met = [
            Level({**(level.rows if level else {}), **({number: row} if row else {})})
            for level, row in _by_stack(met, of_each[number], likeness, columns, number)
        ]
    return met


def rows(column: ModelColumn) -> list[Row]:
    """The rows of a column from below: what overlaps in height is one; the strip of a frame and its foot are rows, too."""
    found: list[Row] = []
    for mark in column.marks:
        if isinstance(mark, Frame) and mark.tint is Tint.STACK:
            found.append(Row(mark.place.y, mark.place.y + mark.strip, (mark,), mark.part, STRIP))
            found.append(Row(mark.place.bottom, mark.place.bottom, (), mark.part, FOOT))
        elif isinstance(mark, (Box, Pill, Operation)):
            found.append(Row(*mark.heights, (mark,)))
    found.sort(key=lambda row: -row.bottom)
    merged: list[Row] = []
    for row in found:
        last = merged[-1] if merged else row
        if merged and not row.edge and not last.edge and row.bottom > last.top + NEAR:
            merged[-1] = replace(last, top=min(row.top, last.top), marks=(*last.marks, *row.marks))
        else:
            merged.append(row)
    return list(_within_stacks(merged))


def ways_of(column: ModelColumn) -> list[list[Row]]:
    """The blocks of each column of a model from below, and those that several read: by themselves, and the edges of stacks."""
    boxes = {mark.part: mark for mark in column.marks if isinstance(mark, (Box, Frame))}

    def ordered(parts: Iterable[Part], stack: str = "") -> Iterator[Row]:
        for part in parts:
            if isinstance(part, AlternatingLayers):
                yield from ordered(part.stacks)
            elif isinstance(part, LayerStack):
                frame = boxes[part.path]
                yield Row(frame.place.bottom, frame.place.bottom, (), part.path, FOOT)
                yield from ordered(part.parts, part.path)
                yield Row(*frame.heights, (frame,), part.path, STRIP)
            else:
                yield from (
                    Row(*boxes[of.path].heights, (boxes[of.path],), stack) for of in blocks((part,)) if of.path in boxes
                )

    ways = [
        [*column.feet, *(part for of in (*column.scores, *column.inputs.values()) for part in of), *column.spine,
         *(part for head in column.heads for part in head.parts)]
        for column in column.drawn.columns
    ]  # fmt: skip
    of_all = [*column.drawn.owners, *(part for head in column.drawn.heads for part in head.parts)]
    return [list(ordered(parts)) for parts in (*ways, of_all)]


def _within_stacks(found: Sequence[Row]) -> Iterator[Row]:
    """The rows from below, all between the foot of a stack and its strip within it."""
    around = ""
    for row in found:
        around = row.stack if row.edge == FOOT and not around else around
        yield replace(row, stack=around)
        around = "" if row.edge == STRIP and row.stack == around else around


def _by_stack(
    met: Sequence[Level],
    found: Sequence[Row],
    likeness: Callable[[Level, Row], float],
    columns: Sequence[ModelColumn],
    number: int,
) -> Iterator[tuple[Level | None, Row | None]]:
    """Pair levels with rows: stacks with stacks first, of which as many layers as can be stand for one another."""
    ours = [list(group) for _, group in groupby(met, lambda level: level.first.stack)]
    theirs = [list(group) for _, group in groupby(found, lambda row: row.stack)]

    def alike(levels: Sequence[Level], rows: Sequence[Row]) -> float:
        if not (levels[0].first.stack and rows[0].stack):
            return 0.0
        has_any = any(level and row for level, row in align(levels, rows, likeness) if level and level.first.boxes)
        layers = [columns[min(levels[0].rows)].layers(levels[0].first.stack), columns[number].layers(rows[0].stack)]
        return min(layers) * has_any

    between: tuple[list[Level], list[Row]] = ([], [])
    for level_run, row_run in align(ours, theirs, alike):
        if level_run is not None and row_run is not None:
            yield from align(*between, likeness)
            between = ([], [])
            around = level_run[0].first.stack  # one stack from here on, whatever it is called in each model
            for level, row in align(level_run, row_run, likeness):
                yield level, row and replace(row, stack=around)
        else:
            between[0].extend(level_run or ())
            between[1].extend(row_run or ())
    yield from align(*between, likeness)


def align(
    ours: Sequence[First], theirs: Sequence[Second], likeness: Callable[[First, Second], float]
) -> list[tuple[First | None, Second | None]]:
    """Pair two sequences in their order so that the likeness of all pairs is as high as can be; dynamic programming."""
    best = [[0.0] * (len(theirs) + 1) for _ in range(len(ours) + 1)]
    alike = [[likeness(one, other) for other in theirs] for one in ours]
    for i in reversed(range(len(ours))):
        for j in reversed(range(len(theirs))):
            paired = alike[i][j] + best[i + 1][j + 1] if alike[i][j] else 0.0
            best[i][j] = max(paired, best[i + 1][j], best[i][j + 1])
    pairs: list[tuple[First | None, Second | None]] = []
    i = j = 0
    while i < len(ours) and j < len(theirs):
        if alike[i][j] and best[i][j] == alike[i][j] + best[i + 1][j + 1]:
            pairs.append((ours[i], theirs[j]))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            pairs.append((ours[i], None))
            i += 1
        else:
            pairs.append((None, theirs[j]))
            j += 1
    return [*pairs, *((one, None) for one in ours[i:]), *((None, other) for other in theirs[j:])]


def _likeness(here: ModelColumn, row: Row, there: ModelColumn, other: Row) -> float:
    """How much two rows stand for one another: by their blocks, then by sums and pills; edges of frames by themselves."""
    if row.edge or other.edge:
        return float(row.edge == other.edge)
    if bool(row.stack) is not bool(other.stack):
        return 0.0
    blocks = sum(here.kinds[one.part].likeness(there.kinds[two.part]) for one, two in partners(here, row, there, other))
    return blocks + 0.5 * bool(row.words & other.words)


def partners(here: ModelColumn, row: Row, there: ModelColumn, other: Row) -> list[tuple[Box, Box]]:
    """The blocks of two rows that stand for one another, the most alike first."""
    pairs = [
        (here.kinds[one.part].likeness(there.kinds[two.part]), one, two)
        for one in row.boxes
        for two in other.boxes
        if one.part in here.kinds and two.part in there.kinds
    ]
    met: list[tuple[Box, Box]] = []
    for likeness, one, two in sorted(pairs, key=lambda pair: -pair[0]):
        if likeness and all(one is not mine and two is not theirs for mine, theirs in met):
            met.append((one, two))
    return met


def heights(met: Sequence[Level], tall: Sequence[float], told: Sequence[float]) -> list[float]:
    """The middle of each level, from below: as high as each model needs, and what is told beside has room for itself.

    ``tall`` is the height of each level, ``told`` that of what is told.
    """
    middles: list[float] = []
    for k, level in enumerate(met):
        highest = [0.0]
        if k:
            highest.append(middles[k - 1] - (tall[k - 1] + tall[k]) / 2 - ROWS_APART)
        for number, row in level.rows.items():
            below = next((i for i in reversed(range(k)) if number in met[i].rows), None)
            if below is not None:
                between = met[below].rows[number].top - row.bottom
                highest.append(middles[below] - (tall[below] + tall[k]) / 2 - between)
        if told[k] and (last := next((i for i in reversed(range(k)) if told[i]), None)) is not None:
            highest.append(middles[last] - (told[last] + told[k]) / 2 - LABELS_APART)
        middles.append(min(highest))
    return middles


class Rise:
    """The way in which the heights of a model become those of the comparison: its rows as tall as their levels, sums and
    pills as they are, what is between them stretched."""

    def __init__(self, met: Sequence[Level], number: int, middles: Sequence[float], tall: Sequence[float]) -> None:
        ends: dict[float, float] = {}
        for level, middle, height in zip(met, middles, tall, strict=True):
            row = level.rows.get(number)
            if row is None:
                continue
            if row.edge or row.boxes:
                ends |= {row.top: middle - height / 2, row.bottom: middle + height / 2}
            whole = row.bottom - row.top
            for mark in row.marks:
                if not isinstance(mark, (Operation, Pill)):
                    continue
                top, bottom = mark.heights
                centre = middle + ((top + bottom) / 2 - (row.top + row.bottom) / 2) * (height / whole if row.boxes else 1.0)
                ends |= {top: centre - (bottom - top) / 2, bottom: centre + (bottom - top) / 2}
        self.ends = sorted(ends.items())

    def __call__(self, y: float) -> float:
        """The new height of a point."""
        lowest, highest = self.ends[0], self.ends[-1]
        if y <= lowest[0] or y >= highest[0]:
            old, new = lowest if y <= lowest[0] else highest
            return new + y - old
        (above, top), (below, bottom) = next(pair for pair in pairwise(self.ends) if pair[0][0] <= y <= pair[1][0])
        return top + (y - above) * (bottom - top) / (below - above)

    def place(self, place: Rectangle) -> Rectangle:
        """A rectangle at its new place."""
        top = self(place.y)
        return replace(place, y=top, height=self(place.bottom) - top)

    def moved(self, mark: Mark) -> Mark:
        """A mark at its new height, its lines in the middle of where they stand."""
        if isinstance(mark, Wire):
            return replace(mark, points=tuple((x, self(y)) for x, y in mark.points))
        if isinstance(mark, (Text, Operation)):
            return replace(mark, y=self(mark.y))
        assert isinstance(mark, (Box, Pill, Frame))  # nothing else stands beside a spine without panels
        place, here = self.place(mark.place), mark.place
        if isinstance(mark, Frame):
            strip = self(here.y + mark.strip) - place.y
            return replace(
                mark, place=place, strip=strip, lines=lowered(mark.lines, place.y + strip / 2 - here.y - mark.strip / 2)
            )
        by = place.y + place.height / 2 - here.y - here.height / 2
        return replace(mark, place=place, lines=lowered(mark.lines, by))


def lowered(lines: Sequence[Text], by: float) -> tuple[Text, ...]:
    """Lines so far down."""
    return tuple(replace(line, y=line.y + by) for line in lines)

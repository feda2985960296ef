"""The search over designs: every combination of two or three sizes within bounds, by the closed form over numpy's arrays.

One dimension that stands to the first power alone is not walked through but solved for: for each combination of the others the
nearest values on either side of the total. Every count that is given is then worked out again, of a model that was loaded.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from heapq import merge
from math import prod
from typing import Any

from symparams.answers.designs import Design
from symparams.answers.ratios import narrowed
from symparams.errors import OptionError
from symparams.expressions.bisection import crossing
from symparams.expressions.closed_form import as_written
from symparams.expressions.nodes import Dimension, Floor
from symparams.expressions.polynomial import Polynomial
from symparams.models.vectorised import LARGEST, Evaluation

MOST_WALKED = 10**9  # combinations that are walked through: some half a minute
CELLS = 2**20  # combinations that are worked out at a time
KEPT = 32  # times the solutions that are wanted, since a model may not have some of them
Values = dict[Dimension, int]
Sides = tuple[Sequence[int], ...]


def search(design: Design, total: int, top: int, progress: Callable[[str], None]) -> tuple[list[tuple[Values, int]], int]:
    """Return the best designs with their counts, nearest to the total first, and how many designs there were to choose from.

    Raises OptionError if numpy is missing, the total has more than 64 bits, or there are too many designs.
    """
    try:
        import numpy  # noqa: F401 - used from here on
    except ImportError:
        raise OptionError("Solving for several dimensions needs numpy: pip install 'symparams[search]'.") from None
    if total > LARGEST:
        raise OptionError(
            f"Solving for several dimensions is limited to 64 bits, and {total:,} has more: solve for one dimension."
        )
    grid = _Grid(design, total, top)
    pieces = list(grid.pieces())
    size = sum(prod(map(len, piece)) for piece in pieces)
    if size > MOST_WALKED:
        combinations = f"{size:,} combinations of {', '.join(d.name for d in grid.walked)}, more than {MOST_WALKED:,}"
        raise OptionError(f"That is {combinations}: give bounds (between) or multiples.")
    done, best, wanted = 0, list[tuple[int, tuple[int, ...]]](), KEPT * top
    for piece in pieces:
        for part in _parts(piece):
            limit = best[-1][0] if len(best) >= wanted else LARGEST
            best = sorted([*best, *grid.nearest(part, limit, wanted)])[:wanted]
        done += prod(map(len, piece))
        progress(f"[{'#' * (20 * done // size):20}] {100 * done // size}%")
    return grid.confirmed([row for _, row in best]), size * len(grid.inner_values)


class _Grid:
    """The values of each dimension: of those that are ``walked`` through, and of the ``inner`` one, which is solved for."""

    def __init__(self, design: Design, total: int, top: int) -> None:
        self.design, self.total, self.top = design, total, top
        self.shrinking = [d.name for d in design.free if not design.grows(d)]
        sides = {free: design.candidates(free, LARGEST) for free in design.free}
        for free in (free for free, values in sides.items() if not values):
            low, high = design.between.get(free, (1, 0))
            step = design.step(free)
            raise OptionError(f"No multiple of {step} lies between {low} and {high}: give other bounds for {free.name}.")
        sides = self._narrowed(sides)
        self.least = {free: values[0] for free, values in sides.items() if values}
        self.sides = self._narrowed({free: self._bounded(free, values, self.least) for free, values in sides.items()})
        # What is asked of two free dimensions: one divides the other, or is no more. Neither is solved for.
        asked = [(pair, True) for pair in design.pairs] + [(pair, False) for pair in design.smaller]
        spoken = [(pair, divides, {d for side in pair for d in side.dimensions}) for pair, divides in asked]
        tied = [law for law in spoken if len(law[2] & {*design.free}) > 1 and law[2] <= {*design.free, *design.known}]
        functions = [(design.over_free(value), design.over_free(other), divides) for (value, other), divides, _ in tied]
        self.laws = [(self._function(value), self._function(other), divides) for value, other, divides in functions]
        linear = [d for d in design.free if design.is_linear(d) and isinstance(self.sides[d], range)]
        linear = [d for d in linear if not any(d in dimensions for _, _, dimensions in tied)]
        self.inner = max(linear, key=lambda d: len(self.sides[d]), default=None)
        self.inner_values = self.sides[self.inner] if self.inner else (0,)
        self.walked = sorted((d for d in design.free if d != self.inner), key=lambda d: -len(self.sides[d]))
        # The closed form without the dimension that is solved for, and what stands by that.
        split: tuple[dict[Any, Any], dict[Any, Any]] = {}, {}
        for monomial, coefficient in design.polynomial.terms.items():
            rest = tuple((letter, power) for letter, power in monomial if letter != self.inner)
            split[rest != monomial][rest] = coefficient
        self.split = [self._function(Polynomial(terms)) for terms in split]

    def _function(self, polynomial: Polynomial) -> Evaluation:
        """Return a function of the free dimensions, rounded down where what does not divide is passed over in the end."""
        powers = (power for monomial in polynomial.terms for _, power in monomial)
        if any(power < 0 for power in powers) or not all(isinstance(number, int) for number in polynomial.terms.values()):
            polynomial = Polynomial({((Floor(as_written(polynomial)), 1),): 1})
        return Evaluation(self.design.model.name, polynomial, {}, {})

    def _bounded(self, free: Dimension, values: Sequence[int], least: Values) -> Sequence[int]:
        """The values up to where the count is more than the total, the others being least, and as many more as wanted."""
        if isinstance(values, list) or (self.shrinking and free in self.design.between):
            return values
        if self.shrinking:
            raise OptionError(f"The count does not always grow with {self.shrinking[0]}: give bounds for {free.name}.")
        most = crossing(lambda place: self.design.at({**least, free: values[place]}) >= self.total, 0, len(values) - 1)
        return values[: most + self.top]

    def _narrowed(self, sides: Mapping[Dimension, Sequence[int]]) -> dict[Dimension, Sequence[int]]:
        """Return the sides as bounds of ratios leave them; all are empty where one is."""
        left = dict(sides)
        for free in (*sides, *sides):
            if not all(left.values()):
                return dict.fromkeys(sides, ())
            least, most = ({d: values[end] for d, values in left.items()} for end in (0, -1))
            left[free] = narrowed(self.design.sides, free, left[free], least, most)
        return left

    def pieces(self) -> Iterator[Sides]:
        """Yield the combinations, cut where the first side's value has doubled: what no total could have is left out."""
        (first, *others), start = self.walked, 0
        values = self.sides[first]
        while start < len(values):
            end = bisect_left(values, 2 * values[start])
            here = {**self.least, first: values[start]}
            sides = {first: values[start:end], **{d: self._bounded(d, self.sides[d], here) for d in others}}
            if all((left := self._narrowed(sides)).values()):
                yield tuple(left.values())
            start = end

    def nearest(self, part: Sides, limit: int, wanted: int) -> list[tuple[int, tuple[int, ...]]]:
        """Return the combinations that are nearer to the total than a limit, as many as are wanted, each with how near."""
        import numpy as np

        sides = [np.asarray(side, dtype=np.int64) for side in part]
        off = np.broadcast_to(self._off(np.ix_(*sides)), tuple(map(len, part))).ravel()
        near = np.flatnonzero(off < limit)
        near = near[np.argsort(off[near], kind="stable")[:wanted]]
        places = zip(sides, np.unravel_index(near, tuple(map(len, part))), strict=True)
        rows = zip(*(side[place].tolist() for side, place in places), strict=True)
        return list(zip(off[near].tolist(), rows, strict=True))

    def _off(self, axes: Sequence[Any]) -> Any:
        """Return how far the nearest design of each combination is from the total."""
        import numpy as np

        without, per_step = (self._over(part, axes) for part in self.split)
        below = above = 0
        if self.inner:
            least, most, step = self.inner_values[0], self.inner_values[-1], self.design.step(self.inner)
            if (
                max(self.total + int(np.max(per_step)) * step, int(np.max(without)) + int(np.max(per_step)) * (least + step))
                > LARGEST
            ):
                raise OptionError("These bounds lead to totals of more than 64 bits: give smaller ones.")
            below = np.clip((self.total - without) // (per_step * step) * step, least, most)
            above = np.minimum(below + step, most)
        off = np.minimum(np.abs(without + per_step * below - self.total), np.abs(without + per_step * above - self.total))
        for value, other, divides in self.laws:
            small, large = self._over(value, axes), self._over(other, axes)
            off = np.where(large % small == 0 if divides else small <= large, off, LARGEST)
        return off

    def _over(self, function: Evaluation, axes: Sequence[Any]) -> Any:
        """Return a function of those arrays that it takes."""
        return function(**{d.name: axis for d, axis in zip(self.walked, axes, strict=True) if d.name in function.taken})

    def confirmed(self, rows: Sequence[tuple[int, ...]]) -> list[tuple[Values, int]]:
        """Return the nearest designs that a model can have, counted anew."""
        import numpy as np

        axes = np.array(rows, dtype=np.int64).reshape(-1, len(self.walked)).T
        lines = [np.broadcast_to(self._over(part, axes), len(rows)).tolist() for part in self.split]
        confirmed: list[tuple[Values, int]] = []
        for _, sizes in merge(*(way for line in zip(rows, *lines, strict=True) for way in self._around(*line))):
            values = dict(zip(self.design.free, sizes, strict=True))
            count = self.design.count(values)
            if count is not None:
                confirmed.append((values, count))
            if len(confirmed) == self.top:
                break
        return confirmed

    def _around(self, row: tuple[int, ...], without: int, per_step: int) -> Iterator[Iterator[tuple[int, tuple[int, ...]]]]:
        """Yield what is solved for from the nearest value downward and upward, each with how near."""
        walked, values = dict(zip(self.walked, row, strict=True)), self.inner_values
        place = max(bisect_left(values, (self.total - without) // per_step + 1) - 1, 0) if per_step else 0
        for way in (values[max(0, place - self.top + 1) : place + 1][::-1], values[place + 1 : place + 1 + self.top]):
            yield (
                (abs(without + per_step * value - self.total), tuple(walked.get(d, value) for d in self.design.free))
                for value in way
            )


def _parts(piece: Sides) -> Iterator[Sides]:
    """Yield a piece in parts that are worked out at once."""
    if prod(map(len, piece)) <= CELLS:
        yield piece
        return
    longest = max(range(len(piece)), key=lambda place: len(piece[place]))
    half = len(piece[longest]) // 2
    for part in (piece[longest][:half], piece[longest][half:]):
        yield from _parts((*piece[:longest], part, *piece[longest + 1 :]))

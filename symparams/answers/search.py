"""The search over designs: every combination of two or three sizes within bounds, by the closed form over numpy's arrays.

One dimension that stands to the first power alone is not walked through but solved for: for each combination of the others the
nearest values on either side of the total. Every count that is given is then worked out again, of a model that was loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from heapq import merge
from math import prod
from typing import TYPE_CHECKING, Any

from symparams.answers.designs import Design
from symparams.answers.sides import Side, doubling, parts
from symparams.errors import OptionError
from symparams.expressions.closed_form import multiply_out
from symparams.expressions.nodes import Dimension, Expression
from symparams.expressions.polynomial import Coefficient, Monomial, Polynomial
from symparams.models.arrays import LARGEST
from symparams.models.vectorised import Function

if TYPE_CHECKING:
    import numpy

MOST_WALKED = 10**9  # combinations that are walked through: some half a minute
KEPT = 32  # times the solutions that are wanted, since a model may not have some of them
Values = dict[Dimension, int]


def search(design: Design, total: int, top: int, progress: Callable[[str], None]) -> tuple[list[tuple[Values, int]], int]:
    """The best designs with their counts, nearest to the total first, and how many designs there were to choose from.

    Raises OptionError where numpy is missing, the total has more than 64 bits, or there are too many designs.
    """
    try:
        import numpy  # noqa: F401 - used from here on
    except ImportError:
        raise OptionError("Two dimensions at a time are searched for with numpy: pip install 'symparams[search]'.") from None
    if total > LARGEST:
        raise OptionError(f"A search counts in 64 bits, and {total:,} is more: solve for one dimension, which has no bounds.")
    return _Search(design, total, top).run(progress)


@dataclass
class _Search:
    design: Design
    total: int
    top: int

    def run(self, progress: Callable[[str], None]) -> tuple[list[tuple[Values, int]], int]:
        pieces = list(self._pieces())
        sizes = [prod(len(side) for side in piece) for piece in pieces]
        inner = len(self.sides[self.inner]) if self.inner else 1
        if sum(sizes) > MOST_WALKED:
            said = f"{sum(sizes):,} combinations of {', '.join(d.name for d in self.walked)}, more than {MOST_WALKED:,}"
            raise OptionError(f"That is {said}: give bounds (between) or multiples.")
        best: list[tuple[int, tuple[int, ...]]] = []
        done = 0
        for piece, size in zip(pieces, sizes, strict=True):
            for part in parts(piece):
                best = sorted([*best, *self._nearest(part, best)])[: KEPT * self.top]
            done += size
            progress(_bar(Fraction(done, sum(sizes))))
        return self._confirmed(best), sum(sizes) * inner

    @cached_property
    def sides(self) -> dict[Dimension, Side]:
        """The values of each dimension, up to where it alone would be more than the total."""
        found: dict[Dimension, Side] = {}
        for free in self.design.free:
            step, listed = self.design.step(free), self.design.listed(free)
            low, high = self.design.between.get(free, (1, 0))
            least = -(-low // step) * step
            found[free] = Side(free, least, high or LARGEST, step, tuple(listed) if listed is not None else None)
            if len(found[free].values[:1]) == 0:
                raise OptionError(f"No multiple of {step} lies between {low} and {high}: give other bounds for {free.name}.")
        return {free: self._bounded(side, {d: each.values[0] for d, each in found.items()}) for free, side in found.items()}

    def _bounded(self, side: Side, least: Values) -> Side:
        """The side up to where the count is more than the total, the others as small as can be, and as many more as wanted."""
        from symparams.answers.solutions import crossing

        if side.listed is not None:
            return side
        shrinking = [d.name for d in self.design.free if not self.design.grows(d)]
        if shrinking:
            if side.dimension in self.design.between:
                return side
            raise OptionError(f"The count does not simply grow with {shrinking[0]}: give bounds for {side.dimension.name}.")
        most = crossing(
            lambda index: self.design.at({**least, side.dimension: index * side.step}) >= self.total,
            side.low // side.step,
            side.high // side.step,
        )
        return side.upto((most + self.top - 1) * side.step)

    @cached_property
    def inner(self) -> Dimension | None:
        """The dimension that is solved for: of those that stand to the first power and divide no other, the longest."""
        tied = {d for one, other in self.laws for d in (*one.dimensions, *other.dimensions)}
        free = [d for d in self.design.free if d not in tied and self.sides[d].listed is None and self.design.is_linear(d)]
        return max(free, key=lambda d: (self.sides[d].high - self.sides[d].low) // self.sides[d].step, default=None)

    @cached_property
    def walked(self) -> tuple[Dimension, ...]:
        """The others, the one with the fewest values last."""
        others = [d for d in self.design.free if d != self.inner]
        return tuple(sorted(others, key=lambda d: -len(self.sides[d])))

    @cached_property
    def laws(self) -> list[tuple[Expression, Expression]]:
        """What is asked of two free dimensions: one divides the other, or is no more."""
        free = set(self.design.free)
        return [
            pair
            for pair in (*self.design.pairs, *self.design.smaller)
            if len(free & {d for each in pair for d in each.dimensions}) > 1
            and all(d in free or d in self.design.known for each in pair for d in each.dimensions)
        ]

    def _pieces(self) -> Iterator[tuple[Side, ...]]:
        """The combinations in pieces, each side cut where a value has doubled: what no total could have is left out."""
        first, *others = self.walked
        least = {d: side.values[0] for d, side in self.sides.items()}
        for part in doubling(self.sides[first]):
            here = {**least, first: part.values[0]}
            rest = [self._bounded(self.sides[d], here) for d in others]
            yield part, *rest

    @cached_property
    def _split(self) -> tuple[Function, Function | None]:
        """The closed form without what is solved for, and what stands by that."""
        function = self.design.function
        if self.inner is None:
            return function, None
        without: dict[Monomial, Coefficient] = {}
        by: dict[Monomial, Coefficient] = {}
        for monomial, coefficient in self.design.polynomial.terms.items():
            rest = tuple((letter, power) for letter, power in monomial if letter != self.inner)
            (without if rest == monomial else by)[rest] = coefficient
        parts = [Function(function.name, Polynomial(each), function.relations, function.values) for each in (without, by)]
        return parts[0], parts[1]

    def _nearest(self, piece: tuple[Side, ...], best: list[tuple[int, tuple[int, ...]]]) -> list[tuple[int, tuple[int, ...]]]:
        """Of a piece, the combinations nearest to the total, with how near."""
        import numpy as np

        axes = self._axes(piece)
        off = np.broadcast_to(self._off(axes), tuple(len(side) for side in piece)).ravel()
        wanted = KEPT * self.top
        if len(best) >= wanted:
            chosen = np.flatnonzero(off < best[-1][0])
            chosen = chosen[np.argsort(off[chosen], kind="stable")[:wanted]]
        else:
            chosen = np.argpartition(off, wanted)[:wanted] if off.size > wanted else np.arange(off.size)
        places = np.unravel_index(chosen, [len(side) for side in piece])
        rows = zip(*(np.asarray(side.values)[place].tolist() for side, place in zip(piece, places, strict=True)), strict=True)
        return [(each, row) for each, row in zip(off[chosen].tolist(), rows, strict=True) if each < LARGEST]

    def _axes(self, piece: tuple[Side, ...]) -> dict[Dimension, numpy.ndarray[Any, Any]]:
        import numpy as np

        shapes = [tuple(-1 if i == j else 1 for j in range(len(piece))) for i in range(len(piece))]
        return {
            side.dimension: np.asarray(side.values, dtype=np.int64).reshape(shape)
            for side, shape in zip(piece, shapes, strict=True)
        }

    def _off(self, axes: Mapping[Dimension, Any]) -> Any:
        """How far the nearest design of each combination is from the total."""
        import numpy as np

        alone, beside = self._split
        without = _over(alone, axes)
        if beside is None or self.inner is None:
            off = np.abs(without - self.total)
        else:
            side = self.sides[self.inner]
            each = _over(beside, axes) * side.step
            self._refuse_overflow(int(np.max(without)), int(np.max(each)), side.low // side.step)
            least, most = side.low // side.step, side.high // side.step
            index = np.clip((self.total - without) // each, least, most)
            below = np.abs(without + each * index - self.total)
            above = np.abs(without + each * np.minimum(index + 1, most) - self.total)
            off = np.minimum(below, above)
        for one, other in self.laws:
            small, large = (_over(self._function(side), axes) for side in (one, other))
            is_kept = large % small == 0 if (one, other) in self.design.pairs else small <= large
            off = np.where(is_kept, off, LARGEST)
        return off

    def _refuse_overflow(self, without: int, each: int, least: int) -> None:
        if max(self.total + each, without + each * (least + 1)) > LARGEST:
            raise OptionError("A search counts in 64 bits, and these bounds lead beyond them: give smaller ones.")

    def _function(self, expression: Expression) -> Function:
        function = self.design.function
        return Function(self.design.model.name, multiply_out(expression, {}), function.relations, function.values)

    def _confirmed(self, best: list[tuple[int, tuple[int, ...]]]) -> list[tuple[Values, int]]:
        """The nearest designs that a model can have, counted anew."""
        rows = (dict(zip(self.walked, row, strict=True)) for _, row in best)
        found: list[tuple[Values, int]] = []
        for _, row in merge(*(way for walked in rows for way in self._around(walked))):
            values = dict(zip(self.design.free, row, strict=True))
            count = self.design.count(values)
            if count is not None:
                found.append((values, count))
            if len(found) == self.top:
                break
        return found

    def _around(self, walked: Values) -> Iterator[Iterator[tuple[int, tuple[int, ...]]]]:
        """A combination with what is solved for, from the nearest value downward and upward, each with how near."""
        alone, beside = self._split
        without = alone.of_integers(walked)
        side = self.sides[self.inner] if self.inner else None
        if beside is None or side is None:
            yield iter([(abs(without - self.total), tuple(walked[d] for d in self.design.free))])
            return
        each, least, most = beside.of_integers(walked) * side.step, side.low // side.step, side.high // side.step
        nearest = min(max((self.total - without) // each, least), most)
        for way in (range(nearest, least - 1, -1), range(nearest + 1, most + 1)):
            yield (
                (
                    abs(without + each * i - self.total),
                    tuple({**walked, side.dimension: i * side.step}[d] for d in self.design.free),
                )
                for i in way[: self.top]
            )


def _over(function: Function, axes: Mapping[Dimension, Any]) -> Any:
    """A function of those arrays that it takes."""
    return function(**{d.name: values for d, values in axes.items() if d.name in function.taken})


def _bar(part: Fraction) -> str:
    """How far it is, as a terminal shows it."""
    return f"[{'#' * int(20 * part):20}] {int(100 * part)}%"

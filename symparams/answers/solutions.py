"""Solutions: the sizes at which a model has a given count. The closed form is inverted with integers and fractions alone.

A count grows with each of its dimensions, so where it meets a total is found by bisection, at any size; a dimension that
divides another has few values, and all of them are looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from symparams.answers.designs import Design, freed
from symparams.answers.search import search
from symparams.answers.wishes import bounds, divided, free_dimensions, steps
from symparams.display import Displayed, Record
from symparams.errors import OptionError, quoted
from symparams.expressions import amounts
from symparams.expressions.bisection import crossing
from symparams.expressions.extent import MOST_DIGITS
from symparams.expressions.nodes import Dimension
from symparams.models.load import as_model
from symparams.models.model import Model
from symparams.quantities.quantity import BYTES, FLOPS, NUMBERS, PARAMETERS, Quantity, find
from symparams.records import frozen

DECIMALS = 6  # of a root
MOST_TRIED = 1_000  # steps from the root, one after another, until a model can have the value
MOST_LOOKED_AT = 100_000
TOP = 10
# The words of each unit of a total, what it is called and how it may be written.
UNITS: Mapping[str, tuple[amounts.Words, str, str]] = MappingProxyType(
    {
        BYTES: ({"": 1, **amounts.CAPACITY}, "number of bytes", "80GB (10^9), 80GiB (2^30), or an integer"),
        FLOPS: ({"": 1, **amounts.FLOPS}, "number of FLOPs", "140TFLOP, 1e21, or an integer"),
        NUMBERS: (amounts.COUNTS, "parameter count", "an integer (6738415616) or a rounded one ('7e9', '7B')"),
    }
)


class Solution(Record):
    """Values for the free dimensions, the exact count, how far that is from the total, and the sizes that follow."""

    def __init__(
        self,
        values: Mapping[Dimension, int],
        count: int,
        difference: int,
        follows: Mapping[Dimension, int] = MappingProxyType({}),
    ) -> None:
        self.values, self.count, self.difference, self.follows = values, count, difference, follows

    @property
    def columns(self) -> Mapping[str, Any]:
        """A column for each free dimension and each size that follows, then the count and the difference."""
        sizes = {letter.name: value for letter, value in {**self.values, **self.follows}.items()}
        return sizes | {"count": self.count, "difference": self.difference}


@frozen
class Root:
    """The point at which the closed form equals the total: ``value`` is exact, or rounded to the nearest 10⁻⁶."""

    value: Fraction
    is_exact: bool

    @property
    def digits(self) -> str:
        """The value as a decimal: 4215.732786."""
        whole, rest = divmod(self.value.numerator * 10**DECIMALS // self.value.denominator, 10**DECIMALS)
        return f"{whole}.{rest:0{DECIMALS}}".rstrip("0").rstrip(".")


@frozen
class Solutions(Displayed):
    """The solutions, nearest first: what ``render`` takes.

    ``bound`` is the nearest solution where all of them are more than the total, or all less: nothing meets it. ``tried`` is
    how many designs a search has been over, 0 where the root was bisected.
    """

    model: Model
    total: int
    design: Design
    root: Root | None
    found: tuple[Solution, ...]
    tried: int = 0

    def __repr__(self) -> str:
        return f"Solutions({self.model.name!r}, total={self.total:,}, {len(self.found)} found)"

    def __iter__(self) -> Iterator[Solution]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)

    def __getitem__(self, index: int) -> Solution:
        return self.found[index]

    @property
    def is_met(self) -> bool:
        """True if the total lies within reach: a solution is it, or one is below it and one above."""
        signs = {_sign(solution.difference) for solution in self.found}
        return 0 in signs or signs == {-1, 1} or (len(self.design.free) > 1 and bool(signs))


Sequence.register(Solutions)  # without which polars takes nothing that has a length


def solve(
    model: Model | str,
    total: int | str,
    for_: str | Iterable[str] = ("h",),
    *,
    multiple_of: int | Mapping[str, int] | None = None,
    between: Mapping[str, tuple[Any, Any]] | None = None,
    top: int = TOP,
    progress: Callable[[str], None] = lambda _: None,
    quantity: str | Quantity = PARAMETERS,
    **given: Any,
) -> Solutions:
    """Return the sizes at which a model has ``total`` parameters, nearest first, each with its exact count.

    Another ``quantity`` takes the inputs and choices of ``measure``, and a total with a unit ("80GB", "140TFLOP"); then
    ``for_`` may be an input: solve("llama-3-8b", "80GB", "b", quantity="kv_cache", t=8192, dtype="bf16").

    ``model`` is a model or its name; ``total`` is an integer or a text as in ``explain`` ("7B", "7e9", "1.1亿"). ``for_`` are
    one to three free dimensions ("L,h,d_ff"). Every other dimension keeps its value, unless a relation (d_ff = 4·h) computes
    it from the free ones. Other sizes are ``given`` as in ``load``, numbers or relations that every solution obeys: d_head=128,
    d_ff="roundup(8*h/3, 256)". ``multiple_of`` is a number for every free width (h, d_ff; not for numbers of layers, heads or
    experts), or a mapping by dimension; ``between`` gives bounds by dimension or ratio, both included: {"h": (512, 8192),
    "h/L": (64, 128)}. Values that a model cannot have (heads that do not divide h) are skipped.

    One dimension is solved exactly for any size: the real root, and the nearest possible values below and above it. Two or
    three are searched over every design within the bounds, and the best ``top`` are returned; this needs numpy, and a total
    below 2⁶³. ``progress`` is called with the progress of the search.

    Raises OptionError for a dimension that does not occur in the count, an invalid total or bound, and a search without numpy
    or over too many designs; UnknownNameError, MissingDimensionError and DimensionError as ``load``.
    """
    start, wanted = as_model(model), find(quantity)
    count = read_total(total, wanted.unit)
    free = free_dimensions(start, for_, wanted.inputs)
    inputs, sizes = divided(start, wanted, given)
    design = freed(start, free, wanted, inputs, sizes)
    simple, within = bounds(design, between)
    design = replace(design, steps=steps(design, multiple_of), between=simple, within=within)
    if isinstance(top, bool) or not isinstance(top, int) or top < 1:
        raise OptionError(f"top = {quoted(top)} is not a number of solutions: write 1 or more.")
    if len(free) == 1:
        return Solutions(start, count, design, _root(design, count), _whole(design, _of_one_letter(design, count)[:top]))
    designs, tried = search(design, count, top, progress)
    found = [Solution(values, number, number - count) for values, number in designs]
    return Solutions(start, count, design, None, _whole(design, found), tried)


def read_total(total: object, unit: str = NUMBERS) -> int:
    """Return a total of a unit, exactly; OptionError for anything else, and for a unit that does not fit."""
    words, called, right = UNITS.get(unit, (amounts.COUNTS, f"number of {unit}", "an integer"))
    amount = amounts.read(total, words)
    if amount is None or amount.value.denominator != 1 or amount.value <= 0:
        raise OptionError(f"{quoted(total)} is not a {called}: write {right}.")
    return amount.value.numerator


def _whole(design: Design, solutions: Iterable[Solution]) -> tuple[Solution, ...]:
    """Return the solutions with what follows from each."""
    return tuple(Solution(found.values, found.count, found.difference, design.following(found.values)) for found in solutions)


def _of_one_letter(design: Design, total: int) -> list[Solution]:
    """Return what is the total, the nearest below it and the nearest above it; nearest first."""
    [free] = design.free
    values = design.candidates(free)
    if design.grows(free):
        nearest = _around(design, values, total)
    else:
        if not isinstance(values, list) and (free not in design.between or not 0 < len(values) <= MOST_LOOKED_AT):
            raise OptionError(
                f"The {design.quantity.spelled if design.cost else 'count'} of {design.model.name} does not always grow with "
                f"{free.name}: give bounds with at most {MOST_LOOKED_AT:,} values, as in {free.name}=1..512."
            )
        possible = sorted(_possible(design, values, total), key=lambda solution: abs(solution.difference))
        sides = ([candidate for candidate in possible if _sign(candidate.difference) == sign] for sign in (0, -1, 1))
        nearest = [solution for side in sides for solution in side[:1]]
    return sorted(nearest, key=lambda solution: (abs(solution.difference), solution.values[free]))


def _around(design: Design, values: Sequence[int], total: int) -> list[Solution]:
    """Return the nearest below and above where the count meets the total; beside an exact one, the next that is more.

    If none is above, as behind a window that is full, the one below is the first that counts so many.
    """
    [free] = design.free
    most = values.index(values[-1]) if values else -1  # of a range of any length

    def possible_from(count: int) -> tuple[int, Iterator[Solution]]:
        first = crossing(lambda place: design.at({free: values[place]}) >= count, 0, most)
        return first, _possible(design, values[first : first + MOST_TRIED], total)

    first, upward = possible_from(total)
    below = next(_possible(design, values[max(0, first - MOST_TRIED) : first][::-1], total), None)
    above = next(upward, None)
    if below and not above:
        below = next(possible_from(below.count)[1], below)
    is_exact = above is not None and not above.difference
    more = next((solution for solution in upward if solution.difference), None) if is_exact else None
    return [solution for solution in (below, above, more) if solution]


def _possible(design: Design, values: Iterable[int], total: int) -> Iterator[Solution]:
    """Yield the solutions of those of these values that the model can have."""
    for value in values:
        count = design.count({design.free[0]: value})
        if count is not None:
            yield Solution({design.free[0]: value}, count, count - total)


def _root(design: Design, total: int) -> Root | None:
    """Return where the closed form meets the total, its decimals bisected in whole numbers; None if it is not a polynomial."""
    [free] = design.free
    if design.is_rounded(free) or not design.grows(free) or design.at({free: 0}) >= total:
        return None
    unit = 10**DECIMALS
    above = crossing(lambda index: design.at({free: Fraction(index, unit)}) >= total, 1, 10 ** (MOST_DIGITS + DECIMALS))
    if design.at({free: Fraction(above, unit)}) == total:
        return Root(Fraction(above, unit), is_exact=True)
    half = Fraction(2 * above - 1, 2 * unit)
    return Root(Fraction(above if design.at({free: half}) <= total else above - 1, unit), is_exact=False)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)

"""Solutions: the sizes at which a model has a given count. The closed form is inverted with integers and fractions alone.

A count grows with each of its dimensions, so where it meets a total is found by bisection, at any size; a dimension that
divides another has few values, and all of them are looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from symparams.answers.asked import Asked
from symparams.answers.designs import Design, freed
from symparams.answers.totals import read_total
from symparams.answers.wishes import bounds, free_dimensions, steps
from symparams.display import Displayed
from symparams.errors import OptionError, quoted
from symparams.expressions.extent import MOST_DIGITS
from symparams.expressions.nodes import Dimension
from symparams.models.load import as_model
from symparams.models.model import Model
from symparams.quantities.cost import PARAMETERS, spelled

DECIMALS = 6  # of a root
MOST_TRIED = 1_000  # steps from the root, one after another, until a model can have the value
MOST_LOOKED_AT = 100_000
TOP = 10


@dataclass(frozen=True)
class Solution:
    """Values for the free dimensions, the exact count with them, and how far that is from the total."""

    values: Mapping[Dimension, int]
    count: int
    difference: int


@dataclass(frozen=True)
class Root:
    """Where the closed form meets the total: ``value`` is it, or rounded to the nearest 10⁻⁶."""

    value: Fraction
    is_exact: bool

    @property
    def digits(self) -> str:
        """The value as a decimal: 4215.732786."""
        whole, rest = divmod(self.value.numerator * 10**DECIMALS // self.value.denominator, 10**DECIMALS)
        return f"{whole}.{rest:0{DECIMALS}}".rstrip("0").rstrip(".")


@dataclass(frozen=True, repr=False)
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
        """Whether the total lies within reach: a solution is it, or one is below it and one above."""
        signs = {(each.difference > 0) - (each.difference < 0) for each in self.found}
        return 0 in signs or signs == {-1, 1} or (len(self.design.free) > 1 and bool(signs))


def solve(
    model: Model | str,
    total: int | str,
    for_: str | Iterable[str] = ("h",),
    *,
    multiple_of: int | Mapping[str, int] | None = None,
    between: Mapping[str, tuple[int, int]] | None = None,
    top: int = TOP,
    progress: Callable[[str], None] = lambda _: None,
    quantity: str = PARAMETERS,
    **inputs: Any,
) -> Solutions:
    """The sizes at which a model has ``total`` parameters, nearest first, each with its exact count.

    Another ``quantity`` takes the inputs and choices of ``measure``, its total a unit ("80GB", "140TFLOP"), and what is solved
    for may be one of its inputs: solve("llama-3-8b", "80GB", "b", quantity="kv_cache", t=8192, dtype="bf16").

    ``model`` is a model or what names one; ``total`` an integer or a text as in ``explain`` ("7B", "7e9", "1.1亿"). ``for_``
    are the dimensions that are free, up to three ("L,h,d_ff"); every other keeps its value, and what follows from the free
    ones by a relation (d_ff = 4·h) follows anew. ``multiple_of`` is a number for every free width (h, d_ff; not for numbers
    of layers, heads or experts) or a mapping by dimension, ``between`` bounds by dimension, both included: {"h": (512,
    8192)}. Values that a model cannot have (heads that do not divide h) are passed over.

    One dimension is solved exactly, whatever the size: the real root, and the nearest values below and above that a model can
    have. Two or three are searched over every design within the bounds, the best ``top`` of them given; that needs numpy,
    and a total below 2⁶³. ``progress`` is told how far the search is.

    Raises OptionError for a dimension that does not occur in the count, a total that is no number, bounds that are none, and
    a search without numpy or over too many designs; UnknownNameError, MissingDimensionError and DimensionError as ``load``.
    """
    start, asked = as_model(model), Asked(spelled(quantity), dict(inputs))
    count = read_total(total, asked.unit)
    free = free_dimensions(start, for_, asked.letters)
    inner = freed(start, free, asked)
    wished = steps(inner, free, multiple_of, asked.letters), bounds(inner, free, between, asked.letters)
    design = Design(inner, free, *wished, asked)
    if isinstance(top, bool) or not isinstance(top, int) or top < 1:
        raise OptionError(f"top = {quoted(top)} is no number of solutions: write one from 1.")
    return _solved(start, count, design, top, progress)


def _solved(model: Model, total: int, design: Design, top: int, progress: Callable[[str], None]) -> Solutions:
    if len(design.free) == 1:
        return Solutions(model, total, design, _root(design, total), tuple(_one(design, total))[:top])
    from symparams.answers.search import search

    found, tried = search(design, total, top, progress)
    return Solutions(model, total, design, None, tuple(Solution(values, each, each - total) for values, each in found), tried)


def _one(design: Design, total: int) -> list[Solution]:
    """What is the total, the nearest below it and the nearest above it; nearest first."""
    [free] = design.free
    listed = design.listed(free)
    if listed is None and not design.grows(free):
        listed = _every(design, free)
    if listed is None:
        found = _around(design, free, total)
    else:
        nearest = sorted(_tried(design, listed, total), key=lambda each: abs(each.difference))
        sides = ([each for each in nearest if _sign(each.difference) == sign] for sign in (0, -1, 1))
        found = [each for side in sides for each in side[:1]]
    return sorted(found, key=lambda each: (abs(each.difference), each.values[free]))


def _around(design: Design, free: Dimension, total: int) -> list[Solution]:
    """The nearest below and above where the count meets the total; beside an exact one, the next that is more.

    Where none is reached, as behind a window that is full, the one below is the first that counts so many.
    """
    step = design.step(free)
    low, high = design.between.get(free, (1, 10**MOST_DIGITS - 1))
    least, most = -(-low // step), high // step
    first = crossing(lambda index: design.at({free: index * step}) >= total, least, most)
    downward = _tried(design, range((first - 1) * step, least * step - 1, -step)[:MOST_TRIED], total)
    upward = _tried(design, range(first * step, most * step + 1, step)[:MOST_TRIED], total)
    above, below = next(upward, None), next(downward, None)
    if below and not above:
        most_of_all = below.count
        first = crossing(lambda index: design.at({free: index * step}) >= most_of_all, least, most)
        below = next(_tried(design, range(first * step, most * step + 1, step)[:MOST_TRIED], total), below)
    exact = above if above and not above.difference else None
    more = next((each for each in upward if each.difference), None) if exact else above
    return [each for each in (exact, below, more) if each]


def crossing(is_reached: Callable[[int], bool], least: int, most: int) -> int:
    """The first integer from ``least`` on at which what grows is reached; ``most`` + 1 where it never is."""
    low, high = least - 1, least
    while high <= most and not is_reached(high):
        low, high = high, 2 * high if high > 0 else 1
    high = min(high, most + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_reached(middle) else (middle, high)
    return high


def _tried(design: Design, values: Iterable[int], total: int) -> Iterator[Solution]:
    """Those of these values that the model can have."""
    [free] = design.free
    for value in values:
        count = design.count({free: value})
        if count is not None:
            yield Solution({free: value}, count, count - total)


def _every(design: Design, free: Dimension) -> list[int]:
    """Every value within the bounds, for a count that does not grow with a dimension."""
    low, high = design.between.get(free, (1, 0))
    step = design.step(free)
    values = range(-(-low // step) * step, high + 1, step)
    if not 0 < len(values) <= MOST_LOOKED_AT:
        raise OptionError(
            f"The {design.asked.noun} of {design.model.name} does not simply grow with {free.name}: give bounds, between which "
            f"at most {MOST_LOOKED_AT:,} values are looked at, {free.name}=1..512."
        )
    return list(values)


def _root(design: Design, total: int) -> Root | None:
    """Where the closed form meets the total, its decimals bisected in whole numbers; None where it is no polynomial in it."""
    [free] = design.free
    if design.is_rounded(free) or not design.grows(free):
        return None
    unit = 10**DECIMALS
    if design.at({free: 0}) >= total:
        return None
    above = crossing(lambda index: design.at({free: Fraction(index, unit)}) >= total, 1, 10 ** (MOST_DIGITS + DECIMALS))
    if design.at({free: Fraction(above, unit)}) == total:
        return Root(Fraction(above, unit), is_exact=True)
    half = Fraction(2 * above - 1, 2 * unit)
    return Root(Fraction(above if design.at({free: half}) <= total else above - 1, unit), is_exact=False)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)

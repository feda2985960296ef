"""The largest batch and the longest sequence that fit a memory, found exactly by bisection."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from symparams.derivations.budget import Budget
from symparams.errors import OptionError
from symparams.expressions.bisection import crossing
from symparams.expressions.nodes import Dimension
from symparams.expressions.symbols import b, s, s_src, t
from symparams.expressions.written import exact
from symparams.models.calculation import Calculation
from symparams.models.inputs import positions
from symparams.quantities.memory import USUAL, Room
from symparams.quantities.quantity import BYTES
from symparams.records import frozen

MEMORY, POSITIONS, NOTHING = "memory", "positions", "nothing"  # what keeps an input from being larger
Bytes = int | Fraction


@frozen
class Fit:
    """The largest value of an input with which something fits: 0 where not even 1 does, None where all do."""

    letter: Dimension
    largest: int | None
    binds: str = MEMORY


@frozen
class CardUse:
    """A way to use a card: what it is called, what is there before any token, and the largest of each input, if it fits.

    ``needs`` are inputs without a value, without which nothing can be said; ``is_derived`` tells whether the rest is known,
    ``way`` how activations are computed.
    """

    name: str
    fixed: Bytes
    fits: tuple[Fit, ...] = ()
    needs: tuple[Dimension, ...] = ()
    is_derived: bool = True
    way: str = ""


def largest(size: Callable[[int], Bytes], room: Bytes) -> int | None:
    """The largest n with size(n) at most ``room``, for a size that grows with n, or stays from some n on.

    0 where size(1) is too much; None where no n is: a size that is the same for n and 2·n stays.
    """
    low, high = 1, 1
    while (doubled := size(high)) <= room:
        if high > 1 and doubled == size(low):
            return None
        low, high = high, 2 * high
    return crossing(lambda n: size(n) > room, low, high) - 1


def cards(size: Bytes, room: Room) -> int:
    """The fewest cards that hold so many bytes, shared out evenly: what ZeRO's third stage and FSDP do with the states.

    size / cards bytes on each (Rajbhandari et al., 2020, arXiv:1910.02054, section 5).
    """
    return -(-Fraction(size) // room.size)


def solve(calculation: Calculation, beside: Bytes, letter: Dimension, room: Room) -> Fit:
    """Return the largest value of a letter that leaves room for what is beside it; positions may be fewer than that."""
    single, several = calculation.at({letter: 1}), calculation.at({letter: 2})

    def size(number: int) -> Bytes:
        bound = (single if number == 1 else several).at({letter: number})
        return beside + exact(bound.written, bound.model.values)

    most = largest(size, room.size)
    length = positions(calculation.model) if letter != b else None
    if length is not None and (most is None or length < most):
        return Fit(letter, length, POSITIONS)
    return Fit(letter, most, NOTHING if most is None else MEMORY)


def fits_of(calculation: Calculation, room: Room) -> Sequence[Fit]:
    """Of one quantity in bytes, by itself: the largest of the input without a value, or of each where all have one.

    Raises OptionError where none of it fits, for a quantity that is not memory, and where several inputs have no value.
    """
    name = calculation.quantity.spelled
    if calculation.quantity.unit != BYTES:
        raise OptionError(f"{name} is not an amount of memory, so nothing can fit: leave fits out.")
    letters = [letter for letter in calculation.written.dimensions if letter in (b, s, t, s_src)]
    open_ = [letter for letter in calculation.written.dimensions if letter not in calculation.model.values]
    if not letters:
        raise OptionError(f"No input makes {name} larger here: give b and s or t, or leave fits out.")
    if len(open_) > 1 or any(letter not in letters for letter in open_):
        names = ", ".join(letter.name for letter in open_)
        raise OptionError(f"fits finds the largest value of one input, and {names} have no value: give all but one of b, s, t.")
    fits = [solve(calculation, 0, letter, room) for letter in open_ or letters]
    if any(fit.largest == 0 for fit in fits):
        smallest = calculation.at({fits[0].letter: 1})
        least = exact(smallest.written, smallest.model.values)
        raise OptionError(
            f"{name} does not fit {_number(room.size)} bytes: with {fits[0].letter.name} = 1 it takes {_number(least)}."
        )
    return fits


def checked(budget: Budget) -> Budget:
    """Return the budget; OptionError for more tokens than there are positions, and for a memory too small for any weights."""
    most = positions(budget.model)
    for letter in (s, t):
        if most is not None and (number := budget.given.get(letter.name, 0)) > most:
            raise OptionError(
                f"{letter.name} = {number:,} is more than the {most:,} positions of {budget.model.name}: give fewer."
            )
    if budget.room is not None:
        smallest = min(serving(budget, budget.room), key=lambda use: use.fixed)
        if smallest.fixed > budget.room.size and not any(_fits(use, budget.room) for use in training(budget, budget.room)):
            raise OptionError(
                f"{budget.model.name} does not fit {_number(budget.room.size)} bytes: its weights alone take "
                f"{_number(smallest.fixed)} in {smallest.name}. Give more."
            )
    return budget


def _number(size: Bytes) -> str:
    return f"{int(size):,}" if Fraction(size).denominator == 1 else str(size)


def _fits(use: CardUse, room: Room) -> bool:
    return use.fixed <= room.size


def serving(budget: Budget, room: Room) -> Sequence[CardUse]:
    """Weights in each number type, and the cache beside them.

    The cache has the number type in which the model runs; OptionError where nothing says it.
    """
    cache = budget.cache
    if cache is not None and not budget.dtype:
        raise OptionError(
            f"{budget.model.name} has no number type, so the bytes of its cache are unknown: give dtype, such as bf16."
        )
    weights = {dtype: budget.calculate("weight_memory", "e", dtype=dtype).value() for dtype in USUAL}
    known = frozenset(cache.model.values) if cache is not None else frozenset()
    return [_used(CardUse(dtype, weights[dtype]), cache, weights[dtype], (t, known), room) for dtype in USUAL]


def training(budget: Budget, room: Room) -> Iterator[CardUse]:
    """Each recipe, with the activations of b sequences of s tokens."""
    known = frozenset(letter for letter in (b, s) if letter.name in budget.given)
    for name in budget.recipes:
        use = CardUse(name, budget.states(name).value())
        ways = {way: whole for way, how in budget.ways.items() if (whole := budget.step_memory(name, **how)) is not None}
        if not ways:
            yield replace(use, is_derived=False)
        for way, whole in ways.items():
            yield _used(replace(use, way=way), whole, 0, (s, known), room)


def _used(
    use: CardUse, calculation: Calculation | None, beside: Bytes, asked: tuple[Dimension, frozenset[Dimension]], room: Room
) -> CardUse:
    """Return the use with the longest sequence that fits, and the largest batch where the length is known."""
    if calculation is None or use.fixed > room.size:
        return use
    (letter, known), written = asked, calculation.written.dimensions
    wanted = [letter] if letter in written else []
    wanted += [b] if b in written and (letter in known or not wanted) else []
    fits: list[Fit] = []
    for wanted_letter in wanted:
        held = calculation.at({b: 1}) if wanted_letter != b and b not in known else calculation
        lacks = [other for other in held.written.dimensions if other != wanted_letter and other not in held.model.values]
        if lacks:
            return replace(use, needs=tuple(lacks))
        fits.append(solve(held, beside, wanted_letter, room))
    return replace(use, fits=tuple(fits))

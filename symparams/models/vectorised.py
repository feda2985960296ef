"""Closed forms as functions of arrays: a count for each of many configurations, exact in 64 bits or refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from operator import mul
from typing import Any

from symparams.errors import DimensionError, MissingDimensionError, UnknownNameError, quoted, suggestion
from symparams.expressions.closed_form import Relations, multiply_out
from symparams.expressions.horner import Ratio, Times, evaluate, largest, ratio
from symparams.expressions.marks import Ceiling
from symparams.expressions.nodes import Dimension, Expression, Floor
from symparams.expressions.polynomial import Polynomial
from symparams.expressions.symbols import in_rank
from symparams.models import arrays

Environment = dict[Expression, Any]
MOST_WORKS = 64  # that a function keeps, for as many combinations of what is given


@dataclass(frozen=True)
class Assignment:
    """A letter that follows from others, or at last the result: a ratio, or several of which the least is taken."""

    target: Expression | None
    ratios: tuple[Ratio, ...]
    kind: type[Expression] | None = None

    def bound(self, most: Mapping[Expression, int]) -> int:
        """What no number on the way exceeds."""
        return max(largest(part, most) for each in self.ratios for part in (each.numerator, each.divisor))


@dataclass(frozen=True)
class Function:
    """A closed form as a function of integers or arrays: f(h=numpy.arange(64, 8193, 64), L=12).

    ``arguments`` are the names of the closed form's letters. One that is not given has the model's value; one that follows
    from a relation (r_dt = ⌈h / 16⌉, d_head = h / n_heads) is worked out from it, and what the relation speaks of may be
    given too. Features, and the relations that the model keeps, are fixed.

    Takes Python integers, exact at any size, and arrays of integers of numpy, dask or jax, in any mixture that they broadcast
    to; the answer is what they make of one another, in int64. Arrays of Python integers (dtype object) are exact at any size.
    Before anything is multiplied, the largest value of each array bounds every number on the way: what could exceed 2⁶³ - 1 is
    refused. That is asked of numpy's arrays block by block, of dask's when they are computed.

    Raises DimensionError for floats, for values below 1, for what could overflow, for sizes that do not divide, for jax
    without 64 bits and for jax's traced arrays, whose values are not known; UnknownNameError for a name that the closed form
    does not have, MissingDimensionError for one that has no value.
    """

    name: str
    polynomial: Polynomial = field(repr=False)
    relations: Relations = field(repr=False)
    values: Mapping[Dimension, int] = field(repr=False)
    least: Mapping[Dimension, int] = field(default_factory=dict, repr=False)  # 0 of a letter that may be; 1 of any other
    has_fractions: bool = field(default=False, repr=False)  # half a byte, where all are integers of Python
    _programs: dict[tuple[frozenset[Expression], ...], tuple[Assignment, ...]] = field(
        default_factory=dict, repr=False, compare=False
    )
    _works: dict[Any, Work] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def letters(self) -> tuple[Dimension, ...]:
        """The letters of the closed form, those within a rounding too."""
        return in_rank([d for letter in self.polynomial.letters for d in letter.dimensions])

    @property
    def arguments(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(letter.name for letter in self.letters)

    @cached_property
    def taken(self) -> dict[str, Dimension]:
        """Every name that is taken: the arguments, and what their relations speak of."""
        found = dict.fromkeys(self.letters)
        for letter in found.copy():
            pending = [letter]
            while pending:
                here = pending.pop()
                found[here] = None
                pending += self.relations[here].dimensions if here in self.relations else ()
        return {letter.name: letter for letter in found}

    def __call__(self, /, **given: Any) -> Any:
        """The value for each configuration."""
        for name in given:
            if name not in self.taken:
                raise UnknownNameError(f"{self.name} has no {quoted(name)} in its closed form. {suggestion(name, self.taken)}")
        read = {self.taken[n]: arrays.read(n, value, self.least.get(self.taken[n], 1)) for n, value in given.items()}
        fixed = {letter: value for letter, value in read.items() if isinstance(value, int)}
        found = {letter: value for letter, value in read.items() if letter not in fixed}
        work = self.prepared(fixed, tuple(found)) if found else self._prepared(fixed, ())
        return arrays.spread(work, found, self.least)

    def of_integers(self, given: Mapping[Dimension, int]) -> int:
        """The exact value for integers; what does not occur is passed over."""
        value: int = self._prepared({d: each for d, each in given.items() if d in self.taken.values()}, ())({})
        return value

    def prepared(self, fixed: Mapping[Dimension, int], letters: tuple[Dimension, ...]) -> Work:
        """The work for arrays of these letters, block by block, beside integers for others; what it found out is kept."""
        key = (letters, *fixed.items())
        if key not in self._works:
            if len(self._works) >= MOST_WORKS:
                self._works.clear()
            self._works[key] = self._prepared(fixed, letters)
        return self._works[key]

    def _prepared(self, fixed: Mapping[Dimension, int], letters: tuple[Dimension, ...]) -> Work:
        given = {**fixed, **dict.fromkeys(letters, 0)}
        values = {**self._defaults(given), **fixed}
        first = frozenset(letters)
        if (first, known := frozenset((*values, *letters))) not in self._programs:
            self._programs[first, known] = self._program(known, first)
        return Work(self, self._programs[first, known], values)

    def _defaults(self, given: Mapping[Dimension, Any]) -> dict[Dimension, int]:
        """The model's values for what is not given and does not follow from what there is."""
        return {
            letter: self.values[letter]
            for letter in self.taken.values()
            if letter not in given and letter in self.values and not self.follows(letter, given)
        }

    def follows(self, letter: Dimension, given: Mapping[Dimension, Any]) -> bool:
        """Whether a letter that is not given follows from others that have values."""
        return letter in self.relations and all(
            other in given or other in self.values or self.follows(other, given) for other in self.relations[letter].dimensions
        )

    def _program(self, known: frozenset[Expression], first: frozenset[Expression]) -> tuple[Assignment, ...]:
        """What is worked out, one after another, the result last."""
        done: dict[Expression, Assignment] = {}

        def prepare(polynomial: Polynomial) -> Ratio:
            for letter in sorted(polynomial.letters, key=repr):
                if letter not in known and letter not in done:
                    done[letter] = assignment(letter)
            return ratio(polynomial, first)

        def assignment(letter: Expression) -> Assignment:
            if not isinstance(letter, Dimension):
                return Assignment(letter, tuple(prepare(multiply_out(each, {})) for each in letter.operands), type(letter))
            if letter not in self.relations:
                names = [name for name in self.arguments if self.taken[name] not in known and name not in map(str, done)]
                raise MissingDimensionError(f"{self.name} has no value for {', '.join(names)}", names)
            return Assignment(letter, (prepare(multiply_out(self.relations[letter], {})),))

        last = Assignment(None, (prepare(self.polynomial),))
        return (*done.values(), last)


@dataclass
class Work:
    """A function at work: what is worked out, over the values of all that is no array.

    ``safe`` are largest values for which 64 bits are known to be enough; a block within them need not be asked again.
    """

    function: Function
    program: tuple[Assignment, ...]
    fixed: Mapping[Any, int]
    safe: dict[Dimension, int] = field(default_factory=dict)

    def __call__(self, blocks: Mapping[Any, Any], times: Times = mul) -> Any:
        """The value for one block of arrays, or for integers alone; ``times`` may have room for it."""
        values: Environment = {**self.fixed, **blocks}
        if not blocks or not all(arrays.is_bounded(block) for block in blocks.values()):
            return self._worked(values, None, mul)
        found: dict[Any, int] = {letter: self._most(letter, block) for letter, block in blocks.items()}
        if len(self.program) > 1:
            return self._worked(values, {**self.fixed, **found}, mul)
        if any(most > self.safe.get(letter, -1) for letter, most in found.items()):
            self._check(found)
        return self._worked(values, None, times)

    def _check(self, found: Mapping[Dimension, int]) -> None:
        """Refuses what could overflow; what could not, nor up to the next power of two, is not asked again."""
        self._refuse_overflow(self._bound(found))
        for room in (lambda most: (1 << most.bit_length()) - 1, int):
            together = {letter: room(max(most, self.safe.get(letter, 0))) for letter, most in found.items()}
            if self._bound(together) <= arrays.LARGEST:
                self.safe = together
                return

    def _most(self, letter: Expression, value: Any) -> int:
        return arrays.most(letter, value, self.function.least.get(letter, 1) if isinstance(letter, Dimension) else 1)

    def _bound(self, found: Mapping[Any, int]) -> int:
        return self.program[0].bound({**self.fixed, **found})

    def _worked(self, values: Environment, most: dict[Expression, int] | None, times: Times) -> Any:
        result: Any = None
        for assignment in self.program:
            if most is not None:
                self._refuse_overflow(assignment.bound(most))
            result = self._assigned(assignment, values, times)
            if assignment.target is not None:
                values[assignment.target] = result
                bound = self._most(assignment.target, result)
                if most is not None:
                    most[assignment.target] = bound
        return result

    def _assigned(self, assignment: Assignment, values: Environment, times: Times) -> Any:
        result, *others = [self._divided(each, assignment, values, times) for each in assignment.ratios]
        for other in others:
            result = result + (other - result) * (other < result)
        return result

    def _divided(self, each: Ratio, assignment: Assignment, values: Environment, times: Times) -> Any:
        above = evaluate(each.numerator, values, times)
        if each.divisor == 1:
            return above
        below = evaluate(each.divisor, values)
        if assignment.kind is Ceiling:
            return -(-above // below)
        whole = above // below
        if assignment.kind is not Floor and arrays.any_of(whole * below != above):
            if self.function.has_fractions and assignment.target is None and isinstance(whole, int):
                return Fraction(above, below)
            relation = self.function.relations.get(assignment.target) if isinstance(assignment.target, Dimension) else None
            said = f"{assignment.target!r} = {relation!r}" if relation else f"The closed form of {self.function.name}"
            raise DimensionError(f"{said} is not an integer: choose values that divide.")
        return whole

    def _refuse_overflow(self, bound: int) -> None:
        if bound > arrays.LARGEST:
            raise DimensionError(
                f"{self.function.name}: up to {bound:,}, more than the 2^63 - 1 of 64 bits: "
                "give smaller values, fewer at a time, or Python integers (dtype=object)."
            )

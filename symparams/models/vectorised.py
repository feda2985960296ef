"""Closed forms as functions of arrays: a count for each of many configurations, exact in 64 bits or refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from math import lcm, prod
from typing import Any, TypeAlias, Union

from symparams.errors import DimensionError, UnknownNameError, quoted, suggestion
from symparams.expressions.closed_form import Relations, multiply_out
from symparams.expressions.nodes import Ceiling, Dimension, Expression, Floor
from symparams.expressions.polynomial import Coefficient, Monomial, Polynomial, multiplied
from symparams.expressions.symbols import in_rank
from symparams.models import arrays

Scheme: TypeAlias = Union[int, tuple[Expression, "Scheme", "Scheme"]]


@dataclass(frozen=True)
class Evaluation:
    """A closed form with the values and relations of a model, to be worked out over integers or arrays.

    Takes Python integers, exact at any size, and arrays of integers of numpy, dask or jax, in any mixture that they broadcast
    to; the answer is what they make of one another, in int64. Arrays of Python integers (dtype object) are exact at any size.
    Before anything is multiplied, the largest value of each array bounds every number on the way: what could exceed 2⁶³ - 1 is
    refused. That is asked of dask's arrays block by block, when they are computed.

    Raises DimensionError for floats, for values below 1, for what could overflow, for sizes that do not divide, for jax
    without 64 bits and for jax's traced arrays, whose values are not known; UnknownNameError for a name that the closed form
    does not have, KeyError for one that has no value, of which ``lacking`` tells.
    """

    name: str
    polynomial: Polynomial = field(repr=False)
    relations: Relations = field(repr=False)
    values: Mapping[Dimension, int] = field(repr=False)
    least: Mapping[Dimension, int] = field(default_factory=dict, repr=False)  # 0 of a letter that may be; 1 of any other
    has_fractions: bool = field(default=False, repr=False)  # half a byte, where all are integers of Python

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
        taken = dict.fromkeys(self.letters)
        for letter in self.letters:
            pending = [letter]
            while pending:
                here = pending.pop()
                taken[here] = None
                pending += self.relations[here].dimensions if here in self.relations else ()
        return {letter.name: letter for letter in taken}

    def __call__(self, /, **given: Any) -> Any:
        """Return the value for each configuration."""
        for name in given:
            if name not in self.taken:
                raise UnknownNameError(f"{self.name} has no {quoted(name)} in its closed form. {suggestion(name, self.taken)}")
        values = {self.taken[n]: arrays.read(n, value, self.least.get(self.taken[n], 1)) for n, value in given.items()}
        stacked = {letter: value for letter, value in values.items() if not isinstance(value, int)}
        if not stacked:
            return self._at(values)
        shape = arrays.shape_of(stacked)
        integers = {letter: value for letter, value in values.items() if letter not in stacked}
        if any(map(arrays.is_dask, stacked.values())):
            return arrays.by_dask(self, {letter.name: value for letter, value in integers.items()}, stacked)
        if any(value.dtype.kind == "O" for value in stacked.values()):
            stacked = arrays.in_python_integers(stacked)
        return arrays.in_blocks(lambda blocks: self._at({**integers, **blocks}), stacked, shape)

    def of_integers(self, given: Mapping[Dimension, int]) -> int:
        """Return the exact value for integers; what does not occur is passed over."""
        value: int = self._at({letter: value for letter, value in given.items() if letter.name in self.taken})
        return value

    def follows(self, letter: Dimension, given: Collection[Dimension]) -> bool:
        """True if a letter that is not given follows from others that have values."""
        return letter in self.relations and all(
            other in given or other in self.values or self.follows(other, given) for other in self.relations[letter].dimensions
        )

    def lacking(self, given: Collection[Dimension]) -> list[Dimension]:
        """Return the letters that have no value where those given have one."""
        known = {*self.values, *given}
        return [letter for letter in self.letters if letter not in known and not self.follows(letter, known)]

    def _at(self, given: Mapping[Dimension, Any]) -> Any:
        followed = [letter for letter in self.taken.values() if letter not in given and self.follows(letter, given)]
        own = {d: self.values[d] for d in self.taken.values() if d in self.values and d not in followed}
        values: dict[Any, Any] = {**own, **given}
        above, below = self._ratio(self.polynomial, values)
        if self.has_fractions and isinstance(above, int) and isinstance(below, int) and above % below:
            return Fraction(above, below)
        return _divided(above, below, [f"The closed form of {self.name}"])

    def _value(self, letter: Expression, values: dict[Expression, Any]) -> Any:
        """Return the value of a letter; one that follows from others, or rounds them, is worked out once."""
        if letter not in values:
            formulas = [self.relations[letter]] if isinstance(letter, Dimension) else letter.operands
            ratios = [self._ratio(multiply_out(formula, {}), values) for formula in formulas]
            least, *others = [_divided(*ratio, (letter, *formulas), type(letter)) for ratio in ratios]
            for other in others:
                least = least * (least <= other) + other * (other < least)
            if isinstance(letter, Dimension):
                arrays.checked(letter.name, least, self.least.get(letter, 1))
            values[letter] = least
        return values[letter]

    def _ratio(self, polynomial: Polynomial, values: dict[Expression, Any]) -> tuple[Any, Any]:
        """Return a polynomial as a whole number over a whole number: integers are put in first, the arrays are left."""
        terms: dict[Monomial, Coefficient] = {}
        for monomial, coefficient in polynomial.terms.items():
            factors = [(letter, power, self._value(letter, values)) for letter, power in monomial]
            letters = tuple((letter, power) for letter, power, value in factors if not isinstance(value, int))
            above = prod(value**power for _, power, value in factors if power > 0 and isinstance(value, int))
            below = prod(value**-power for _, power, value in factors if power < 0 and isinstance(value, int))
            number = coefficient * above
            terms[letters] = terms.get(letters, 0) + (number if below == 1 else Fraction(number) / below)
        divisors: dict[Expression, int] = {}
        for letter, power in (factor for monomial in terms for factor in monomial):
            divisors[letter] = max(divisors.get(letter, 0), -power)
        divisor = tuple((letter, power) for letter, power in divisors.items() if power)
        whole = lcm(*(number.denominator for number in terms.values()))
        numerator = tuple((multiplied(monomial, divisor), int(number * whole)) for monomial, number in terms.items())
        schemes = scheme(numerator), scheme(((divisor, whole),))
        self._refuse_overflow(schemes, {letter: values[letter] for letter in divisors})
        return evaluate(schemes[0], values), evaluate(schemes[1], values)

    def _refuse_overflow(self, schemes: Iterable[Scheme], values: Mapping[Expression, Any]) -> None:
        """DimensionError if a number on the way could have more than 64 bits; Python's integers have any number."""
        if not values or any(value.dtype.kind == "O" for value in values.values()):
            return
        most = {letter: arrays.most_of(value, is_size=isinstance(letter, Dimension)) for letter, value in values.items()}
        bound = max(evaluate(scheme, most, abs) for scheme in schemes)
        if bound > arrays.LARGEST:
            raise DimensionError(
                f"{self.name}: up to {bound:,}, more than the 2^63 - 1 of 64 bits: "
                "give smaller values, fewer at a time, or Python integers (dtype=object)."
            )


@lru_cache(maxsize=1024)
def scheme(terms: tuple[tuple[Monomial, int], ...]) -> Scheme:
    """Return whole terms by Horner's scheme, h·(L·(12·h + 13) + V): a letter, what it multiplies, and what stands beside.

    A letter of low power is taken out first: what is within it may be smaller than what it is broadcast to.
    """
    powers = {letter: max(dict(m).get(letter, 0) for m, _ in terms) for monomial, _ in terms for letter, _ in monomial}
    if not powers:
        return sum(coefficient for _, coefficient in terms)
    often = Counter(letter for monomial, _ in terms for letter, _ in monomial)
    outer = min(powers, key=lambda letter: (powers[letter], -often[letter], repr(letter)))
    within = tuple((multiplied(monomial, ((outer, -1),)), c) for monomial, c in terms if outer in dict(monomial))
    return outer, scheme(within), scheme(tuple(term for term in terms if outer not in dict(term[0])))


def evaluate(scheme: Scheme, values: Mapping[Expression, Any], number: Callable[[int], int] = int) -> Any:
    """Return the value of a scheme by + and × alone, over integers or arrays of any library; ``number`` of a coefficient."""
    if isinstance(scheme, int):
        return number(scheme)
    letter, within, beside = scheme
    product = values[letter] if within == 1 else evaluate(within, values, number) * values[letter]
    return product if beside == 0 else product + evaluate(beside, values, number)


def _divided(above: Any, below: Any, what: Sequence[object], rounding: type[Expression] = Dimension) -> Any:
    """Return a whole number over a whole number, rounded up or down, or as it is; DimensionError where that is not whole."""
    if isinstance(below, int) and below == 1:
        return above
    if rounding is Ceiling:
        return -(-above // below)
    whole = above // below
    differs = whole * below != above
    if rounding is not Floor and (differs if isinstance(differs, bool) else differs.any()):
        raise DimensionError(f"{' = '.join(map(str, what[:2]))} is not an integer: choose values that divide.")
    return whole

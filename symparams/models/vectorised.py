"""Closed forms as functions of arrays: a count for each of many configurations, exact in 64 bits, or an error."""

from __future__ import annotations

import operator
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from functools import cached_property, lru_cache
from math import isnan, lcm, prod
from typing import Any, TypeAlias, Union

from symparams.errors import DimensionError, UnknownNameError, quoted, suggestion
from symparams.expressions.closed_form import Relations, multiply_out
from symparams.expressions.nodes import Ceiling, Dimension, Expression, Floor
from symparams.expressions.polynomial import Coefficient, Monomial, Polynomial, multiplied
from symparams.expressions.symbols import in_rank
from symparams.records import frozen

LARGEST = 2**63 - 1
BLOCK = 2**15  # numbers of an array that are worked out at a time: all that is met on the way stays in a core's cache
ARRAYS = ("ndarray", "memmap", "Array", "ArrayImpl")  # numpy's, dask's and jax's; numpy's masked arrays and matrices differ

Scheme: TypeAlias = Union[int, tuple[Expression, "Scheme", "Scheme"]]


@frozen
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
    beside: Collection[Dimension] = field(default=(), repr=False)  # letters that are taken for the check alone
    check: Callable[[Mapping[Dimension, Any]], None] | None = field(default=None, repr=False)

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
        taken = self.taken | {letter.name: letter for letter in self.beside}
        for name in given:
            if name not in taken:
                raise UnknownNameError(f"{self.name} has no {quoted(name)} in its closed form. {suggestion(name, self.taken)}")
        values = {taken[n]: read(n, value, self.least.get(taken[n], 1)) for n, value in given.items()}
        stacked = {letter: value for letter, value in values.items() if not isinstance(value, int)}
        shape = _shape_of(stacked) if stacked else ()
        if self.check is not None and not any(map(is_dask, stacked.values())):  # whose blocks are checked one by one
            self.check(values)
        if not stacked:
            return self._at(values)
        integers = {letter: value for letter, value in values.items() if letter not in stacked}
        if any(map(is_dask, stacked.values())):
            return _by_dask(self, {letter.name: value for letter, value in integers.items()}, stacked)
        if any(value.dtype.kind == "O" for value in stacked.values()):
            stacked = _in_python_integers(stacked)
        return _in_blocks(lambda blocks: self._at({**integers, **blocks}), stacked, shape)

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

    def ratio(self, given: Mapping[Dimension, Any]) -> tuple[Any, Any]:
        """Return the closed form as a whole number over a whole number, of which the one need not divide the other."""
        followed = [letter for letter in self.taken.values() if letter not in given and self.follows(letter, given)]
        own = {d: self.values[d] for d in self.taken.values() if d in self.values and d not in followed}
        values: dict[Any, Any] = {**own, **given}
        return self._ratio(self.polynomial, values)

    def _at(self, given: Mapping[Dimension, Any]) -> Any:
        above, below = self.ratio(given)
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
                checked(letter.name, least, self.least.get(letter, 1))
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
        # what no number exceeds, whatever its sign; a size is never below 0
        most = {
            letter: max(1, int(value.max()), 0 if isinstance(letter, Dimension) else -int(value.min())) if value.size else 1
            for letter, value in values.items()
        }
        bound = max(evaluate(scheme, most, abs) for scheme in schemes)
        if bound > LARGEST:
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


def read(name: str, value: Any, least: int = 1) -> Any:
    """Return a Python integer, or an array of integers in 64 bits or of Python's; DimensionError for anything else."""
    if type(value).__name__.endswith("Tracer"):
        raise DimensionError(f"{name} is traced, so its values are unknown: call the function outside jit, vmap and grad.")
    if type(value).__name__ not in ARRAYS:
        return checked(name, _integer(name, value), least)
    if value.dtype.kind not in "iuO":
        raise DimensionError(f"{name} is a {type(value).__name__} of {value.dtype}: give integers.")
    if is_dask(value):
        return value
    if value.dtype.kind == "O":
        for number in value.flat:
            checked(name, _integer(name, number), least)
        return value
    if type(value).__name__ == "ArrayImpl" and not sys.modules["jax"].config.jax_enable_x64:
        raise DimensionError("jax computes in 32 bits here: call jax.config.update('jax_enable_x64', True) first.")
    if value.dtype == "uint64" and value.size and int(value.max()) > LARGEST:
        raise DimensionError(f"{name} = {int(value.max()):,} is more than the 2^63 - 1 of 64 bits: give dtype=object.")
    return checked(name, value if value.dtype == "int64" and value.dtype.isnative else value.astype("int64"), least)


def checked(name: str, value: Any, least: int) -> Any:
    """Return an integer or an array; DimensionError if one of its values is below ``least``."""
    smallest = least_of(value)
    if smallest is not None and smallest < least:
        wanted = "a positive integer" if least else "0 or a positive integer"
        raise DimensionError(f"{name} = {smallest} must be {wanted}: {name} counts something.")
    return value


def _shape_of(arrays: Mapping[Dimension, Any]) -> tuple[int, ...]:
    """Return the shape to which arrays broadcast, 1 for a length that dask has yet to find; DimensionError if there is none."""
    from numpy import broadcast_shapes

    try:
        shape: tuple[int, ...] = broadcast_shapes(
            *[tuple([1 if isnan(side) else side for side in array.shape]) for array in arrays.values()]
        )
    except ValueError:
        shapes = ", ".join(f"{dimension.name} {array.shape}" for dimension, array in arrays.items())
        raise DimensionError(f"These shapes do not broadcast: {shapes}.") from None
    return shape


def _in_python_integers(arrays: Mapping[Dimension, Any]) -> dict[Dimension, Any]:
    """Return all arrays as Python's integers, since one of them is; DimensionError for jax, which has none."""
    if any(type(array).__name__ == "ArrayImpl" for array in arrays.values()):
        name = next(dimension.name for dimension, array in arrays.items() if array.dtype.kind == "O")
        raise DimensionError(f"{name} holds Python integers, which jax does not support: give numpy arrays.")
    return {dimension: array.astype(object) for dimension, array in arrays.items()}


def _in_blocks(function: Callable[..., Any], arrays: Mapping[Dimension, Any], shape: tuple[int, ...]) -> Any:
    """Return a function over arrays; over long ones of numpy's by blocks of rows, since those stay in a core's cache."""
    import numpy as np

    rows = max(1, BLOCK // max(1, prod(shape[1:])))
    if not shape or shape[0] <= rows or any(type(array).__name__ == "ArrayImpl" for array in arrays.values()):
        result = function(arrays)
        return result if getattr(result, "shape", None) == shape else np.broadcast_to(result, shape).copy()
    result = np.empty(shape, next(iter(arrays.values())).dtype)
    long = {dimension for dimension, array in arrays.items() if array.shape[-len(shape) :][:1] == shape[:1]}
    for part in (slice(start, start + rows) for start in range(0, shape[0], rows)):
        result[part] = function({d: array[part] if d in long else array for d, array in arrays.items()})
    return result


def _by_dask(function: Callable[..., Any], integers: Mapping[str, int], arrays: Mapping[Dimension, Any]) -> Any:
    """Return dask's array of a function over arrays by name, worked out and checked block by block when it is computed."""
    import dask.array as da
    import numpy as np

    kind = object if any(array.dtype.kind == "O" for array in arrays.values()) else np.int64
    parts = [array if is_dask(array) else da.from_array(np.asarray(array)) for array in arrays.values()]

    def block(*blocks: Any) -> Any:
        return function(**integers, **{d.name: block for d, block in zip(arrays, blocks, strict=True)})

    sides = [tuple(range(part.ndim))[::-1] for part in parts]
    indexed = [argument for pair in zip(parts, sides, strict=True) for argument in pair]
    return da.blockwise(block, max(sides, key=len), *indexed, dtype=kind, meta=np.empty(0, kind))


def is_dask(value: Any) -> bool:
    """True if a value is an array of dask's."""
    return type(value).__module__.partition(".")[0] == "dask"


def least_of(value: Any) -> int | None:
    """Return the least of numbers that are there; None for an empty array and for one that is worked out later."""
    if isinstance(value, int):
        return value
    return int(value.min()) if getattr(value, "size", 0) and not is_dask(value) else None


def _integer(name: str, value: Any) -> int:
    if not isinstance(value, bool):
        try:
            return operator.index(value)
        except TypeError:
            pass
    if getattr(value, "shape", ()):
        raise DimensionError(f"{name} is a {type(value).__name__} of {value.dtype}: give integers.")
    raise DimensionError(
        f"{name} = {quoted(value, 30)} is a {type(value).__name__}: give an integer, or integers of numpy, dask or jax."
    )

"""Horner's scheme: a polynomial as products and sums of what is passed, h·(L·(12·h + 13) + V), each factor taken out once.

Only + and × are asked of a value, so it may be an integer or an array of any library. ``largest`` is a bound on all that is
met on the way, so that whoever works in 64 bits knows beforehand whether they are enough.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from operator import mul
from typing import Any, TypeAlias, Union

from symparams.expressions.nodes import Expression
from symparams.expressions.polynomial import Monomial, Polynomial, multiplied

Terms: TypeAlias = Mapping[Monomial, int]
Scheme: TypeAlias = Union[int, "Step"]
Times: TypeAlias = Callable[[Any, Any], Any]


@dataclass(frozen=True)
class Step:
    """letter × inner + rest."""

    letter: Expression
    inner: Scheme
    rest: Scheme


@dataclass(frozen=True)
class Ratio:
    """A polynomial as a whole numerator over a whole divisor, which is 1 where nothing is divided."""

    numerator: Scheme
    divisor: Scheme


def ratio(polynomial: Polynomial, first: Collection[Expression] = ()) -> Ratio:
    """The scheme of a polynomial; the letters ``first`` are taken out before others, so that those are worked out once."""
    common = lcm(*(Fraction(coefficient).denominator for coefficient in polynomial.terms.values()))
    below: dict[Expression, int] = {}
    for monomial in polynomial.terms:
        for letter, power in monomial:
            below[letter] = max(below.get(letter, 0), -power)
    divisor = tuple((letter, power) for letter, power in below.items() if power)
    terms = {multiplied(m, divisor): int(coefficient * common) for m, coefficient in polynomial.terms.items()}
    return Ratio(scheme(terms, first), scheme({multiplied(divisor, ()): common}, first))


def scheme(terms: Terms, first: Collection[Expression] = ()) -> Scheme:
    """The scheme of whole terms: the letter that stands in most of them is taken out, then the next."""
    often = Counter(letter for monomial in terms for letter, _ in monomial)
    if not often:
        return terms.get((), 0)
    letter = max(often, key=lambda each: (each in first, often[each], repr(each)))
    with_it = {multiplied(m, ((letter, -1),)): c for m, c in terms.items() if any(each == letter for each, _ in m)}
    without = {m: c for m, c in terms.items() if all(each != letter for each, _ in m)}
    return Step(letter, scheme(with_it, first), scheme(without, first))


def evaluate(node: Scheme, values: Mapping[Expression, Any], times: Times = mul) -> Any:
    """The value of a scheme over integers or arrays; ``times`` makes the first product of two, which may have its own room."""
    return _evaluated(node, values, times)[0]


def _evaluated(node: Scheme, values: Mapping[Expression, Any], times: Times) -> tuple[Any, bool]:
    """The value, and whether it is nobody else's and may be worked on in place: a new array costs as much as a product."""
    if isinstance(node, int):
        return node, False
    factor = values[node.letter]
    if node.inner == 1:
        product, is_new = factor, False
    else:
        product, is_new = _evaluated(node.inner, values, times)
        if is_new and _takes(product, factor):
            product *= factor
        else:
            product, is_new = times(product, factor), True
    if node.rest == 0:
        return product, is_new
    rest, is_rest_new = _evaluated(node.rest, values, times)
    if is_rest_new and not is_new:
        product, rest, is_new = rest, product, True
    if is_new and _takes(product, rest):
        product += rest
        return product, True
    return product + rest, True


def _takes(whole: Any, other: Any) -> bool:
    """Whether a result has the shape of the first of the two."""
    shape = getattr(other, "shape", ())
    return not shape or shape == getattr(whole, "shape", ())


def largest(node: Scheme, most: Mapping[Expression, int]) -> int:
    """What no value that is met on the way exceeds, whatever its sign, for letters from 0 up to ``most``."""
    return _bounds(node, most)[1]


def _bounds(node: Scheme, most: Mapping[Expression, int]) -> tuple[int, int]:
    """A bound on a node, and on all that leads to it."""
    if isinstance(node, int):
        return abs(node), abs(node)
    inner, within = _bounds(node.inner, most)
    rest, beside = _bounds(node.rest, most)
    here = most[node.letter] * inner + rest
    return here, max(here, within, beside, most[node.letter])

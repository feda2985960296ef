"""Bounds of ratios, h/L from 64 to 128: what they ask of two sides, and which values of one dimension they leave."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from symparams.expressions.bisection import crossing
from symparams.expressions.closed_form import as_written
from symparams.expressions.nodes import Dimension, Expression
from symparams.expressions.polynomial import Polynomial
from symparams.expressions.written import exact

Pair = tuple[Expression, Expression]


def pairs_of(ratio: Polynomial, low: Fraction, high: Fraction) -> tuple[Pair, ...]:
    """Return the pairs of which one is at most the other, 64·L and h, h and 128·L; none for a ratio of a sum."""
    if len(ratio.terms) != 1:
        return ()
    [(monomial, coefficient)] = ratio.terms.items()
    above = tuple((letter, power) for letter, power in monomial if power > 0)
    below = tuple((letter, -power) for letter, power in monomial if power < 0)

    def sides(bound: Fraction) -> Pair:
        over = coefficient.numerator * bound.denominator
        under = coefficient.denominator * bound.numerator
        return as_written(Polynomial({above: over})), as_written(Polynomial({below: under}))

    return sides(low)[::-1], sides(high)


def narrowed(
    pairs: Iterable[Pair],
    free: Dimension,
    values: Sequence[int],
    least: Mapping[Dimension, int],
    most: Mapping[Dimension, int],
) -> Sequence[int]:
    """Return those values of a dimension that pairs leave, where the others lie between ``least`` and ``most``.

    A pair leaves all of them if both its sides hold the dimension, or if one holds a dimension without bounds.
    """
    for small, large in pairs:
        others = {*small.dimensions, *large.dimensions} - {free}
        if values and (free in small.dimensions) != (free in large.dimensions) and others <= {*least}:
            values = _left_by((small, large), free, values, least, most)
    return values


def _left_by(
    pair: Pair, free: Dimension, values: Sequence[int], least: Mapping[Dimension, int], most: Mapping[Dimension, int]
) -> Sequence[int]:
    """Return the values from the first that a pair allows, or those before the first that it does not allow."""
    small, large = pair
    grows = free in large.dimensions

    def changes(place: int) -> bool:
        here = {free: values[place]}
        return (exact(small, {**least, **here}) <= exact(large, {**most, **here})) == grows

    place = crossing(changes, 0, values.index(values[-1]))  # len() of a range may be more than a machine's integer
    return values[place:] if grows else values[:place]

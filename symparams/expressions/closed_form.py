"""Closed forms: a written expression multiplied out, its relations applied, its terms in the order people write.

12·L·h² + 13·L·h + V·h + 4·h: highest power first, and of one power, the terms with more h first, then by the order
of ``symbols``. The algebra is sympy's, in its sparse polynomial ring over the rationals, which multiplies out
a whole model in a millisecond; a power may be negative there, which is how V·h / n_heads is a term like any other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from math import prod
from typing import TYPE_CHECKING, Any, TypeAlias

from symparams.expressions.symbols import DIMENSIONS, RANK, SLICES, h
from symparams.expressions.written import (
    Ceiling,
    Dimension,
    Expression,
    Floor,
    Labelled,
    Negative,
    Number,
    Power,
    Product,
    Quantity,
    Quotient,
    Size,
    Sum,
    parts,
    total,
)

if TYPE_CHECKING:
    import sympy

Relations: TypeAlias = Mapping[Dimension, Expression]
Powers: TypeAlias = tuple[int, ...]  # one for each of DIMENSIONS
Polynomial: TypeAlias = Any  # sympy.polys.rings.PolyElement: a mapping of Powers to rational coefficients


def multiply_out(expression: Expression, relations: Relations) -> Polynomial:
    """The expression multiplied out, with the relations applied: d_ff = 4·h makes 2·h·d_ff into 8·h².

    A relation that is a fraction is applied to whole products: d_head = h / n_heads turns n_heads·d_head into h and
    leaves a d_head by itself alone. Raises ZeroDivisionError for a division by what is always 0.
    """
    return _multiply_out(expression, tuple(relations.items()))


def as_sympy(terms: Polynomial) -> sympy.Expr:
    """A closed form as a sympy expression in the symbols of the dimensions."""
    import sympy

    symbols = [dimension.symbol for dimension in DIMENSIONS]
    return sympy.Add(
        *(
            sympy.Rational(int(coefficient.numerator), int(coefficient.denominator))
            * sympy.Mul(*(symbol**power for symbol, power in zip(symbols, powers, strict=True)))
            for powers, coefficient in terms.items()
        )
    )


def as_written(terms: Polynomial) -> Expression:
    """A closed form as a written expression, term by term in the order in which people write it."""
    return total([_written_term(terms[powers], powers) for powers in sorted(terms, key=_order)])


@cache
def _ring() -> Any:
    from sympy import QQ
    from sympy.polys.rings import PolyRing

    return PolyRing([dimension.name for dimension in DIMENSIONS], QQ)


@lru_cache(maxsize=16_384)
def _multiply_out(expression: Expression, relations: tuple[tuple[Dimension, Expression], ...]) -> Polynomial:
    plain = {dimension: value for dimension, value in relations if not isinstance(value, Quotient) and _is_polynomial(value)}
    expanded = _expand(expression, plain)
    for dimension, value in relations:
        if isinstance(value, Quotient):
            expanded = _absorb(expanded, dimension, value)
    return expanded


def _expand(expression: Expression, relations: Relations) -> Polynomial:
    ring = _ring()
    match expression:
        case Number(value):
            return ring.ground_new(value)
        case Dimension():
            return _expand(relations[expression], relations) if expression in relations else ring.gens[RANK[expression]]
        case Sum(terms):
            return sum((_expand(term, relations) for term in terms), ring.zero)
        case Product(factors):
            return prod((_expand(factor, relations) for factor in factors), start=ring.one)
        case Power(base, exponent):
            return prod([_expand(base, relations)] * exponent, start=ring.one)
        case Quotient(numerator, denominator):
            return _expand(numerator, relations) * _reciprocal(_expand(denominator, relations))
        case Negative(operand):
            return -_expand(operand, relations)
        case Size(inner) | Labelled(inner, _) | Quantity(_, inner):
            return _expand(inner, relations)
    raise TypeError(f"no closed form for {type(expression).__name__}")


def _is_polynomial(expression: Expression) -> bool:
    """Whether nothing in it is rounded; a dimension that follows from a rounded fraction stays a symbol."""
    return not isinstance(expression, (Floor, Ceiling)) and all(_is_polynomial(part) for part in parts(expression))


def _reciprocal(divisor: Polynomial) -> Polynomial:
    """1 over a single term; the parser and the definitions divide by nothing else."""
    if not divisor:
        raise ZeroDivisionError
    [(powers, coefficient)] = divisor.items()
    return _ring().from_dict({tuple(-power for power in powers): 1 / coefficient})


def _absorb(expanded: Polynomial, dimension: Dimension, value: Quotient) -> Polynomial:
    """Replace dimension · divisor by the dividend wherever both stand in a term."""
    assert isinstance(value.numerator, Dimension)
    assert isinstance(value.denominator, Dimension)
    part, divisor, dividend = RANK[dimension], RANK[value.denominator], RANK[value.numerator]
    absorbed = _ring().zero
    for powers, coefficient in expanded.items():
        pairs = max(0, min(powers[part], powers[divisor]))
        moved = list(powers)
        moved[part] -= pairs
        moved[divisor] -= pairs
        moved[dividend] += pairs
        absorbed += _ring().from_dict({tuple(moved): coefficient})
    return absorbed


def _order(powers: Powers) -> tuple[int, int, list[tuple[int, int]]]:
    degree = sum(power for dimension, power in zip(DIMENSIONS, powers, strict=True) if dimension not in SLICES)
    return -degree, -powers[RANK[h]], [(rank, -power) for rank, power in enumerate(powers) if power]


def _written_term(coefficient: Fraction, powers: Powers) -> Expression:
    factors = [(dimension, power) for dimension, power in zip(DIMENSIONS, powers, strict=True) if power]
    above: list[Expression] = [_power(dimension, power) for dimension, power in factors if power > 0]
    below: list[Expression] = [_power(dimension, -power) for dimension, power in factors if power < 0]
    if abs(coefficient.numerator) != 1 or not above:
        above.insert(0, Number(abs(int(coefficient.numerator))))
    if coefficient.denominator != 1:
        below.insert(0, Number(int(coefficient.denominator)))
    term = Size(Quotient(_tight(above), _tight(below))) if below else _tight(above)
    return Negative(term) if coefficient < 0 else term


def _power(dimension: Dimension, power: int) -> Expression:
    return dimension if power == 1 else Power(dimension, power)


def _tight(factors: Sequence[Expression]) -> Expression:
    return Size(Product(tuple(factors))) if len(factors) > 1 else factors[0]

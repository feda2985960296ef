"""Closed forms: a written expression multiplied out, its relations applied, its terms in the order people write.

12·L·h² + 13·L·h + V·h + 4·h: highest power first, and of one power, the terms with more h first, then by the order
of ``symparams.symbols``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from symparams.symbols import BY_NAME, RANK, SLICES, h
from symparams.written import (
    Dimension,
    Expression,
    Negative,
    Number,
    Power,
    Product,
    Quotient,
    Size,
    to_sympy,
    total,
)

if TYPE_CHECKING:
    import sympy

Relations: TypeAlias = Mapping[Dimension, Expression]
Monomial: TypeAlias = tuple[tuple[Dimension, int], ...]
Term: TypeAlias = tuple[Fraction, Monomial]


def closed_form(expression: Expression, relations: Relations) -> sympy.Expr:
    """The expression multiplied out, with the relations applied: d_ff = 4·h makes 2·h·d_ff into 8·h².

    A relation that is a fraction is applied to whole products: d_head = h / n_heads turns n_heads·d_head into h and
    leaves a d_head by itself alone.
    """
    return _closed_form(expression, tuple(relations.items()))


def as_written(expanded: sympy.Expr) -> Expression:
    """A closed form as a written expression, term by term in the order in which people write it."""
    terms = sorted(_terms(expanded), key=_order)
    return total([_written_term(coefficient, monomial) for coefficient, monomial in terms])


@lru_cache(maxsize=16_384)
def _closed_form(expression: Expression, relations: tuple[tuple[Dimension, Expression], ...]) -> sympy.Expr:
    import sympy

    plain = {d.symbol: to_sympy(value) for d, value in relations if not isinstance(value, Quotient)}
    expanded = to_sympy(expression)
    for _ in plain:
        expanded = expanded.xreplace(plain)
    expanded = sympy.expand(expanded)
    for dimension, value in relations:
        if isinstance(value, Quotient):
            expanded = _absorb(expanded, dimension.symbol, value)
    return expanded


def _absorb(expanded: sympy.Expr, symbol: sympy.Symbol, value: Quotient) -> sympy.Expr:
    import sympy

    whole, divisor = to_sympy(value.numerator), to_sympy(value.denominator)
    terms = []
    for term in sympy.Add.make_args(expanded):
        powers = term.as_powers_dict()
        pairs = max(0, min(powers.get(symbol, 0), powers.get(divisor, 0)))
        terms.append(term * (whole / (symbol * divisor)) ** pairs)
    return sympy.Add(*terms)


def _terms(expanded: sympy.Expr) -> list[Term]:
    import sympy

    terms = []
    for term in sympy.Add.make_args(expanded):
        coefficient, rest = term.as_coeff_Mul()
        powers = {BY_NAME[base.name]: int(power) for base, power in rest.as_powers_dict().items() if base != sympy.S.One}
        if coefficient != 0:
            terms.append((Fraction(int(coefficient.p), int(coefficient.q)), tuple(sorted(powers.items(), key=lambda item: RANK[item[0]]))))
    return terms


def _order(term: Term) -> tuple[int, int, list[tuple[int, int]]]:
    powers = dict(term[1])
    degree = sum(power for dimension, power in powers.items() if dimension not in SLICES)
    return -degree, -powers.get(h, 0), [(RANK[dimension], -power) for dimension, power in term[1]]


def _written_term(coefficient: Fraction, monomial: Monomial) -> Expression:
    above: list[Expression] = [d if power == 1 else Power(d, power) for d, power in monomial if power > 0]
    below: list[Expression] = [d if power == -1 else Power(d, -power) for d, power in monomial if power < 0]
    if abs(coefficient.numerator) != 1 or not above:
        above.insert(0, Number(abs(coefficient.numerator)))
    if coefficient.denominator != 1:
        below.insert(0, Number(coefficient.denominator))
    term = _tight(above) if not below else Size(Quotient(_tight(above), _tight(below)))
    return Negative(term) if coefficient < 0 else term


def _tight(factors: Sequence[Expression]) -> Expression:
    return Size(Product(tuple(factors))) if len(factors) > 1 else factors[0]

"""Between written expressions and sympy: what a user writes in sympy is read here, and what a user asks for is given."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import sympy

from symparams.errors import NotAnExpressionError, quoted
from symparams.expressions.nodes import (
    Ceiling,
    Dimension,
    Expression,
    Floor,
    Minimum,
    Negative,
    Number,
    Power,
    Product,
    Quotient,
    Sum,
)
from symparams.expressions.symbols import letter
from symparams.expressions.written import fold


@lru_cache(maxsize=16_384)
def to_sympy(expression: Expression) -> sympy.Expr:
    """The expression as sympy's, for algebra; equal in value, with order and grouping lost."""
    return fold(expression, ALGEBRA)


def from_sympy(value: sympy.Basic) -> Expression:
    """The written expression for a sympy one, its terms and factors in the order in which sympy prints them.

    What sympy holds unevaluated keeps the order that it was written in. Raises NotAnExpressionError for floats, for
    functions other than floor, ceiling and Min, for exponents that are not integers and for divisions by a sum.
    """
    if isinstance(value, (sympy.Dummy, sympy.Wild)):  # two of one name are two
        raise NotAnExpressionError(f"{quoted(value)} is sympy's {type(value).__name__}: write Symbol({value.name!r}).")
    if isinstance(value, sympy.Symbol):
        return letter(value.name)
    if isinstance(value, sympy.Integer):
        return _signed(Number(abs(int(value))), negative=bool(value < 0))
    if isinstance(value, sympy.Rational):
        return _signed(Quotient(Number(abs(value.p)), Number(value.q)), negative=value.p < 0)
    if isinstance(value, sympy.Add):
        return Sum(tuple(map(from_sympy, _args(value, sympy.Add.as_ordered_terms))))
    if isinstance(value, sympy.Mul):
        return _product(value)
    if isinstance(value, sympy.Pow):
        return _power(value)
    for function, node in FUNCTIONS.items():
        if isinstance(value, function):
            return node(tuple(map(from_sympy, value.args)))
    raise NotAnExpressionError(
        f"{quoted(value)} is sympy's {type(value).__name__}: "
        "a size holds exact numbers, letters, + - * / **, floor, ceiling and Min."
    )


def _args(value: sympy.Expr, ordered: Callable[[sympy.Expr], Sequence[sympy.Expr]]) -> Sequence[sympy.Expr]:
    is_evaluated = value.func(*value.args) == value and value.func(*value.args).args == value.args
    return ordered(value) if is_evaluated else value.args


def _product(value: sympy.Mul) -> Expression:
    above: list[Expression] = []
    below: list[Expression] = []
    factors = list(_args(value, sympy.Mul.as_ordered_factors))
    is_negative = bool(factors[0].is_Number and factors[0].is_negative)
    if is_negative:
        factors = [-factors[0], *factors[1:]] if factors[0] != -1 else factors[1:]
    for factor in factors:
        if isinstance(factor, sympy.Rational) and not isinstance(factor, sympy.Integer):
            above += [Number(factor.p)] if factor.p != 1 else []
            below.append(Number(factor.q))
        elif isinstance(factor, sympy.Pow) and factor.exp.is_Integer and factor.exp.is_negative:
            below.append(from_sympy(factor.base**-factor.exp))
        else:
            above.append(from_sympy(factor))
    over = _times(above)
    return _signed(Quotient(over, _times(below)) if below else over, negative=is_negative)


def _power(value: sympy.Pow) -> Expression:
    if not value.exp.is_Integer:
        raise NotAnExpressionError(f"{quoted(value)} has the exponent {value.exp}: an exponent is an integer.")
    if value.exp.is_negative:
        return Quotient(Number(1), from_sympy(value.base**-value.exp))
    return Power(from_sympy(value.base), int(value.exp))


def _times(factors: Sequence[Expression]) -> Expression:
    return Product(tuple(factors)) if len(factors) > 1 else factors[0] if factors else Number(1)


def _signed(expression: Expression, *, negative: bool) -> Expression:
    return Negative(expression) if negative else expression


FUNCTIONS: Mapping[type[sympy.Basic], Callable[[tuple[Expression, ...]], Expression]] = MappingProxyType(
    {sympy.floor: lambda args: Floor(*args), sympy.ceiling: lambda args: Ceiling(*args), sympy.Min: Minimum}
)


class _Sympy:
    """The algebra of sympy's expressions."""

    number: Callable[[int], sympy.Expr] = staticmethod(sympy.Integer)
    power: Callable[[Any, int], sympy.Expr] = staticmethod(sympy.Pow)
    floor: Callable[[Any], sympy.Expr] = staticmethod(sympy.floor)
    ceiling: Callable[[Any], sympy.Expr] = staticmethod(sympy.ceiling)

    def dimension(self, dimension: Dimension) -> sympy.Expr:
        return dimension.symbol

    def sum(self, terms: Sequence[Any]) -> sympy.Expr:
        return sympy.Add(*terms)

    def product(self, factors: Sequence[Any]) -> sympy.Expr:
        return sympy.Mul(*factors)

    def quotient(self, numerator: Any, denominator: Any) -> sympy.Expr:
        return numerator / denominator

    def negative(self, operand: Any) -> sympy.Expr:
        return -operand

    def minimum(self, choices: Sequence[Any]) -> sympy.Expr:
        return sympy.Min(*choices)


ALGEBRA = _Sympy()

"""Writing and reading formulas: how they are put together, folded into another algebra, evaluated and substituted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import ceil, floor, prod
from typing import Any, Protocol, TypeVar

from symparams.expressions.nodes import (
    Ceiling,
    Decimal,
    Dimension,
    Equality,
    Expression,
    Floor,
    Labelled,
    Minimum,
    Named,
    Negative,
    Number,
    Power,
    Product,
    Quotient,
    Size,
    Sum,
    as_expression,
    factors_of,
    unmarked,
)

ZERO, ONE = Number(0), Number(1)
Values = Mapping[Dimension, int]
Element = TypeVar("Element")


def total(terms: Sequence[Expression]) -> Expression:
    """The sum of these terms; a single one stays itself, none is 0."""
    return Sum(tuple(terms)) if len(terms) > 1 else terms[0] if terms else ZERO


def times(*factors: Expression) -> Expression:
    """A product as people write it: 1 × x is x, and 2 × (3 × x) is 2 × 3 × x; of no factors it is 1."""
    kept = [factor for factor in factors if factor is not ONE and (type(factor) is not Number or factor.value != 1)]
    if len(kept) < 2:
        return kept[0] if kept else ONE
    return Product(tuple(inner for factor in kept for inner in factors_of(factor)))


class Algebra(Protocol[Element]):
    """A domain in which an expression is worked out, such as integers, polynomials or sympy: its operations."""

    def number(self, value: int) -> Element: ...
    def dimension(self, dimension: Dimension) -> Element: ...
    def sum(self, terms: Sequence[Element]) -> Element: ...
    def product(self, factors: Sequence[Element]) -> Element: ...
    def power(self, base: Element, exponent: int) -> Element: ...
    def quotient(self, numerator: Element, denominator: Element) -> Element: ...
    def negative(self, operand: Element) -> Element: ...
    def floor(self, inner: Element) -> Element: ...
    def ceiling(self, inner: Element) -> Element: ...
    def minimum(self, choices: Sequence[Element]) -> Element: ...


# How a node that is no leaf is worked out from its operands; one that is not here is a mark, which is looked through.
OPERATIONS: Mapping[type[Expression], Callable[[Any, Any, Sequence[Any]], Any]] = {
    Sum: lambda algebra, _, operands: algebra.sum(operands),
    Product: lambda algebra, _, operands: algebra.product(operands),
    Minimum: lambda algebra, _, operands: algebra.minimum(operands),
    Power: lambda algebra, power, operands: algebra.power(operands[0], power.exponent),
    Quotient: lambda algebra, _, operands: algebra.quotient(*operands),
    Negative: lambda algebra, _, operands: algebra.negative(operands[0]),
    Floor: lambda algebra, _, operands: algebra.floor(operands[0]),
    Ceiling: lambda algebra, _, operands: algebra.ceiling(operands[0]),
}


def fold(expression: Expression, algebra: Algebra[Element], known: dict[Expression, Element] | None = None) -> Element:
    """The expression worked out in an algebra, from its leaves up; marks (Size, Labelled, Named) are looked through.

    ``known`` keeps what has been worked out, since a result that is referred to by name stands in many sums.
    """
    if isinstance(expression, Number):
        return algebra.number(expression.value)
    if isinstance(expression, Dimension):
        return algebra.dimension(expression)
    if known is not None and expression in known:
        return known[expression]
    result: Element
    if isinstance(expression, Decimal):
        fraction = expression.value
        result = algebra.quotient(algebra.number(fraction.numerator), algebra.number(fraction.denominator))
    elif isinstance(expression, Equality):
        raise TypeError("an equality is not a number")
    else:
        operands = [fold(operand, algebra, known) for operand in expression.operands]
        operation = OPERATIONS.get(type(expression))
        result = operation(algebra, expression, operands) if operation else operands[0]
    if known is not None:
        known[expression] = result
    return result


class Numbers:
    """The algebra of exact numbers, each dimension its value."""

    def __init__(self, values: Values) -> None:
        self.values = values

    def number(self, value: int) -> int | Fraction:
        return value

    def dimension(self, dimension: Dimension) -> int | Fraction:
        return self.values[dimension]

    def sum(self, terms: Sequence[int | Fraction]) -> int | Fraction:
        return sum(terms)

    def product(self, factors: Sequence[int | Fraction]) -> int | Fraction:
        return prod(factors)

    def power(self, base: int | Fraction, exponent: int) -> int | Fraction:
        return base**exponent

    def quotient(self, numerator: int | Fraction, denominator: int | Fraction) -> int | Fraction:
        if isinstance(numerator, int) and isinstance(denominator, int) and denominator and numerator % denominator == 0:
            return numerator // denominator
        return Fraction(numerator) / denominator

    def negative(self, operand: int | Fraction) -> int | Fraction:
        return -operand

    def floor(self, inner: int | Fraction) -> int | Fraction:
        return floor(inner)

    def ceiling(self, inner: int | Fraction) -> int | Fraction:
        return ceil(inner)

    def minimum(self, choices: Sequence[int | Fraction]) -> int | Fraction:
        return min(choices)


class Bound(dict[Dimension, int]):
    """Values for dimensions, or their names; with what has been worked out under them, so they are not changed once used."""

    def __init__(self, values: Values) -> None:
        super().__init__(values)
        self.worked_out: dict[Expression, int | Fraction] = {}

    def __missing__(self, name: object) -> int:
        if isinstance(name, str):  # which no key is, but what a person writes: values["h"]
            for dimension, value in self.items():
                if dimension.name == name:
                    return value
        raise KeyError(name)

    def __reduce__(self) -> tuple[Any, ...]:
        return Bound, (dict(self),)  # another process works out anew


def exact(expression: Expression, values: Values) -> int | Fraction:
    """Return the exact value, an int where it is whole; KeyError where a dimension has none."""
    return whole(fold(expression, Numbers(values), values.worked_out if isinstance(values, Bound) else None))


def whole(value: int | Fraction) -> int | Fraction:
    """Return an integer for a whole number, and any other fraction as it is."""
    return value.numerator if value.denominator == 1 else value


def half_up(value: int | Fraction, places: int) -> int:
    """Return value × 10^places as the nearest integer, halves up: 13.035 to 2 places is 1304."""
    numerator, denominator = value.numerator, value.denominator
    if places < 0:
        denominator *= 10**-places
    else:
        numerator *= 10**places
    return (2 * numerator + denominator) // (2 * denominator)


def number(value: int | Fraction) -> Number | Decimal:
    """Return the node that prints an exact number: 75,638,656, or 75,638,656.5 for a half."""
    value = whole(value)
    return Number(value) if isinstance(value, int) else Decimal(value)


def with_sign(value: int | Fraction) -> Expression:
    """Return an exact number that may be less than zero: −75,638,656."""
    return number(value) if value >= 0 else Negative(number(-value))


def evaluate(expression: Expression, values: Values) -> int:
    """The exact integer; KeyError where a dimension has no value, ArithmeticError where it is not an integer."""
    result = exact(expression, values)
    if isinstance(result, int):
        return result
    raise ArithmeticError(f"{result} is not an integer")


def replaced(expression: Expression, meanings: Mapping[Dimension, Expression]) -> Expression:
    """The same expression with other expressions in the places of letters; what it refers to by name is written out."""
    match expression:
        case Number():
            return expression
        case Dimension():
            return meanings.get(expression, expression)
        case Labelled(inner, _) | Named(_, inner):
            return replaced(inner, meanings)
    return expression.of(*(replaced(operand, meanings) for operand in expression.operands))


def tight(expression: Expression) -> Expression:
    """The same expression as a closed form is written, 4·h² + 4·h, where it is written out with crosses, 4 × h² + 4 × h."""
    if isinstance(expression, (Number, Dimension, Size, Labelled, Named)):
        return expression
    inner = expression.of(*(tight(operand) for operand in expression.operands))
    if isinstance(inner, Product):
        inner = _with_one_number(inner)
    return Size(inner) if isinstance(inner, Product) and expression.dimensions else inner


def _with_one_number(product: Product) -> Expression:
    """The same product with its numbers as one, since two side by side would read as another: 2·(2·h) as 4·h."""
    flat = [factor for side in product.factors for factor in factors_of(unmarked(side))]
    numbers = [factor for factor in flat if isinstance(factor, Number)]
    if len(numbers) < 2:
        return product
    return times(Number(prod(number.value for number in numbers)), *(factor for factor in flat if factor not in numbers))


def loose(expression: Expression) -> Expression:
    """The same expression written out with crosses, in which numbers can stand side by side."""
    match expression:
        case Number() | Dimension() | Named():
            return expression
        case Size(inner) | Labelled(inner, _):
            return loose(inner)
    return expression.of(*(loose(operand) for operand in expression.operands))


def substitute(expression: Expression, values: Values) -> Expression:
    """The same expression with numbers for the dimensions that have values; structure and order are kept.

    Labels are dropped: they have been read once, over the symbols.
    """
    match expression:
        case Number():
            return expression
        case Dimension():
            return as_expression(values[expression]) if expression in values else expression
        case Size() | Named() if all(d in values for d in expression.dimensions):
            value = exact(expression, values)
            return number(value) if value >= 0 else Negative(number(-value))
        case Named():
            return expression
        case Labelled(inner, _):
            return substitute(inner, values)
    return expression.of(*(substitute(operand, values) for operand in expression.operands))

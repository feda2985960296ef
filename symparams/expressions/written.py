"""Written expressions: formulas as a person wrote them, with order and grouping kept.

``3 * (h * h + h)`` stays ``3 × (h × h + h)``: nothing is merged, sorted or multiplied out. A written expression is
printed, substituted (``3 × (768 × 768 + 768)``), evaluated exactly, and turned into a sympy expression, which is
where all algebra happens. Definitions are built from these nodes alone, so that reading one does not import sympy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import ceil, floor, prod
from typing import TYPE_CHECKING, Any, Union

if TYPE_CHECKING:
    import sympy


class Expression:
    """A node of a written expression; ``+ - * / **`` build larger ones, grouping as Python reads them."""

    def __add__(self, other: Operand) -> Sum:
        return Sum((*_terms(self), _operand(other))) if _is_operand(other) else NotImplemented

    def __radd__(self, other: int) -> Sum:
        return Sum((_operand(other), self))

    def __sub__(self, other: Operand) -> Sum:
        return Sum((*_terms(self), Negative(_operand(other)))) if _is_operand(other) else NotImplemented

    def __rsub__(self, other: int) -> Sum:
        return Sum((_operand(other), Negative(self)))

    def __mul__(self, other: Operand) -> Product:
        return Product((*_factors(self), _operand(other))) if _is_operand(other) else NotImplemented

    def __rmul__(self, other: int) -> Product:
        return Product((_operand(other), self))

    def __truediv__(self, other: Operand) -> Quotient:
        return Quotient(self, _operand(other)) if _is_operand(other) else NotImplemented

    def __pow__(self, exponent: int) -> Power:
        return Power(self, exponent)

    def __neg__(self) -> Negative:
        return Negative(self)

    def _sympy_(self) -> sympy.Expr:
        return to_sympy(self)


Operand = Union[Expression, int]


@dataclass(frozen=True)
class Number(Expression):
    """An exact integer."""

    value: int


@dataclass(frozen=True)
class Dimension(Expression):
    """A symbol with a meaning: its name, its LaTeX, the config keys under which libraries store it.

    Two dimensions are the same if their names are; all are born in ``symparams.expressions.symbols``.
    """

    name: str
    latex: str
    config_keys: tuple[str, ...] = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Dimension) and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return self.name

    @cached_property
    def symbol(self) -> sympy.Symbol:
        """The sympy symbol of this dimension; a plain one, so that ``expr.subs({"h": 768})`` finds it."""
        import sympy

        return sympy.Symbol(self.name)


@dataclass(frozen=True)
class Sum(Expression):
    """Terms added in the order written; a Sum within a Sum is a pair of parentheses."""

    terms: tuple[Expression, ...]


@dataclass(frozen=True)
class Product(Expression):
    """Factors multiplied in the order written; a Product within a Product is a pair of parentheses."""

    factors: tuple[Expression, ...]


@dataclass(frozen=True)
class Power(Expression):
    """A base raised to a non-negative integer."""

    base: Expression
    exponent: int


@dataclass(frozen=True)
class Quotient(Expression):
    """A fraction, exact: h / n_heads."""

    numerator: Expression
    denominator: Expression


@dataclass(frozen=True)
class Floor(Expression):
    """A fraction rounded down: ⌊image_size / patch_size⌋."""

    inner: Expression


@dataclass(frozen=True)
class Ceiling(Expression):
    """A fraction rounded up: ⌈h / 16⌉."""

    inner: Expression


@dataclass(frozen=True)
class Negative(Expression):
    """A term that is taken away."""

    operand: Expression


@dataclass(frozen=True)
class Size(Expression):
    """One side of a matrix, or one monomial: written tight (3h) and substituted as one number (6,144)."""

    inner: Expression


@dataclass(frozen=True)
class Labelled(Expression):
    """A part of a formula under a brace that names it; ``label`` is a key of the language catalogues."""

    inner: Expression
    label: str


@dataclass(frozen=True)
class Quantity(Expression):
    """A result derived before, referred to by its name: N_attention stands for the formula of that step."""

    label: str
    definition: Expression


@dataclass(frozen=True)
class Equality(Expression):
    """Two ways to write one size, for a sentence to quote: h = n_heads × d_head."""

    left: Expression
    right: Expression


ZERO, ONE = Number(0), Number(1)
Values = Mapping[Dimension, int]


def size(value: Operand) -> Expression:
    """A side as a definition gives it (``h``, ``3 * h``, ``4``): compound ones become a Size."""
    side = _operand(value)
    return side if isinstance(side, (Number, Dimension, Size)) else Size(side)


def total(terms: list[Expression]) -> Expression:
    """The sum of these terms; a single one stays itself, none is 0."""
    return Sum(tuple(terms)) if len(terms) > 1 else terms[0] if terms else ZERO


def times(count: Expression, expression: Expression) -> Expression:
    """``count × expression`` as people write it: 1 × x is x, and 2 × (3 × x) is 2 × 3 × x."""
    if count == ONE:
        return expression
    if expression == ONE:
        return count
    return Product((*_factors(count), *_factors(expression)))


def parts(expression: Expression) -> tuple[Expression, ...]:
    """The direct operands of a node."""
    match expression:
        case Sum(items) | Product(items):
            return items
        case Quotient(left, right) | Equality(left, right):
            return (left, right)
        case Floor(inner) | Ceiling(inner):
            return (inner,)
        case Power(inner, _) | Negative(inner) | Size(inner) | Labelled(inner, _) | Quantity(_, inner):
            return (inner,)
        case _:
            return ()


def dimensions(expression: Expression) -> tuple[Dimension, ...]:
    """The dimensions of an expression, each once, in the order in which they are read."""
    return tuple(dict.fromkeys(_walk_dimensions(expression)))


def evaluate(expression: Expression, values: Values) -> int:
    """The exact integer; KeyError where a dimension has no value, ArithmeticError where it is not an integer."""
    result = _evaluate(expression, values)
    if isinstance(result, Fraction):
        if result.denominator != 1:
            raise ArithmeticError(f"{result.numerator}/{result.denominator} is not an integer")
        return result.numerator
    return result


def substitute(expression: Expression, values: Values) -> Expression:
    """The same expression with numbers for the dimensions that have values; structure and order are kept.

    Labels are dropped: they have been read once, over the symbols.
    """
    match expression:
        case Dimension():
            return Number(values[expression]) if expression in values else expression
        case Size(inner) | Quantity(_, inner) if all(d in values for d in dimensions(inner)):
            return Number(evaluate(inner, values))
        case Quantity():
            return expression
        case Labelled(inner, _):
            return substitute(inner, values)
        case _:
            return rebuild(expression, lambda part: substitute(part, values))


def rebuild(expression: Expression, change: Callable[[Expression], Expression]) -> Expression:
    """The same node over changed operands."""
    match expression:
        case Sum(terms):
            return Sum(tuple(change(term) for term in terms))
        case Product(factors):
            return Product(tuple(change(factor) for factor in factors))
        case Power(base, exponent):
            return Power(change(base), exponent)
        case Quotient(numerator, denominator):
            return Quotient(change(numerator), change(denominator))
        case Negative(operand):
            return Negative(change(operand))
        case Floor(inner):
            return Floor(change(inner))
        case Ceiling(inner):
            return Ceiling(change(inner))
        case Size(inner):
            return Size(change(inner))
        case Labelled(inner, label):
            return Labelled(change(inner), label)
        case Quantity(label, definition):
            return Quantity(label, change(definition))
        case _:
            return expression


@lru_cache(maxsize=16_384)
def to_sympy(expression: Expression) -> sympy.Expr:
    """The expression as sympy's, for algebra; equal in value, with order and grouping lost."""
    import sympy

    match expression:
        case Number(value):
            return sympy.Integer(value)
        case Dimension():
            return expression.symbol
        case Sum(terms):
            return sympy.Add(*map(to_sympy, terms))
        case Product(factors):
            return sympy.Mul(*map(to_sympy, factors))
        case Power(base, exponent):
            return sympy.Pow(to_sympy(base), exponent)
        case Quotient(numerator, denominator):
            return to_sympy(numerator) / to_sympy(denominator)
        case Negative(operand):
            return -to_sympy(operand)
        case Floor(inner):
            return sympy.floor(to_sympy(inner))
        case Ceiling(inner):
            return sympy.ceiling(to_sympy(inner))
        case Size(inner) | Labelled(inner, _) | Quantity(_, inner):
            return to_sympy(inner)
    raise TypeError(f"no sympy form for {type(expression).__name__}")


def _evaluate(expression: Expression, values: Values) -> int | Fraction:
    match expression:
        case Number(value):
            return value
        case Dimension():
            return values[expression]
        case Sum(terms):
            return sum(_evaluate(term, values) for term in terms)
        case Product(factors):
            return prod(_evaluate(factor, values) for factor in factors)
        case Power(base, exponent):
            return _evaluate(base, values) ** exponent
        case Quotient(numerator, denominator):
            return Fraction(_evaluate(numerator, values)) / _evaluate(denominator, values)
        case Negative(operand):
            return -_evaluate(operand, values)
        case Floor(inner):
            return floor(_evaluate(inner, values))
        case Ceiling(inner):
            return ceil(_evaluate(inner, values))
        case Size(inner) | Labelled(inner, _) | Quantity(_, inner):
            return _evaluate(inner, values)
    raise TypeError(f"no value for {type(expression).__name__}")


def _walk_dimensions(expression: Expression) -> Iterator[Dimension]:
    if isinstance(expression, Dimension):
        yield expression
    for part in parts(expression):
        yield from _walk_dimensions(part)


def _is_operand(value: Any) -> bool:
    return isinstance(value, Expression) or (isinstance(value, int) and not isinstance(value, bool))


def _operand(value: Operand) -> Expression:
    return value if isinstance(value, Expression) else Number(value)


def _terms(expression: Expression) -> tuple[Expression, ...]:
    return expression.terms if isinstance(expression, Sum) else (expression,)


def _factors(expression: Expression) -> tuple[Expression, ...]:
    return expression.factors if isinstance(expression, Product) else (expression,)

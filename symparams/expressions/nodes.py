"""The nodes of a written expression: a formula as a person wrote it, with order and grouping kept.

``3 * (h * h + h)`` stays ``3 × (h × h + h)``: nothing is merged, sorted or multiplied out. Integers, fractions and plain
sympy are taken wherever an expression is; what is none of them is refused where it is written.
"""

from __future__ import annotations

import operator
import sys
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias, Union

from symparams.errors import ExpressionError, NotAnExpressionError, quoted
from symparams.records import frozen

if TYPE_CHECKING:
    import sympy
import re

LONGEST = 80
NAME = re.compile(r"[^\W\d]\w*")
SPELLED = (
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu", "xi", "pi",
    "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega", "Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma",
    "Upsilon", "Phi", "Psi", "Omega",
)  # fmt: skip
GREEK = dict(zip("αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΥΦΨΩ", SPELLED, strict=True)) | {word: word for word in SPELLED}


def is_name(text: object) -> bool:
    """True if a text can name a letter: letters, digits and _, no digit first. N, E, S, I and lambda are letters too."""
    return isinstance(text, str) and len(text) <= LONGEST and NAME.fullmatch(text) is not None


def latex_of(name: str) -> str:
    r"""Return the LaTeX of a name: d_ff as d_{\text{ff}}, n_kv_heads as n_{\text{kv heads}}, lambda as \lambda, w2 as w_{2}."""
    base, _, index = name.partition("_")
    numbered = re.fullmatch(r"([^\W\d_]+)(\d+)", base)
    if numbered and not index:
        base, index = numbered.groups()
    if not base or not index.strip("_"):
        return _word(name) if "_" in name else _base(name)
    index = index.strip("_")
    return _base(base) + (f"_{{{index}}}" if index.isdecimal() else rf"_{{\text{{{index.replace('_', ' ')}}}}}")


def _base(base: str) -> str:
    if base in GREEK:
        return rf"\{GREEK[base]}"
    return base if len(base) == 1 and base.isascii() else _word(base)


def _word(name: str) -> str:
    return r"\text{" + name.replace("_", r"\_") + "}"


# What is taken wherever an expression is, beside sympy's own, which has no types: as_expression reads it.
Operand: TypeAlias = Union["Expression", int, Fraction]


class Multiplicand:
    """A thing that an expression multiplies without becoming a product: ``L * block(…)`` is a component."""


class Expression:
    """A node, a frozen record; ``+ - * / // **`` build larger ones, grouping as Python reads them.

    Nodes are equal if their fields are. The hash is kept, since a result that is referred to by name holds its whole formula.
    """

    __match_args__: tuple[str, ...] = ()
    _hash: int
    _op_priority = 100.0  # sympy's own operators step aside, on either side: r*h keeps its order

    @property
    def operands(self) -> tuple[Expression, ...]:
        """The direct operands."""
        return ()

    def of(self, *operands: Expression) -> Expression:
        """The same node over other operands."""
        return self

    @cached_property
    def dimensions(self) -> tuple[Dimension, ...]:
        """The dimensions of the expression, each once, in the order in which they are read."""
        operands = self.operands
        if len(operands) == 1:
            return operands[0].dimensions
        return tuple(dict.fromkeys([d for operand in operands for d in operand.dimensions]))

    @cached_property
    def _values(self) -> tuple[Any, ...]:
        fields = self.__dict__
        return tuple([fields[name] for name in self.__match_args__])

    def __hash__(self) -> int:
        try:
            return self._hash
        except AttributeError:
            fields = self.__dict__
            fields["_values"] = tuple([fields[name] for name in self.__match_args__])
            fields["_hash"] = hash((type(self), fields["_values"]))
            return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(self) is not type(other):
            return False
        try:
            return self._hash == other._hash and self._values == other._values
        except AttributeError:  # of the two that was not yet asked for
            return hash(self) == hash(other) and self._values == other._values

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._values  # another process hashes anew

    def __repr__(self) -> str:
        from symparams.expressions.printing.printer import plain

        return plain(self)

    def _repr_latex_(self) -> str:
        from symparams.expressions.notation import NOTATIONS
        from symparams.expressions.printing.latex import LatexPrinter

        return f"${LatexPrinter(NOTATIONS['hidden'], str)(self)}$"

    def _sympy_(self) -> sympy.Expr:
        from symparams.expressions.sympy_forms import to_sympy

        return to_sympy(self)

    def __add__(self, other: Operand) -> Sum:
        return Sum((*terms_of(self), as_expression(other)))

    def __radd__(self, other: Operand) -> Sum:
        return Sum((as_expression(other), self))

    def __sub__(self, other: Operand) -> Sum:
        return Sum((*terms_of(self), Negative(as_expression(other))))

    def __rsub__(self, other: Operand) -> Sum:
        return Sum((as_expression(other), Negative(self)))

    def __mul__(self, other: Operand) -> Product:
        return NotImplemented if isinstance(other, Multiplicand) else Product((*factors_of(self), as_expression(other)))

    def __rmul__(self, other: Operand) -> Product:
        return Product((as_expression(other), self))

    def __truediv__(self, other: Operand) -> Quotient:
        return Quotient(self, as_expression(other))

    def __rtruediv__(self, other: Operand) -> Quotient:
        return Quotient(as_expression(other), self)

    def __floordiv__(self, other: Operand) -> Floor:
        return Floor(self / other)

    def __pow__(self, exponent: Any) -> Power:
        return Power(self, _exponent(self, exponent))

    def __rpow__(self, base: Any) -> Power:
        raise NotAnExpressionError(f"{quoted(base)}**{self!r}: an exponent is a whole number, not a dimension.")

    def __neg__(self) -> Negative:
        return Negative(self)


@frozen
class Number(Expression):
    """An exact integer."""

    value: int

    def __post_init__(self) -> None:
        if type(self.value) is not int:
            raise NotAnExpressionError(f"{quoted(self.value)} is not an exact integer: write 3, or a fraction of two integers.")


@frozen
class Dimension(Expression):
    """A dimension, written as a letter; ``latex`` prints it, by default as its name says: d_ff is d with the index ff.

    ``is_own`` marks a user's own letter, which has no other meaning: b is then not the batch.

    Raises ExpressionError if the name has other characters than letters, digits and _, or begins with a digit.
    """

    name: str
    latex: str = ""
    is_own: bool = False

    def __post_init__(self) -> None:
        if not is_name(self.name):
            raise ExpressionError(
                f"{quoted(self.name)} is not the name of a letter: write letters, digits and _, as in d_model."
            )
        if not isinstance(self.latex, str) or not self.latex.isprintable():
            raise ExpressionError(f"{quoted(self.latex)} is not LaTeX for {self.name}: write a text, or leave it out.")
        if not self.latex:
            object.__setattr__(self, "latex", latex_of(self.name))

    @cached_property
    def dimensions(self) -> tuple[Dimension, ...]:
        """Itself."""
        return (self,)

    @cached_property
    def symbol(self) -> sympy.Symbol:
        """Its sympy symbol, a plain one, so that ``expr.subs({"h": 768})`` replaces it."""
        from sympy import Symbol

        return Symbol(self.name)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Dimension) and other.name == self.name and other.is_own is self.is_own)

    def __hash__(self) -> int:
        return hash(self.name)


class Several(Expression):
    """A node of any number of expressions, its one field."""

    @property
    def operands(self) -> tuple[Expression, ...]:
        operands: tuple[Expression, ...] = self.__dict__[self.__match_args__[0]]
        return operands

    def of(self, *operands: Expression) -> Expression:
        return self.__class__(*[operands])  # its one field


class Fixed(Expression):
    """A node whose expressions stand in fields of their own; what else it has stays as it is."""

    @cached_property
    def operands(self) -> tuple[Expression, ...]:
        return tuple(value for value in self._values if isinstance(value, Expression))

    def of(self, *operands: Expression) -> Expression:
        others = iter(operands)
        return type(self)(*(next(others) if isinstance(value, Expression) else value for value in self._values))


@frozen
class Sum(Several):
    """Terms added in the order written; a Sum within a Sum is a pair of parentheses."""

    terms: tuple[Expression, ...]


@frozen
class Product(Several):
    """Factors multiplied in the order written; a Product within a Product is a pair of parentheses."""

    factors: tuple[Expression, ...]


@frozen
class Power(Fixed):
    """A base raised to a non-negative integer."""

    base: Expression
    exponent: int


@frozen
class Quotient(Fixed):
    """A fraction, exact: h / n_heads."""

    numerator: Expression
    denominator: Expression


@frozen
class Floor(Fixed):
    """A fraction rounded down: ⌊image_size / patch_size⌋."""

    inner: Expression


@frozen
class Negative(Fixed):
    """A term that is taken away."""

    operand: Expression


def as_expression(value: Any) -> Expression:
    """The expression that a value stands for: an expression, an integer, a Fraction, or plain sympy.

    Raises NotAnExpressionError, which names the value, for anything else: a float is never exact.
    """
    if isinstance(value, Expression):
        return value
    if isinstance(value, Fraction):
        return Quotient(Number(value.numerator), Number(value.denominator))
    if "sympy" in sys.modules and isinstance(value, sys.modules["sympy"].Basic):
        from symparams.expressions.sympy_forms import from_sympy

        try:
            return from_sympy(value)
        except RecursionError:
            raise NotAnExpressionError(f"A {type(value).__name__} of sympy's is nested too deeply: write it flatter.") from None
    if not isinstance(value, bool):
        try:
            return Number(int(operator.index(value)))
        except TypeError:
            pass
    raise NotAnExpressionError(f"{quoted(value)} is a {type(value).__name__}, not a size: write an integer, a letter or sympy.")


def terms_of(expression: Expression) -> tuple[Expression, ...]:
    """The terms of a sum; anything else is its own only term."""
    return expression.terms if isinstance(expression, Sum) else (expression,)


def unmarked(expression: Expression) -> Expression:
    """What a size is made of; anything else is itself."""
    return expression.inner if isinstance(expression, Size) else expression


def factors_of(expression: Expression) -> tuple[Expression, ...]:
    """The factors of a product; anything else is its own only factor."""
    return expression.factors if isinstance(expression, Product) else (expression,)


def _exponent(base: Expression, exponent: Any) -> int:
    try:
        whole = int(operator.index(exponent))
    except TypeError:
        whole = -1
    if whole < 0 or isinstance(exponent, bool):
        raise NotAnExpressionError(f"({base!r})**{quoted(exponent)}: an exponent is a whole number from 0; for less divide.")
    return whole


@frozen
class Ceiling(Fixed):
    """A fraction rounded up: ⌈h / 16⌉."""

    inner: Expression


@frozen
class Minimum(Several):
    """The least of several: min(t, window)."""

    choices: tuple[Expression, ...]


@frozen
class Decimal(Expression):
    """An exact fraction, printed with at most two decimals; where they do not tell it all, ≈ stands before them."""

    value: Fraction


@frozen
class Size(Fixed):
    """One side of a matrix, or one monomial: written tight (3h) and substituted as one number (6,144)."""

    inner: Expression


@frozen
class Labelled(Fixed):
    """A part of a formula under a brace that names it; ``label`` is a name of the language catalogues."""

    inner: Expression
    label: Any


@frozen
class Named(Fixed):
    """A result derived before, referred to by its name: N_attention stands for the formula of that step."""

    label: Any
    definition: Expression


@frozen
class Equality(Fixed):
    """Two ways to write one size, for a sentence to quote: h = n_heads × d_head."""

    left: Expression
    right: Expression

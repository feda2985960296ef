"""What every printer shares: where parentheses stand, and where a long formula may break."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from symparams.expressions.marks import Ceiling, Equality, Labelled, Quantity, Size
from symparams.expressions.nodes import Dimension, Expression, Floor, Negative, Number, Power, Product, Quotient, Sum
from symparams.expressions.notation import Letter

# The one precedence table: a node within a node that binds as tightly, or more, stands in parentheses.
ANY, SUM, PRODUCT, POWER, ATOM = range(5)
PRECEDENCE: Mapping[type[Expression], int] = {Sum: SUM, Negative: SUM, Product: PRODUCT, Quotient: PRODUCT, Power: POWER}


@dataclass(frozen=True)
class Printer:
    """Writes an expression in one format: the letters are those of a notation, the labels those of a language."""

    letters: Mapping[Dimension, Letter]
    label: Callable[[str], str]

    plus, minus, cross, dot = " + ", " - ", " × ", "·"
    quad, approximately = "  ", "≈"

    def __call__(self, expression: Expression) -> str:
        return self.write(expression, ANY)

    def write(self, expression: Expression, around: int) -> str:
        """The expression as it stands within a node of precedence ``around``."""
        match expression:
            case Size(inner):
                return self.tight(inner, around)
            case Labelled(inner, label):
                return self.brace(self.write(inner, around), self.label(label))
        written = self.node(expression)
        return self.parenthesis(written) if PRECEDENCE.get(type(expression), ATOM) <= around else written

    def node(self, expression: Expression) -> str:
        """The expression by itself."""
        match expression:
            case Number(value):
                return self.number(value)
            case Dimension():
                return self.dimension(expression)
            case Sum(terms):
                return "".join(self.signed(term, first=i == 0) for i, term in enumerate(terms))
            case Negative():
                return self.signed(expression, first=True)
            case Product(factors):
                return self.cross.join(self.write(factor, PRODUCT) for factor in factors)
            case Power(base, exponent):
                return self.power(self.write(base, POWER), exponent)
            case Quotient(numerator, denominator):
                return self.quotient(numerator, denominator)
            case Floor(inner):
                return self.rounded("floor", self(inner))
            case Ceiling(inner):
                return self.rounded("ceil", self(inner))
            case Equality(left, right):
                return f"{self(left)} = {self(right)}"
            case Quantity(label, _):
                return self.quantity(self.label(label) if label else "")
        raise TypeError(f"no print form for {type(expression).__name__}")

    def signed(self, term: Expression, *, first: bool) -> str:
        """A term with the sign that joins it to the terms before it."""
        if isinstance(term, Negative):
            return (self.minus.strip() if first else self.minus) + self.write(term.operand, SUM)
        return ("" if first else self.plus) + self.write(term, SUM)

    def tight(self, inner: Expression, around: int) -> str:
        """One side of a matrix or one monomial: 3h."""
        if isinstance(inner, Product):
            written = self.juxtapose([self.write(factor, PRODUCT) for factor in inner.factors])
            return self.parenthesis(written) if around >= POWER else written
        return self.write(inner, around)

    def pieces(self, expression: Expression, fits: Callable[[str], bool]) -> list[str]:
        """The expression cut where a line may break: at its + signs, and within a term only where it does not fit."""
        return [piece for i, term in enumerate(_terms(expression)) for piece in self._term_pieces(term, fits, first=i == 0)]

    def _term_pieces(self, term: Expression, fits: Callable[[str], bool], *, first: bool) -> list[str]:
        whole = self.signed(term, first=first)
        if fits(whole):
            return [whole]
        inner = term.operand if isinstance(term, Negative) else term
        sign = whole[: whole.index(self.write(inner, SUM))]
        inner = inner.inner if isinstance(inner, (Labelled, Size)) else inner
        if not isinstance(inner, Product):
            return self._opened(sign, inner, fits)
        pieces = self._opened(sign, inner.factors[0], fits)
        for factor in inner.factors[1:]:
            whole = self.cross + self.write(factor, PRODUCT)
            pieces += [whole] if fits(whole) else self._opened(self.cross, factor, fits)
        return pieces

    def _opened(self, before: str, expression: Expression, fits: Callable[[str], bool]) -> list[str]:
        """A sum or a product with its parentheses, cut at its operators; one side of a matrix cut at its dots."""
        if isinstance(expression, Size) and isinstance(expression.inner, Sum):
            expression = expression.inner
        if isinstance(expression, Size) and isinstance(expression.inner, Product):
            first, *others = (self.write(factor, PRODUCT) for factor in expression.inner.factors)
            return [before + first, *(self.dot + factor for factor in others)]
        if not isinstance(expression, (Sum, Product)):
            return [before + self.write(expression, PRODUCT)]
        within = self.pieces(expression, fits)
        within[0], within[-1] = f"{before}({within[0]}", f"{within[-1]})"
        return within

    def parenthesis(self, written: str) -> str:
        return f"({written})"

    def number(self, value: int) -> str:
        return f"{value:,}"

    def dimension(self, dimension: Dimension) -> str:
        return self.letters[dimension].text

    def juxtapose(self, factors: list[str]) -> str:
        return "·".join(factors)

    def power(self, base: str, exponent: int) -> str:
        raise NotImplementedError

    def quotient(self, numerator: Expression, denominator: Expression) -> str:
        return f"{self.write(numerator, SUM)} / {self.write(denominator, PRODUCT)}"

    def brace(self, inner: str, label: str) -> str:
        return inner

    def quantity(self, label: str) -> str:
        raise NotImplementedError

    def decimal(self, digits: str, *, is_exact: bool) -> str:
        """A decimal number that is written already, and whether it is all of it."""
        return digits if is_exact else f"{self.approximately} {digits}"

    def rounded(self, way: str, inner: str) -> str:
        """A fraction rounded down ("floor") or up ("ceil")."""
        return f"⌊{inner}⌋" if way == "floor" else f"⌈{inner}⌉"

    def prose(self, words: str) -> str:
        """Words at the end of a formula."""
        return words

    def continuation(self, indent: str, piece: str) -> str:
        """A piece that begins a line, with its operator."""
        return indent + piece.lstrip()

    def width(self, written: str) -> float:
        """How wide the printed text is, in the unit of the format's lines."""
        raise NotImplementedError


def _terms(expression: Expression) -> tuple[Expression, ...]:
    return expression.terms if isinstance(expression, Sum) else (expression,)

"""The parentheses of a formula, and the signs that join its terms, for everything that walks one.

A printer walks a formula for its text, a metric for its width; both see the same parentheses and signs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any, Generic, NamedTuple, Protocol, Self, TypeVar

from symparams.expressions.closed_form import as_written, multiply_out
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
    factors_of,
    terms_of,
    unmarked,
)
from symparams.expressions.notation import COUNT, Letter, Letters
from symparams.expressions.printing.nodes import Answer, Blank, Measured, Remark, Rule, Scaled, Signed, Strong, Words
from symparams.expressions.written import ONE


def spread(term: Expression) -> tuple[Expression, ...]:
    """The terms of a product, each of the longest brackets multiplied by all else; none where it has no brackets."""
    inner = unmarked(term)
    factors = inner.factors if isinstance(inner, Product) else ()
    sums = [i for i, factor in enumerate(factors) if isinstance(unmarked(factor), Sum)]
    if not sums:
        return ()
    chosen = max(reversed(sums), key=lambda i: len(terms_of(unmarked(factors[i]))))
    is_tight = isinstance(term, Size)
    return tuple(_multiplied(factors, chosen, addend, is_tight=is_tight) for addend in terms_of(unmarked(factors[chosen])))


def negated(term: Expression) -> Expression:
    """A term with the other sign."""
    return term.operand if isinstance(term, Negative) else Negative(term)


def _multiplied(factors: Sequence[Expression], at: int, term: Expression, *, is_tight: bool) -> Expression:
    """The factors with this term in place of the one there."""
    if isinstance(term, Negative):
        return Negative(_multiplied(factors, at, term.operand, is_tight=is_tight))
    within = () if term == ONE else factors_of(unmarked(term) if is_tight else term)
    product = (*factors[:at], *within, *factors[at + 1 :])
    return _tight(product) if is_tight else Product(product) if len(product) > 1 else product[0]


def _tight(factors: Sequence[Expression]) -> Expression:
    """Numbers and powers of letters first, as people write them, and then names and brackets."""
    letters = [factor for factor in factors if isinstance(unmarked(factor), (Number, Dimension, Power))]
    others = [factor for factor in factors if factor not in letters]
    if not letters:
        return Size(Product(tuple(others))) if len(others) > 1 else others[0]
    monomial = as_written(multiply_out(Product(tuple(letters)), {}))
    return Size(Product((*factors_of(unmarked(monomial)), *others))) if others else monomial


# The one precedence table: a node within a node that binds as tightly, or more, stands in parentheses.
ANY, SUM, PRODUCT, POWER, ATOM = range(5)
PRECEDENCE: Mapping[type[Expression], int] = {
    Sum: SUM, Negative: SUM, Signed: SUM, Product: PRODUCT, Quotient: PRODUCT, Power: POWER,
}  # fmt: skip


class Piece(NamedTuple):
    """A piece that no line breaks: its sign, its node, the parentheses around it, and the brace that it is under.

    ``shows_sign`` tells that the sign is printed even where nothing stands before it; ``is_last`` that what is under the
    brace ends here.
    """

    sign: str
    node: Expression
    around: int = SUM
    opens: int = 0
    closes: int = 0
    label: str | None = None
    is_last: bool = True
    shows_sign: bool = False


def pieces(expression: Expression, fits: Callable[[Piece], bool]) -> list[Piece]:
    """The expression as pieces that fit a line, as far as it can be cut."""
    shows_plus = isinstance(expression, Signed)
    all_pieces = [piece for term in terms(expression) for piece in _term(term, fits)]
    return [all_pieces[0]._replace(shows_sign=shows_plus or all_pieces[0].sign == "-"), *all_pieces[1:]]


def terms(expression: Expression) -> tuple[Expression, ...]:
    """Return the addends of a formula, each with its sign."""
    return terms_of(expression.inner if isinstance(expression, Signed) else expression)


def _term(term: Expression, fits: Callable[[Piece], bool]) -> list[Piece]:
    whole = _signed(term)
    sign, inner = whole.sign, whole.node
    if fits(whole):
        return [whole]
    if isinstance(inner, Labelled):
        label = inner.label
        opened = _opened(sign, inner.inner, lambda piece: fits(piece._replace(label=label)))
        return [piece._replace(label=label, is_last=piece is opened[-1]) for piece in opened]
    return _opened(sign, inner, fits)


def _opened(sign: str, inner: Expression, fits: Callable[[Piece], bool]) -> list[Piece]:
    """A term as several that fit: what its brackets hold; one without brackets cut at its products' signs."""
    if isinstance(inner, Sum) and sign == "+":  # a part under a brace, which needs no brackets
        return [piece for term in inner.terms for piece in _term(term, fits)]
    if (
        not isinstance(inner, Size)
        and isinstance(inner, Product)
        and all(fits(Piece("×", factor, PRODUCT)) for factor in inner.factors)
    ):
        return _cut(sign, inner, fits)
    addends = [_signed(negated(term) if sign == "-" else term) for term in spread(inner)]
    opened = [part for piece in addends for part in ([piece] if fits(piece) else _opened(piece.sign, piece.node, fits))]
    return opened or _cut(sign, inner, fits)


def _signed(term: Expression) -> Piece:
    return Piece("-", term.operand) if isinstance(term, Negative) else Piece("+", term)


def _cut(sign: str, inner: Expression, fits: Callable[[Piece], bool]) -> list[Piece]:
    """A product cut at its signs, a monomial at its dots; where a factor is too wide, within its parentheses."""
    sign_within = "·" if isinstance(inner, Size) else "×"
    inner = unmarked(inner)
    if not isinstance(inner, Product):
        return _factor(sign, inner, fits)
    cut = _factor(sign, inner.factors[0], fits)
    for factor in inner.factors[1:]:
        whole = Piece(sign_within, factor, PRODUCT)
        cut += [whole] if fits(whole) else _factor(sign_within, factor, fits)
    return cut


def _factor(sign: str, factor: Expression, fits: Callable[[Piece], bool]) -> list[Piece]:
    """A sum or a product with its parentheses, cut at its signs; one side of a matrix cut at its dots."""
    if isinstance(factor, Size) and isinstance(factor.inner, Sum):
        factor = factor.inner
    if isinstance(factor, Size) and isinstance(factor.inner, Product):
        first, *others = factor.inner.factors
        return [Piece(sign, first, PRODUCT), *(Piece("·", other, PRODUCT) for other in others)]
    if not isinstance(factor, (Sum, Product)) or fits(Piece(sign, factor, PRODUCT)):
        return [Piece(sign, factor, PRODUCT)]
    within = pieces(factor, fits)
    within[0] = within[0]._replace(sign=sign, opens=within[0].opens + 1, shows_sign=False)
    within[-1] = within[-1]._replace(closes=within[-1].closes + 1)
    return within


FIRST, BETWEEN, LINE = "first", "between", "line"  # where a sign stands: before all, between two terms, at a line's beginning


class Addable(Protocol):
    """A text or a width: what stands side by side is added up."""

    def __add__(self, other: Any, /) -> Self: ...


T = TypeVar("T", bound=Addable)


def plainly(name: Any) -> str:
    """A name as it is."""
    return str(name)


class Form(ABC, Generic[T]):
    """Walks a formula: the letters are those of a notation, the names those of a language.

    ``brackets_braces`` tells that a sum under a brace has brackets, where the brace does not show how far it reaches.
    """

    brackets_braces = True

    def __init__(
        self,
        letters: Mapping[Dimension, Letter],
        label: Callable[[str], str] = plainly,
        named: Callable[[Named], str] | None = None,
        grouping: str = ",",
    ) -> None:
        self.letters, self.label, self.grouping = letters, label, grouping
        self.sums: Mapping[Expression, Dimension] = letters.sums if isinstance(letters, Letters) else {}
        self.count = letters.count if isinstance(letters, Letters) else COUNT
        self.named = named or (lambda quantity: label(quantity.label) if quantity.label else "")
        self.rules: Callable[[Blank], float] = lambda _: 0.0  # how long the rule of a blank is, in the metric's unit
        self._memo: dict[tuple[int, int], tuple[Expression, T]] = {}

    def __call__(self, expression: Expression) -> T:
        return self.write(expression, ANY)

    def write(self, expression: Expression, around: int) -> T:
        """The expression as it stands within a node of precedence ``around``, worked out once."""
        known = self._memo.get((id(expression), around))
        if known is not None:
            return known[1]
        kind = expression.__class__
        if kind is Sum and expression in self.sums:
            written = self.node(self.sums[expression])
        elif kind is Size:
            written = self.tight(expression.inner, around)  # type: ignore[attr-defined]
        elif kind is Labelled:
            inner = self.write(expression.inner, around if self.brackets_braces else ANY)  # type: ignore[attr-defined]
            written = self.brace(inner, self.label(expression.label))  # type: ignore[attr-defined]
        else:
            written = self.node(expression)
            if PRECEDENCE.get(kind, ATOM) <= around:
                written = self.parenthesis(written)
        self._memo[id(expression), around] = (expression, written)
        return written

    def counted(self, quantity: Named) -> str:
        """The letter of a result: its own, where its name has one, or that of all."""
        return getattr(quantity.label, "symbol", "") or self.count

    def node(self, expression: Expression) -> T:
        """The expression by itself."""
        walk = WALKS.get(expression.__class__)
        if walk is None:
            raise TypeError(f"no print form for {type(expression).__name__}")
        return walk(self, expression)  # type: ignore[no-any-return]

    def sum(self, expression: Sum) -> T:
        return self.join([self.signed(term, FIRST if i == 0 else BETWEEN) for i, term in enumerate(expression.terms)])

    def signed(self, term: Expression, where: str) -> T:
        """A term with the sign that joins it to the terms before it; a plus that is first is left out."""
        if isinstance(term, Negative):
            return self.sign("-", where) + self.write(term.operand, SUM)
        written = self.write(term, SUM)
        return written if where == FIRST else self.sign("+", where) + written

    def difference(self, expression: Signed) -> T:
        if isinstance(terms(expression)[0], Negative):
            return self(expression.inner)
        return self.sign("+", FIRST) + self(expression.inner)

    def product(self, expression: Product) -> T:
        factors = [self.write(factor, PRODUCT) for factor in expression.factors]
        return self.join([part for factor in factors for part in (self.sign("×", BETWEEN), factor)][1:])

    def tight(self, inner: Expression, around: int) -> T:
        """One side of a matrix or one monomial: 3h."""
        if isinstance(inner, Product):
            written = self.juxtapose(inner.factors)
            return self.parenthesis(written) if around >= POWER else written
        return self.write(inner, around)

    def below(self, quotient: Quotient) -> T:
        """Print a denominator after a slash; a product without spaces has brackets: 1 / (2·N)."""
        return self.write(quotient.denominator, POWER if isinstance(quotient.denominator, Size) else PRODUCT)

    def line(self, pieces: Sequence[Piece], where: str) -> T:
        """The pieces of one line; those under one brace stand under it together."""
        if all(piece.label is None for piece in pieces):
            return self.join([self.piece(pieces[0], where), *[self.piece(piece, BETWEEN) for piece in pieces[1:]]])
        parts = []
        for label, together in groupby(pieces, key=lambda piece: piece.label):
            first, *others = together
            if label is None:
                parts += [self.piece(first, where), *(self.piece(piece, BETWEEN) for piece in others)]
            else:
                inner = self.join([self.bare(first), *(self.piece(piece, BETWEEN) for piece in others)])
                is_last = [first, *others][-1].is_last
                parts += [*self.sign_of(first, where), self.part(inner, self.label(label), is_last=is_last)]
            where = BETWEEN
        return self.join(parts)

    def piece(self, piece: Piece, where: str) -> T:
        """A piece of a formula that was broken, with its sign and the parentheses that open and close in it."""
        return self.join([*self.sign_of(piece, where), self.bare(piece)])

    def sign_of(self, piece: Piece, where: str) -> list[T]:
        """The sign of a piece; a plus that is first is left out, but for a difference."""
        return [self.sign(piece.sign, where)] if where != FIRST or piece.shows_sign else []

    def bare(self, piece: Piece) -> T:
        """A piece without its sign."""
        written = self.write(piece.node, piece.around)
        if not piece.opens and not piece.closes:
            return written
        return self.join([*[self.bracket("(")] * piece.opens, written, *[self.bracket(")")] * piece.closes])

    def parenthesis(self, written: T) -> T:
        return self.bracket("(") + written + self.bracket(")")

    def part(self, written: T, label: str, *, is_last: bool) -> T:
        """A line of a labelled part that takes several."""
        return self.brace(written, label)

    @abstractmethod
    def join(self, parts: list[T]) -> T: ...
    @abstractmethod
    def sign(self, sign: str, where: str) -> T: ...
    @abstractmethod
    def bracket(self, bracket: str) -> T: ...
    @abstractmethod
    def number(self, number: Number) -> T: ...
    @abstractmethod
    def dimension(self, dimension: Dimension) -> T: ...
    @abstractmethod
    def juxtapose(self, factors: tuple[Expression, ...]) -> T: ...
    @abstractmethod
    def power(self, power: Power) -> T: ...
    @abstractmethod
    def quotient(self, quotient: Quotient) -> T: ...
    @abstractmethod
    def brace(self, inner: T, label: str) -> T: ...
    @abstractmethod
    def quantity(self, quantity: Named) -> T: ...
    @abstractmethod
    def floor(self, rounded: Floor) -> T: ...
    @abstractmethod
    def ceiling(self, rounded: Ceiling) -> T: ...
    @abstractmethod
    def minimum(self, least: Minimum) -> T: ...
    @abstractmethod
    def equality(self, equality: Equality) -> T: ...
    @abstractmethod
    def strong(self, strong: Strong) -> T: ...
    @abstractmethod
    def decimal(self, decimal: Decimal) -> T: ...
    @abstractmethod
    def scaled(self, scaled: Scaled) -> T: ...
    @abstractmethod
    def remark(self, remark: Remark) -> T: ...
    @abstractmethod
    def worded(self, words: Words) -> T: ...
    @abstractmethod
    def rule(self, width: float, number: str) -> T: ...
    @abstractmethod
    def boxed(self, written: T, number: str) -> T: ...
    @abstractmethod
    def measured(self, measured: Measured) -> T: ...


WALKS: Mapping[type[Expression], Callable[[Any, Any], Any]] = {
    Number: lambda form, node: form.number(node),
    Dimension: lambda form, node: form.dimension(node),
    Sum: lambda form, node: form.sum(node),
    Negative: lambda form, node: form.signed(node, FIRST),
    Product: lambda form, node: form.product(node),
    Power: lambda form, node: form.power(node),
    Quotient: lambda form, node: form.quotient(node),
    Floor: lambda form, node: form.floor(node),
    Ceiling: lambda form, node: form.ceiling(node),
    Minimum: lambda form, node: form.minimum(node),
    Equality: lambda form, node: form.equality(node),
    Named: lambda form, node: form.quantity(node),
    Signed: lambda form, node: form.difference(node),
    Strong: lambda form, node: form.strong(node),
    Decimal: lambda form, node: form.decimal(node),
    Scaled: lambda form, node: form.scaled(node),
    Remark: lambda form, node: form.remark(node),
    Words: lambda form, node: form.worded(node),
    Blank: lambda form, node: form.rule(form.rules(node), node.number),
    Rule: lambda form, node: form.rule(node.width, node.number),
    Answer: lambda form, node: form.boxed(form(node.inner), node.number),
    Measured: lambda form, node: form.measured(node),
}

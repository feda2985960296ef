"""Pieces: a formula cut where a line may break: at its + signs, never within brackets.

A term that is too wide by itself is written without its brackets first, and is cut at its × signs only where it has none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from symparams.expressions.closed_form import as_written, multiply_out
from symparams.expressions.marks import Labelled, Size
from symparams.expressions.nodes import Dimension, Expression, Negative, Number, Power, Product, Sum, factors_of
from symparams.expressions.printing.nodes import Signed
from symparams.expressions.written import ONE


def spread(term: Expression) -> tuple[Expression, ...]:
    """The terms of a product, each of the longest brackets multiplied by all else; none where it has no brackets."""
    inner = term.inner if isinstance(term, Size) else term
    factors = inner.factors if isinstance(inner, Product) else ()
    sums = [i for i, factor in enumerate(factors) if isinstance(_bare(factor), Sum)]
    if not sums:
        return ()
    chosen = max(reversed(sums), key=lambda i: len(terms_of(_bare(factors[i]))))
    is_tight = isinstance(term, Size)
    return tuple(_multiplied(factors, chosen, each, is_tight=is_tight) for each in terms_of(_bare(factors[chosen])))


def terms_of(expression: Expression) -> tuple[Expression, ...]:
    """What a formula adds up."""
    return expression.terms if isinstance(expression, Sum) else (expression,)


def negated(term: Expression) -> Expression:
    """A term with the other sign."""
    return term.operand if isinstance(term, Negative) else Negative(term)


def _multiplied(factors: Sequence[Expression], at: int, term: Expression, *, is_tight: bool) -> Expression:
    """The factors with this term in place of the one there."""
    if isinstance(term, Negative):
        return Negative(_multiplied(factors, at, term.operand, is_tight=is_tight))
    within = () if term == ONE else factors_of(_bare(term) if is_tight else term)
    found = (*factors[:at], *within, *factors[at + 1 :])
    return _tight(found) if is_tight else Product(found) if len(found) > 1 else found[0]


def _tight(factors: Sequence[Expression]) -> Expression:
    """Numbers and powers of letters first, as people write them, and then names and brackets."""
    letters = [factor for factor in factors if isinstance(_bare(factor), (Number, Dimension, Power))]
    others = [factor for factor in factors if factor not in letters]
    if not letters:
        return Size(Product(tuple(others))) if len(others) > 1 else others[0]
    monomial = as_written(multiply_out(Product(tuple(letters)), {}))
    return Size(Product((*factors_of(_bare(monomial)), *others))) if others else monomial


def _bare(expression: Expression) -> Expression:
    return expression.inner if isinstance(expression, Size) else expression


_SUM, _PRODUCT = 1, 2  # as in form.PRECEDENCE, which stands on this file


class Piece(NamedTuple):
    """What stands unbroken on a line: its sign, its node, the parentheses around it, and the brace that it is under.

    ``shows_sign`` tells that the sign is printed even where nothing stands before it; ``is_last`` that what is under the
    brace ends here.
    """

    sign: str
    node: Expression
    around: int = _SUM
    opens: int = 0
    closes: int = 0
    label: str | None = None
    is_last: bool = True
    shows_sign: bool = False


def pieces(expression: Expression, fits: Callable[[Piece], bool]) -> list[Piece]:
    """The expression as pieces that fit a line, as far as it can be cut."""
    shows_plus = isinstance(expression, Signed)
    found = [piece for term in terms(expression) for piece in _term(term, fits)]
    return [found[0]._replace(shows_sign=shows_plus or found[0].sign == "-"), *found[1:]]


def terms(expression: Expression) -> tuple[Expression, ...]:
    """What a formula adds up, each with its sign."""
    inner = expression.inner if isinstance(expression, Signed) else expression
    return inner.terms if isinstance(inner, Sum) else (inner,)


def _term(term: Expression, fits: Callable[[Piece], bool]) -> list[Piece]:
    sign, inner = ("-", term.operand) if isinstance(term, Negative) else ("+", term)
    whole = Piece(sign, inner)
    if fits(whole):
        return [whole]
    if isinstance(inner, Labelled):
        label = inner.label
        opened = _opened(sign, inner.inner, lambda piece: fits(piece._replace(label=label)))
        return list(_labelled(opened, label))
    return _opened(sign, inner, fits)


def _opened(sign: str, inner: Expression, fits: Callable[[Piece], bool]) -> list[Piece]:
    """A term as several that fit: what its brackets hold; one without brackets cut at its products' signs."""
    if isinstance(inner, Sum) and sign == "+":  # a part under a brace, which needs no brackets
        return [piece for term in inner.terms for piece in _term(term, fits)]
    if (
        not isinstance(inner, Size)
        and isinstance(inner, Product)
        and all(fits(Piece("×", each, _PRODUCT)) for each in inner.factors)
    ):
        return _cut(sign, inner, fits)
    return _spread(sign, inner, fits) or _cut(sign, inner, fits)


def _spread(sign: str, inner: Expression, fits: Callable[[Piece], bool]) -> list[Piece]:
    pieces = [piece for term in spread(inner) for piece in _signed(sign, term)]
    return [each for piece in pieces for each in ([piece] if fits(piece) else _opened(piece.sign, piece.node, fits))]


def _signed(sign: str, term: Expression) -> Iterator[Piece]:
    """A term of a sum that has this sign before it."""
    term = negated(term) if sign == "-" else term
    yield Piece("-", term.operand) if isinstance(term, Negative) else Piece("+", term)


def _cut(sign: str, inner: Expression, fits: Callable[[Piece], bool]) -> list[Piece]:
    """A product cut at its signs, a monomial at its dots; where a factor is too wide, within its parentheses."""
    sign_within = "·" if isinstance(inner, Size) else "×"
    inner = inner.inner if isinstance(inner, Size) else inner
    if not isinstance(inner, Product):
        return _factor(sign, inner, fits)
    found = _factor(sign, inner.factors[0], fits)
    for factor in inner.factors[1:]:
        whole = Piece(sign_within, factor, _PRODUCT)
        found += [whole] if fits(whole) else _factor(sign_within, factor, fits)
    return found


def _factor(sign: str, factor: Expression, fits: Callable[[Piece], bool]) -> list[Piece]:
    """A sum or a product with its parentheses, cut at its signs; one side of a matrix cut at its dots."""
    if isinstance(factor, Size) and isinstance(factor.inner, Sum):
        factor = factor.inner
    if isinstance(factor, Size) and isinstance(factor.inner, Product):
        first, *others = factor.inner.factors
        return [Piece(sign, first, _PRODUCT), *(Piece("·", other, _PRODUCT) for other in others)]
    if not isinstance(factor, (Sum, Product)) or fits(Piece(sign, factor, _PRODUCT)):
        return [Piece(sign, factor, _PRODUCT)]
    within = pieces(factor, fits)
    within[0] = within[0]._replace(sign=sign, opens=within[0].opens + 1, shows_sign=False)
    within[-1] = within[-1]._replace(closes=within[-1].closes + 1)
    return within


def _labelled(found: Sequence[Piece], label: str) -> Iterator[Piece]:
    for i, piece in enumerate(found):
        yield piece._replace(label=label, is_last=i == len(found) - 1)

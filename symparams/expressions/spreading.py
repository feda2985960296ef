"""Spreading: a product without the brackets that no line holds: L·(2·h² + 3·h·d_ff) as 2·L·h² + 3·L·h·d_ff."""

from __future__ import annotations

from collections.abc import Sequence

from symparams.expressions.closed_form import as_written, multiply_out
from symparams.expressions.marks import Size
from symparams.expressions.nodes import Dimension, Expression, Negative, Number, Power, Product, Sum, factors_of
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

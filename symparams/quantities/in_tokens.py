"""Training tokens: D of them in sequences of s are D / s sequences, b of a formula."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from symparams.errors import OptionError
from symparams.expressions.extent import size
from symparams.expressions.nodes import Expression, Product, Quotient, Size
from symparams.expressions.symbols import D, b, s
from symparams.quantities.quantity import Term
from symparams.quantities.setting import Setting


def in_tokens(terms: Sequence[Term], setting: Setting) -> Sequence[Term]:
    """The terms of D tokens where these are given: D / s sequences in place of b. OptionError where D says nothing."""
    if D not in setting.given:
        return terms
    if b in setting.given:
        raise OptionError("D counts the tokens of all sequences and b the sequences: give only one of them, and s.")
    if terms and not any(s in term.written.dimensions for term in terms):
        raise OptionError(
            f"{setting.model} reads no sequences of s tokens, so D does not give their number: give b instead of D."
        )
    if any(_powers_of_b(term.written) != 1 for term in terms):
        raise OptionError("Not every term is proportional to the number of sequences here, so D is not enough: give b.")
    return [replace(term, written=_of_tokens(term.written)) for term in terms]


def _powers_of_b(expression: Expression) -> int:
    if expression == b:
        return 1
    if isinstance(expression, Size):
        return _powers_of_b(expression.inner)
    if isinstance(expression, Product):
        return sum(map(_powers_of_b, expression.factors))
    return 2 if b in expression.dimensions else 0


def _of_tokens(expression: Expression) -> Expression:
    """The expression with D for b·s, and D / s for b alone."""
    if expression == b:
        return Quotient(D, s)
    if isinstance(expression, Size):
        return size(_of_tokens(expression.inner))
    if not isinstance(expression, Product):
        return expression
    factors = list(expression.factors)
    if b in factors and s in factors:
        factors[factors.index(b)] = D
        factors.remove(s)
    else:
        factors = [_of_tokens(factor) for factor in factors]
    return Product(tuple(factors)) if len(factors) > 1 else factors[0]

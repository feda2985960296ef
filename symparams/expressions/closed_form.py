"""Closed forms: a written expression multiplied out, its relations applied, its terms in the order people write.

12·L·h² + 13·L·h + V·h + 4·h: highest power first, and of one power, the terms with more h first, then by the order
of ``symbols``. sympy gives the same terms (the tests prove it for every form); it is not needed to find them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, TypeAlias

from symparams.errors import OptionError, quoted
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
    Size,
)
from symparams.expressions.polynomial import Coefficient, Monomial, Polynomial, Polynomials, added, multiplied
from symparams.expressions.symbols import SLICES, by_rank, h
from symparams.expressions.written import fold, total
from symparams.records import frozen

if TYPE_CHECKING:
    import sympy

EXPANDED, BLOCKS = FORMS = ("expanded", "blocks")
MOST_KEPT = 65_536  # expressions under the same relations; a process may work out any number of them

Relations: TypeAlias = Mapping[Dimension, Expression]


def check_form(form: str) -> str:
    """The form itself; OptionError lists the forms where it is none."""
    if form not in FORMS:
        raise OptionError(f"Unknown form {quoted(form)} of a closed form: choose {' or '.join(FORMS)}.")
    return form


def multiply_out(expression: Expression, relations: Relations) -> Polynomial:
    """The expression multiplied out, with the relations applied: d_ff = 4·h makes 2·h·d_ff into 8·h².

    A relation that is a fraction is applied to whole products: d_head = h / n_heads turns n_heads·d_head into h and
    leaves a d_head by itself alone. Raises ZeroDivisionError for a division by what is always 0.
    """
    return _expansion(tuple(relations.items())).of(expression)


def closed_form(expression: Expression, relations: Relations) -> Expression:
    """The same as a written expression, in the order in which people write it."""
    return _expansion(tuple(relations.items())).written(expression)


def as_sympy(polynomial: Polynomial) -> sympy.Expr:
    """A closed form as a sympy expression in the symbols of its letters."""
    import sympy

    from symparams.expressions.sympy_forms import to_sympy

    return sympy.Add(
        *(
            sympy.Rational(coefficient.numerator, coefficient.denominator)
            * sympy.Mul(*(to_sympy(letter) ** power for letter, power in monomial))
            for monomial, coefficient in polynomial.terms.items()
        )
    )


def written_as_sympy(expression: Expression) -> sympy.Expr:
    """A written expression as a sympy one, its brackets kept."""
    from symparams.expressions.sympy_forms import to_sympy

    return to_sympy(expression)


def as_written(polynomial: Polynomial) -> Expression:
    """A closed form as a written expression, term by term in the order in which people write it."""
    return total([written_term(polynomial.terms[monomial], monomial) for monomial in sorted(polynomial.terms, key=place)])


@frozen
class ProductRule:
    """A relation by a fraction as a rule for products: letter × divisor is dividend, n_heads·d_head is h."""

    pattern: Monomial
    dividend: Polynomial

    def applied(self, polynomial: Polynomial) -> Polynomial:
        """The polynomial with the rule applied wherever the whole pattern stands in a term."""
        return added([self._applied_to(monomial, coefficient) for monomial, coefficient in polynomial.terms.items()])

    def _applied_to(self, monomial: Monomial, coefficient: Coefficient) -> Polynomial:
        powers = dict(monomial)
        often = max(0, min(powers.get(letter, 0) // power for letter, power in self.pattern))
        if not often:
            return Polynomial({monomial: coefficient})
        without = tuple((letter, -power * often) for letter, power in self.pattern)
        return Polynomial({multiplied(monomial, without): coefficient}) * self.dividend**often


class Expansion:
    """Multiplying out under some relations; what was multiplied out once is kept."""

    def __init__(self, relations: Relations) -> None:
        self.relations = relations
        self.known: dict[Expression, Polynomial] = {}  # before the rules, which are for whole products
        self.found: dict[Expression, Polynomial] = {}
        self.closed: dict[Expression, Expression] = {}

    def of(self, expression: Expression) -> Polynomial:
        """The polynomial of an expression, every relation applied."""
        polynomial = self.found.get(expression)
        if polynomial is None:
            if len(self.known) > MOST_KEPT:
                for kept in (self.known, self.found, self.closed):
                    kept.clear()
            polynomial = fold(expression, self.algebra, self.known)
            for rule in self.rules:
                polynomial = rule.applied(polynomial)
            self.found[expression] = polynomial
        return polynomial

    def written(self, expression: Expression) -> Expression:
        """Its closed form as people write it."""
        closed = self.closed.get(expression)
        if closed is None:
            closed = self.closed[expression] = as_written(self.of(expression))
        return closed

    @cached_property
    def algebra(self) -> Polynomials:
        """The algebra in which the letters with a whole relation (d_ff = 4·h) stand for it."""
        meanings: dict[Dimension, Polynomial] = {}
        for dimension in _in_order({d: v for d, v in self.relations.items() if _is_polynomial(v)}):
            meanings[dimension] = fold(self.relations[dimension], Polynomials(meanings))
        return Polynomials(meanings)

    @cached_property
    def rules(self) -> tuple[ProductRule, ...]:
        """The relations that are fractions, as rules."""
        rules = []
        for dimension, value in self.relations.items():
            if dimension not in self.algebra.meanings and isinstance(value, Quotient) and not is_rounded(value):
                divisor, dividend = (fold(side, self.algebra) for side in (value.denominator, value.numerator))
                if len(divisor.terms) == 1:
                    [monomial] = divisor.terms
                    pattern = multiplied(((dimension, 1),), monomial)
                    rules.append(ProductRule(pattern, dividend * Polynomial({(): divisor.terms[monomial]}).reciprocal()))
        return tuple(rules)


@lru_cache(maxsize=256)
def _expansion(relations: tuple[tuple[Dimension, Expression], ...]) -> Expansion:
    return Expansion(dict(relations))


def _in_order(relations: Relations) -> list[Dimension]:
    """The dimensions with relations, each after those that its own relation speaks of; there is no circle."""
    from graphlib import TopologicalSorter

    behind = {d: [other for other in value.dimensions if other in relations] for d, value in relations.items()}
    return list(TopologicalSorter(behind).static_order())


def _is_polynomial(expression: Expression) -> bool:
    """True if a relation can be put in for its letter: it is neither rounded nor divided by a letter."""
    if isinstance(expression, Quotient) and expression.denominator.dimensions:
        return False
    return not isinstance(expression, (Floor, Ceiling, Minimum)) and all(map(_is_polynomial, expression.operands))


def is_rounded(expression: Expression) -> bool:
    """True if an expression rounds, or takes the least, anywhere."""
    return isinstance(expression, (Floor, Ceiling, Minimum)) or any(map(is_rounded, expression.operands))


def place(monomial: Monomial) -> tuple[int, int, list[tuple[tuple[int, str], int]]]:
    """Return the sort key of a term in a closed form: its degree, its power of h, then the order of its letters."""
    powers = dict(monomial)
    degree = sum(power for letter, power in monomial if letter not in SLICES)
    return -degree, -powers.get(h, 0), sorted((by_rank(letter), -power) for letter, power in monomial)


def written_term(coefficient: Coefficient, monomial: Monomial) -> Expression:
    """One term of a closed form as people write it: 3·L·h·d_ff, V·h / n_heads."""
    factors = sorted(monomial, key=lambda factor: by_rank(factor[0]))
    above: list[Expression] = [_power(letter, power) for letter, power in factors if power > 0]
    below: list[Expression] = [_power(letter, -power) for letter, power in factors if power < 0]
    if abs(coefficient.numerator) != 1 or not above:
        above.insert(0, Number(abs(coefficient.numerator)))
    if coefficient.denominator != 1:
        below.insert(0, Number(coefficient.denominator))
    term = Size(Quotient(_tight(above), _tight(below))) if below else _tight(above)
    return Negative(term) if coefficient < 0 else term


def _power(letter: Expression, power: int) -> Expression:
    return letter if power == 1 else Power(letter, power)


def _tight(factors: Sequence[Expression]) -> Expression:
    return Size(Product(tuple(factors))) if len(factors) > 1 else factors[0]

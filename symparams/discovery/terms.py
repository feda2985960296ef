"""Products of powers, and sums of them, that give some numbers: found exactly, and written as people write them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache, cached_property
from itertools import product
from math import log, prod

from symparams.expressions.nodes import Expression, Negative, Number, Power, Product, Quotient
from symparams.expressions.written import total
from symparams.records import frozen

Monomial = tuple[int, ...]
Terms = dict[Monomial, Fraction]

PRIME = 2**61 - 1
MOST_TERMS = 6
MOST_PLAIN = 4  # terms, one of which is rounded
MOST_COUNT = 64
MOST_FACTOR = 4_096  # of the numerator and denominator of a coefficient
MOST_DEGREE = 4  # of a product of powers, those that divide counted too
POWERS = (0, 1, -1, 2, -2)
CLOSE = 1e-9


@frozen
class Points:
    """The numbers to fit, and beside each the values of what they are to be made of; no two points are the same."""

    symbols: tuple[Expression, ...]
    columns: tuple[tuple[int, ...], ...]
    values: tuple[int, ...]

    @property
    def number(self) -> int:
        """How many points there are."""
        return len(self.values)

    @cached_property
    def above_zero(self) -> bool:
        """True if all that the values are made of is above 0."""
        return all(min(column) > 0 for column in self.columns)

    @cached_property
    def inverses(self) -> tuple[tuple[int, ...], ...]:
        """The columns' inverses modulo the prime."""
        return tuple(tuple(pow(entry, -1, PRIME) for entry in column) for column in self.columns)

    def with_values(self, values: Sequence[int]) -> Points:
        """The same points with other numbers to fit."""
        return Points(self.symbols, self.columns, tuple(values))

    def beside(self, symbol: Expression, column: Sequence[int]) -> Points:
        """The same numbers with one more thing that they may be made of."""
        return Points((*self.symbols, symbol), (*self.columns, tuple(column)), self.values)


def of_powers(points: Points) -> Expression | None:
    """c·x^a·y^b: the quotient of each value by the powers is the same number."""
    if min(points.values) <= 0 or not points.above_zero:
        return None
    # Two quotients tell most powers apart, in floats; those that pass are tried exactly.
    rows = {points.number - 1, points.number // 2, points.number // 3} - {0}
    steps = [
        ([log(column[row] / column[0]) for column in points.columns], log(points.values[row] / points.values[0]))
        for row in rows
    ]
    for powers in _all_powers(len(points.columns)):
        if all(abs(sum(power * at for power, at in zip(powers, step, strict=True)) - up) < CLOSE for step, up in steps):
            factor = _factor(points, powers)
            if factor is not None:
                return written({powers: factor}, points.symbols)
    return None


@cache
def _all_powers(number: int) -> list[Monomial]:
    return sorted((powers for powers in product(POWERS, repeat=number) if sum(map(abs, powers)) <= MOST_DEGREE), key=plainness)


def plainness(powers: Monomial) -> tuple[int, int, Monomial]:
    """The order of products of powers, the plainest first."""
    return sum(map(abs, powers)), -sum(powers), powers


def _factor(points: Points, powers: Monomial) -> Fraction | None:
    """The number by which the powers give each value; None if it is not always the same one."""
    factor: Fraction | None = None
    for row, value in enumerate(points.values):
        up = prod(column[row] ** power for column, power in zip(points.columns, powers, strict=True) if power > 0)
        down = prod(column[row] ** -power for column, power in zip(points.columns, powers, strict=True) if power < 0)
        if factor is None:
            factor = Fraction(value * down, up)
            if factor.numerator > MOST_FACTOR or factor.denominator > MOST_FACTOR:
                return None
        elif value * down * factor.denominator != up * factor.numerator:
            return None
    return factor


@cache
def _bases(number: int) -> list[list[Monomial]]:
    """Products of powers to add up, of more and more kinds: affine, of two letters, with squares, with a quotient."""
    plain = [powers for powers in product((0, 1, 2), repeat=number) if sum(powers) <= 3]
    two = [powers for powers in plain if sum(powers) <= 2]
    divided = [(*powers[:place], -1, *powers[place + 1 :]) for powers in two for place in range(number) if not powers[place]]
    return [
        [powers for powers in plain if sum(powers) <= 1],
        [powers for powers in two if max(powers) <= 1],
        two,
        [powers for powers in plain if max(powers) <= 1],
        [*two, *divided],
    ]


def of_products(
    points: Points, bases: Sequence[Sequence[Monomial]] | None = None, *, spare: int = 1, whole: bool = False
) -> Expression | None:
    """a·x·y + b·z + c, of the plainest kind of products of which a sum gives every value.

    As many unknowns as points always fit: ``spare`` is how many points must have told nothing new.
    ``whole`` are few small whole numbers of each product, as of a form that is told by few points.
    """
    for basis in _bases(len(points.columns)) if bases is None else bases:
        solution = _solve(points, basis, spare)
        if solution is not None and (not whole or _is_plain(solution)):
            return written(solution, points.symbols)
    return None


def _is_plain(solution: Terms) -> bool:
    return len(solution) <= MOST_PLAIN and all(
        factor.denominator == 1 and abs(factor) <= MOST_COUNT for factor in solution.values()
    )


def _solve(points: Points, basis: Sequence[Monomial], spare: int) -> Terms | None:
    """The coefficients by elimination modulo a prime, then as fractions, each value checked.

    Rows are added one by one, so that most bases are refuted by the row after the last that was needed.
    """
    divides = any(power < 0 for powers in basis for power in powers)
    if divides and not points.above_zero:
        return None
    inverses = points.inverses if divides else points.columns
    factors = [[(place, power) for place, power in enumerate(powers) if power] for powers in basis]
    pivots: list[tuple[int, list[int]]] = []
    for row, value in enumerate(points.values):
        entries = []
        for powers in factors:
            residue = 1
            for place, power in powers:
                residue = residue * (points.columns[place][row] ** power if power > 0 else inverses[place][row]) % PRIME
            entries.append(residue)
        entries.append(value % PRIME)
        for place, pivot in pivots:
            if factor := entries[place]:
                entries = [(entry - factor * other) % PRIME for entry, other in zip(entries, pivot, strict=True)]
        lead = next((place for place, entry in enumerate(entries) if entry), None)
        if lead == len(basis):
            return None
        if lead is not None:
            inverse = pow(entries[lead], -1, PRIME)
            pivots.append((lead, [entry * inverse % PRIME for entry in entries]))
    if points.number - len(pivots) < spare + (len(pivots) > 2):
        return None
    return _checked(points, basis, _backwards(pivots))


def _backwards(pivots: Sequence[tuple[int, list[int]]]) -> dict[int, int]:
    """The coefficients by place, from the last row back; those of which no row tells are 0."""
    known: dict[int, int] = {}
    for place, entries in reversed(pivots):
        known[place] = (entries[-1] - sum(entries[other] * value for other, value in known.items())) % PRIME
    return known


def _checked(points: Points, basis: Sequence[Monomial], known: Mapping[int, int]) -> Terms | None:
    solution: Terms = {}
    for place, residue in sorted(known.items()):
        coefficient = _fraction(residue)
        if coefficient is None:
            return None
        if coefficient:
            solution[basis[place]] = coefficient
    if len(solution) > MOST_TERMS:
        return None
    for at, value in zip(zip(*points.columns, strict=True), points.values, strict=True):
        if sum(coefficient * at_point(at, powers) for powers, coefficient in solution.items()) != value:
            return None
    return solution


def at_point(values: Sequence[int], powers: Monomial) -> Fraction:
    """x^a·y^b at these values."""
    return prod((Fraction(value) ** power for value, power in zip(values, powers, strict=True) if power), start=Fraction(1))


def _fraction(residue: int) -> Fraction | None:
    """The fraction of small terms that has this residue."""
    before, after, down, below = PRIME, residue, 0, 1
    while after > MOST_FACTOR:
        quotient = before // after
        before, after, down, below = after, before - quotient * after, below, down - quotient * below
    if below == 0 or abs(below) > MOST_FACTOR:
        return None
    return Fraction(after, below)


def written(terms: Mapping[Monomial, Fraction], symbols: Sequence[Expression]) -> Expression:
    """A sum of products as it is written: 2·d_inner + h/n_heads, what is taken away last."""
    ordered = sorted(terms.items(), key=lambda term: (term[1] < 0, -sum(term[0]), [-power for power in term[0]]))
    parts = [_term(powers, abs(coefficient), symbols) for powers, coefficient in ordered]
    return total([Negative(part) if coefficient < 0 else part for part, (_, coefficient) in zip(parts, ordered, strict=True)])


def _term(powers: Monomial, coefficient: Fraction, symbols: Sequence[Expression]) -> Expression:
    up = [_power(symbol, power) for symbol, power in zip(symbols, powers, strict=True) if power > 0]
    down = [_power(symbol, -power) for symbol, power in zip(symbols, powers, strict=True) if power < 0]
    if coefficient.numerator != 1 or not up:
        up.insert(0, Number(coefficient.numerator))
    if coefficient.denominator != 1:
        down.insert(0, Number(coefficient.denominator))
    top = _times(up)
    return Quotient(top, _times(down)) if down else top


def _power(symbol: Expression, power: int) -> Expression:
    return Power(symbol, power) if power > 1 else symbol


def _times(factors: Sequence[Expression]) -> Expression:
    return factors[0] if len(factors) == 1 else Product(tuple(factors))

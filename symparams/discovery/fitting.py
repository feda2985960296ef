"""Expressions that fit whole numbers: what a side, or a number of layers, is at each of some samples of sizes.

The forms are tried from the simplest: a number, a product of powers, a sum of such products, a quotient rounded up or down, and
the smaller or larger of two. All is exact: a form is taken where it gives every number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import gcd, prod

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
    Sum,
)
from symparams.expressions.written import ONE, total

Sample = Mapping[str, int]
Monomial = tuple[int, ...]

PRIME = 2**61 - 1
MOST_LETTERS = 5  # of which one number is made
MOST_TERMS = 6
MOST_FACTOR = 4_096  # of the numerator and denominator of a coefficient
MOST_STEP = 13  # layers, of which every one is of another kind
POWERS = (0, 1, -1, 2, -2)


@dataclass(frozen=True)
class Data:
    """The numbers to fit, each with the sizes at which it was seen."""

    values: tuple[int, ...]
    samples: tuple[Sample, ...]

    def column(self, letter: str) -> tuple[int, ...]:
        """The values of one size."""
        return tuple(sample[letter] for sample in self.samples)


def fit(values: Sequence[int], samples: Sequence[Sample], letters: Iterable[str]) -> Expression | None:
    """Return the simplest expression in the letters that gives every value at its sample; None if no form does."""
    data = Data(tuple(values), tuple(samples))
    if len(set(values)) == 1:
        return Number(values[0])
    for chosen in _of_few(data, list(letters)):
        for form in (_product_of_powers, _sum_of_products, _smaller, _rounded, _every):
            if (expression := form(data, chosen)) is not None:
                return expression
    return None


def relevant(values: Sequence[int], samples: Sequence[Sample], names: Sequence[str]) -> list[str]:
    """Return the letters that the values depend on, as far as two samples show that differ in one letter alone."""
    found: set[str] = set()
    shown: set[str] = set()
    seen: dict[tuple[tuple[str, int], ...], list[int]] = {}
    for letter in names:
        seen.clear()
        for index, sample in enumerate(samples):
            key = tuple((name, sample[name]) for name in names if name != letter)
            seen.setdefault(key, []).append(index)
        for group in seen.values():
            if len({samples[index][letter] for index in group}) > 1:
                shown.add(letter)
                if len({values[index] for index in group}) > 1:
                    found.add(letter)
    return [name for name in names if name in found or name not in shown]


def _of_few(data: Data, names: Sequence[str]) -> Iterator[list[str]]:
    """The letters that are known to matter; then these and one of the others."""
    known = relevant(data.values, data.samples, names)
    if len(known) <= MOST_LETTERS:
        yield known
    others = [name for name in names if name not in known]
    for more in others:
        if len(known) < MOST_LETTERS:
            yield [*known, more]


def _product_of_powers(data: Data, letters: Sequence[str]) -> Expression | None:
    """c·x^a·y^b: the quotient of each value by the powers is the same number."""
    columns = [data.column(letter) for letter in letters]
    if any(0 in column for column in columns) or 0 in data.values:
        return None
    for powers in sorted(product(POWERS, repeat=len(letters)), key=_plainness):
        factor: Fraction | None = None
        for row, value in enumerate(data.values):
            up = prod(column[row] ** power for column, power in zip(columns, powers, strict=True) if power > 0)
            down = prod(column[row] ** -power for column, power in zip(columns, powers, strict=True) if power < 0)
            if factor is None:
                factor = Fraction(value * down, up)
                if factor.numerator > MOST_FACTOR or factor.denominator > MOST_FACTOR:
                    break
            elif value * down * factor.denominator != up * factor.numerator:
                break
        else:
            assert factor is not None
            return written({powers: factor}, letters)
    return None


def _plainness(powers: Monomial) -> tuple[int, int, Monomial]:
    return sum(map(abs, powers)), -sum(powers), powers


def _bases(number: int) -> Iterator[list[Monomial]]:
    """Products of powers to add up, of more and more kinds: affine, of two letters, with squares, with a quotient."""
    plain = list(product((0, 1, 2), repeat=number))
    yield [powers for powers in plain if sum(powers) <= 1]
    yield [powers for powers in plain if sum(powers) <= 2 and max(powers, default=0) <= 1]
    yield [powers for powers in plain if sum(powers) <= 2]
    yield [powers for powers in plain if sum(powers) <= 3 and max(powers, default=0) <= 1]
    divided = [
        (*powers[:place], -1, *powers[place + 1 :])
        for powers in plain
        for place in range(number)
        if not powers[place] and sum(powers) <= 2 and (sum(powers) < 2 or max(powers) <= 2)
    ]
    yield [*(powers for powers in plain if sum(powers) <= 2), *divided]


def _sum_of_products(data: Data, letters: Sequence[str]) -> Expression | None:
    for basis in _bases(len(letters)):
        if len(basis) >= len(data.values):
            continue  # as many unknowns as numbers always fit
        solution = _solve(data, letters, basis)
        if solution is not None and len(solution) <= MOST_TERMS:
            return written(solution, letters)
    return None


def _solve(data: Data, letters: Sequence[str], basis: Sequence[Monomial]) -> dict[Monomial, Fraction] | None:
    """The coefficients by elimination modulo a prime, then as fractions, each value checked."""
    columns = [data.column(letter) for letter in letters]
    rows = []
    for row, value in enumerate(data.values):
        at = [column[row] for column in columns]
        if 0 in at and any(power < 0 for powers in basis for power in powers):
            return None
        rows.append([_residue(at, powers) for powers in basis] + [value % PRIME])
    pivots = _eliminated(rows, len(basis))
    if pivots is None:
        return None
    solution: dict[Monomial, Fraction] = {}
    for place, row in pivots.items():
        coefficient = _fraction(rows[row][-1])
        if coefficient is None:
            return None
        if coefficient:
            solution[basis[place]] = coefficient
    for row, value in enumerate(data.values):
        at = [column[row] for column in columns]
        if sum(coefficient * _at(at, powers) for powers, coefficient in solution.items()) != value:
            return None
    return solution


def _at(values: Sequence[int], powers: Monomial) -> Fraction:
    """x^a·y^b at these values."""
    return prod((Fraction(value) ** power for value, power in zip(values, powers, strict=True)), start=Fraction(1))


def _residue(at: Sequence[int], powers: Monomial) -> int:
    residue = 1
    for value, power in zip(at, powers, strict=True):
        residue = residue * pow(value, power, PRIME) % PRIME
    return residue


def _eliminated(rows: list[list[int]], width: int) -> dict[int, int] | None:
    """The row of each column's pivot after elimination; None where the rows contradict each other. Free columns are 0."""
    pivots: dict[int, int] = {}
    top = 0
    for place in range(width):
        pivot = next((row for row in range(top, len(rows)) if rows[row][place]), None)
        if pivot is None:
            continue
        rows[top], rows[pivot] = rows[pivot], rows[top]
        inverse = pow(rows[top][place], -1, PRIME)
        rows[top] = [entry * inverse % PRIME for entry in rows[top]]
        for row, entries in enumerate(rows):
            if row != top and entries[place]:
                factor = entries[place]
                rows[row] = [(entry - factor * other) % PRIME for entry, other in zip(entries, rows[top], strict=True)]
        pivots[place] = top
        top += 1
    return None if any(row[-1] for row in rows[top:]) else pivots


def _fraction(residue: int) -> Fraction | None:
    """The fraction of small terms that has this residue."""
    before, after, down, below = PRIME, residue, 0, 1
    while after > MOST_FACTOR:
        quotient = before // after
        before, after, down, below = after, before - quotient * after, below, down - quotient * below
    if below == 0 or abs(below) > MOST_FACTOR:
        return None
    return Fraction(after, below)


def _rounded(data: Data, letters: Sequence[str]) -> Expression | None:
    """k·⌈r·m⌉ or k·⌊r·m⌋ of a product m of one or two letters, k a number or a letter."""
    if min(data.values) < 0 or not letters:
        return None
    common = gcd(*data.values)
    steps: list[tuple[Expression, tuple[int, ...]]] = [(Number(k), (k,) * len(data.values)) for k in _divisors(common)]
    steps += [(Dimension(letter), data.column(letter)) for letter in letters if 0 not in data.column(letter)]
    for step, by in steps:
        if any(value % each for value, each in zip(data.values, by, strict=True)):
            continue
        counts = [value // each for value, each in zip(data.values, by, strict=True)]
        for powers in sorted(product((0, 1, -1), repeat=len(letters)), key=_plainness):
            if not any(powers):
                continue
            columns = [data.column(letter) for letter in letters]
            if any(0 in column for column in columns):
                continue
            inner = [_at(at, powers) / each for at, each in zip(zip(*columns, strict=True), by, strict=True)]
            for node in (Ceiling, Floor):
                ratio = _ratio(counts, inner, node)
                if ratio is not None:
                    return _of_step(step, node, {powers: ratio}, letters)
    return None


def _of_step(
    step: Expression, node: type[Ceiling | Floor], whole: Mapping[Monomial, Fraction], letters: Sequence[str]
) -> Expression:
    """step·⌈whole / step⌉, or rounded down."""
    if isinstance(step, Number):
        rounded = node(written({powers: ratio / step.value for powers, ratio in whole.items()}, letters))
        return rounded if step == ONE else Product((step, rounded))
    return Product((step, node(Quotient(written(whole, letters), step))))


def _ratio(counts: Sequence[int], inner: Sequence[Fraction], node: type[Expression]) -> Fraction | None:
    """The simplest r for which every count is r·m, rounded; None if there is none."""
    low, high = Fraction(0), None
    for count, at in zip(counts, inner, strict=True):
        lower, upper = ((count - 1) / at, count / at) if node is Ceiling else (count / at, (count + 1) / at)
        low = max(low, lower)
        high = upper if high is None else min(high, upper)
    if high is None or low > high:
        return None
    ratio = _simplest(low, high, closed_low=node is Floor)
    return ratio if ratio is not None and ratio.denominator <= MOST_FACTOR and ratio.numerator <= MOST_FACTOR else None


def _simplest(low: Fraction, high: Fraction, *, closed_low: bool) -> Fraction | None:
    """The fraction of the smallest denominator between two others, one of which is allowed itself."""
    for denominator in range(1, 257):
        numerator = low * denominator
        least = (
            -(-numerator.numerator // numerator.denominator) if closed_low else numerator.numerator // numerator.denominator + 1
        )
        candidate = Fraction(least, denominator)
        if (candidate <= high and not closed_low) or (candidate < high and closed_low):
            return candidate
    return None


def _smaller(data: Data, letters: Sequence[str]) -> Expression | None:
    """The smaller of a letter and a number, or of two letters; or what is left of a letter without it."""
    for letter in letters:
        for other in letters:
            if other != letter and all(
                value == max(0, sample[letter] - sample[other]) for value, sample in zip(data.values, data.samples, strict=True)
            ):
                return Sum((Dimension(letter), Negative(Minimum((Dimension(letter), Dimension(other))))))
    for first, second in combinations(letters, 2):
        if all(value == min(sample[first], sample[second]) for value, sample in zip(data.values, data.samples, strict=True)):
            return Minimum((Dimension(first), Dimension(second)))
    for letter in letters:
        most = max(data.values)
        if all(value == min(sample[letter], most) for value, sample in zip(data.values, data.samples, strict=True)):
            return Minimum((Dimension(letter), Number(most)))
    return None


def _every(data: Data, letters: Sequence[str]) -> Expression | None:
    """⌊(L + c)/k⌋, the number of every k-th of L layers."""
    for letter in letters:
        for step in range(2, MOST_STEP):
            for offset in range(1, step):
                if all(
                    (sample[letter] + offset) // step == value for value, sample in zip(data.values, data.samples, strict=True)
                ):
                    return Floor(Quotient(Sum((Dimension(letter), Number(offset))), Number(step)))
    return None


def _divisors(number: int) -> list[int]:
    return [divisor for divisor in range(1, min(number, 512) + 1) if number % divisor == 0]


def written(terms: Mapping[Monomial, Fraction], letters: Sequence[str]) -> Expression:
    """A sum of products as it is written: 2·d_inner + h/n_heads, what is taken away last."""
    ordered = sorted(terms.items(), key=lambda term: (term[1] < 0, -sum(term[0]), [-power for power in term[0]]))
    parts = [_term(powers, abs(coefficient), letters) for powers, coefficient in ordered]
    return total([Negative(part) if coefficient < 0 else part for part, (_, coefficient) in zip(parts, ordered, strict=True)])


def _term(powers: Monomial, coefficient: Fraction, letters: Sequence[str]) -> Expression:
    up = [_power(letter, power) for letter, power in zip(letters, powers, strict=True) if power > 0]
    down = [_power(letter, -power) for letter, power in zip(letters, powers, strict=True) if power < 0]
    if coefficient.numerator != 1 or not up:
        up.insert(0, Number(coefficient.numerator))
    if coefficient.denominator != 1:
        down.insert(0, Number(coefficient.denominator))
    top = _times(up)
    return Quotient(top, _times(down)) if down else top


def _power(letter: str, power: int) -> Expression:
    return Power(Dimension(letter), power) if power > 1 else Dimension(letter)


def _times(factors: Sequence[Expression]) -> Expression:
    return factors[0] if len(factors) == 1 else Product(tuple(factors))

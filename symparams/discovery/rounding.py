"""Forms that are rounded, or the smaller or larger of two: widths of whole tiles, every k-th layer, windows of an image."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations, product
from math import gcd, isqrt, prod

from symparams.discovery.terms import MOST_FACTOR, Monomial, Points, at_point, of_products, plainness, written
from symparams.expressions.nodes import Ceiling, Expression, Floor, Minimum, Negative, Number, Power, Product, Quotient, Sum
from symparams.expressions.written import ONE

Rounding = type[Ceiling | Floor]
Column = tuple[int, ...]

FEWEST_POINTS = 4  # of which a form with rounding is told
FEWEST_VALUES = 3
FEWEST_ROWS = 6  # of which a form of letters that nothing speaks for is told
MOST_TIMES = 8  # that a letter times positions of an image is there
MOST_STEP = 512  # to a whole number of which a width is rounded
MOST_EVERY = 65  # layers, of which every one is of another kind
MOST_DENOMINATOR = 256
FACTORS, RATIOS = (1, 2, 3), (Fraction(1), Fraction(2), Fraction(1, 2))  # of what is plain
SLACK = 1 + 1e-9


def rounded(points: Points) -> Expression | None:
    """The simplest form with rounding, or with the smaller of two, that gives every value."""
    if points.number < FEWEST_POINTS:
        return None
    for form in (_smaller, _every_or_windows, _less, _layers, _steps, _more, _grid, _with_another):
        if (expression := form(points)) is not None:
            return expression
    return None


def of_any(points: Points | None) -> Expression | None:
    """A product of two letters, or ⌊a/b⌋ or n·⌊a/b⌋, of any letters: what is plain enough where nothing tells which matter."""
    if points is None or points.number < FEWEST_ROWS or len(set(points.values)) < FEWEST_VALUES or min(points.values) < 0:
        return None
    symbols, columns, values = points.symbols, points.columns, points.values
    most = max(range(points.number), key=values.__getitem__)  # where little else is as large
    for symbol, column in zip(symbols, columns, strict=True):
        factor = values[most] // max(1, column[most])
        if factor in FACTORS and all(value == factor * at for value, at in zip(values, column, strict=True)):
            return Product((Number(factor), symbol)) if factor > 1 else symbol
    for first, second in combinations(range(len(columns)), 2):
        one, other = columns[first], columns[second]
        factor = values[most] // max(1, one[most] * other[most])
        if factor in FACTORS and all(value == factor * a * b for value, a, b in zip(values, one, other, strict=True)):
            return Product((*((Number(factor),) if factor > 1 else ()), symbols[first], symbols[second]))
    for step, by in ((ONE, (1,) * points.number), *zip(symbols, columns, strict=True)):
        if min(by) > 0 and not any(value % each for value, each in zip(values, by, strict=True)):
            count = _quotient(points.with_values([value // each for value, each in zip(values, by, strict=True)]))
            if count is not None:
                return count if step == ONE else Product((step, count))
    return None


def _quotient(points: Points) -> Expression | None:
    """⌊a/b⌋ or ⌈a/b⌉ of any two letters, or of twice or half of it."""
    columns, values = points.columns, points.values
    most = max(range(points.number), key=values.__getitem__)
    if values[most] < 2:
        return None
    count = values[most]
    for first, second in permutations(range(len(columns)), 2):
        for ratio in RATIOS:
            up, down = ratio.numerator, ratio.denominator
            near = up * columns[first][most] - count * down * columns[second][most]
            if abs(near) >= down * columns[second][most] or min(columns[second]) <= 0:
                continue
            if not any(up * at % (down * by) for at, by in zip(columns[first], columns[second], strict=True)):
                continue  # what always divides is not rounding, and a product of powers
            for node in (Floor, Ceiling):
                if all(
                    _round(up * at, down * by, node) == value
                    for at, by, value in zip(columns[first], columns[second], values, strict=True)
                ):
                    return node(written({(1, -1): ratio}, (points.symbols[first], points.symbols[second])))
    return None


def _smaller(points: Points) -> Expression | None:
    """The smaller or larger of two letters, or of a letter and a number; or what is left of a letter without another."""
    columns, values = points.columns, points.values
    for first, second in permutations(range(len(columns)), 2):
        if all(value == max(0, one - other) for value, one, other in zip(values, columns[first], columns[second], strict=True)):
            return _without(points.symbols[first], _least(points.symbols[first], points.symbols[second]))
    for first, second in combinations(range(len(columns)), 2):
        least = _least(points.symbols[first], points.symbols[second])
        if all(value == min(at) for value, at in zip(values, zip(columns[first], columns[second], strict=True), strict=True)):
            return least
        if all(value == max(at) for value, at in zip(values, zip(columns[first], columns[second], strict=True), strict=True)):
            return Sum((points.symbols[first], points.symbols[second], Negative(least)))
    for symbol, column in zip(points.symbols, columns, strict=True):
        for bound, larger in ((max(values), False), (min(values), True)):
            least = Minimum((symbol, Number(bound)))
            if larger and all(value == max(at, bound) for value, at in zip(values, column, strict=True)):
                return Sum((symbol, Number(bound), Negative(least)))
            if not larger and all(value == min(at, bound) for value, at in zip(values, column, strict=True)):
                return least
        over = {at - value for value, at in zip(values, column, strict=True) if value > 0}
        taken = max(over, default=0)
        if min(values) == 0 < taken and all(value == max(0, at - taken) for value, at in zip(values, column, strict=True)):
            return _without(symbol, Minimum((symbol, Number(taken))))
    return None


def _without(whole: Expression, part: Expression) -> Expression:
    return Sum((whole, Negative(part)))


def _every_or_windows(points: Points) -> Expression | None:
    """Every k-th of so many, or windows of an image."""
    return _every(points) or _windows(points) if _may_count(points) else None


def _steps(points: Points) -> Expression | None:
    """A ratio to whole steps."""
    return _stepped(points) if _may_count(points) else None


def _may_count(points: Points) -> bool:
    """True of numbers from 0 that are not nearly all the same."""
    return min(points.values) >= 0 and len(set(points.values)) >= FEWEST_VALUES - 1


def _counted(points: Points) -> Expression | None:
    """What is rounded once: every k-th of so many, windows of an image, a ratio to whole steps."""
    return _every_or_windows(points) or _steps(points)


def _less(points: Points) -> Expression | None:
    """A letter without what is rounded, as the layers that are not every k-th."""
    for symbol, column in zip(points.symbols, points.columns, strict=True):
        rest = [at - value for at, value in zip(column, points.values, strict=True)]
        if min(rest) >= 0 and len(set(rest)) > 1:
            others = points.with_values(rest)
            found = _smaller(others) or _layers(others) or _windows(others)
            if found is not None:
                return _without(symbol, found)
    return None


def _more(points: Points) -> Expression | None:
    """What is one or two more than what is rounded, or than its square, times no letter, one or two: positions of an image."""
    for factors, column in _factors(points):
        if min(column) > 0 and not any(value % at for value, at in zip(points.values, column, strict=True)):
            counts = [value // at for value, at in zip(points.values, column, strict=True)]
            for number in range(1, MOST_TIMES + 1 if factors else 2):
                if gcd(*counts) % number == 0:
                    found = _one_more(points.with_values([count // number for count in counts]))
                    if found is not None:
                        times = (Number(number),) if number > 1 else ()
                        return Product((*times, *factors, found)) if factors else found
    return None


def _factors(points: Points) -> Iterator[tuple[tuple[Expression, ...], Column]]:
    """Nothing, each letter, each product of two."""
    yield (), (1,) * points.number
    yield from (((symbol,), column) for symbol, column in zip(points.symbols, points.columns, strict=True))
    for one, other in combinations(range(len(points.symbols)), 2):
        pair = points.symbols[one], points.symbols[other]
        yield pair, _each(points.columns, one, other, lambda first, second: first * second)


def _one_more(points: Points) -> Expression | None:
    """One or two more than what is rounded; its square, and one or two more."""
    for more in (0, 1, 2):
        rest = [value - more for value in points.values]
        if min(rest) < 0:
            return None
        if more and (found := _counted(points.with_values(rest))) is not None:
            return Sum((found, Number(more)))
        roots = [isqrt(value) for value in rest]
        if all(root * root == value for root, value in zip(roots, rest, strict=True)):
            for add in (0, 1):
                found = _counted(points.with_values([root - add for root in roots]))
                if found is not None:
                    square = Power(Sum((found, ONE)) if add else found, 2)
                    return Sum((square, Number(more))) if more else square
    return None


def _grid(points: Points) -> Expression | None:
    """The windows along two or three sides, of an image or of images in time, and one or two positions more."""
    if len(set(points.values)) < FEWEST_VALUES:
        return None
    sides = {column: side for side, column in reversed(list(_sides(points))) if len(set(column)) > 1}
    plain = {column: side for column, side in sides.items() if isinstance(side, Floor)}
    for more in (0, 1, 2):
        values = [value - more for value in points.values]
        for chosen in (*combinations(sides, 2), *_triples(plain, values)):
            if all(value == prod(numbers) for value, *numbers in zip(values, *chosen, strict=True)):
                whole = Product(tuple(sides[column] for column in chosen))
                return Sum((whole, Number(more))) if more else whole
    return None


def _triples(sides: Mapping[Column, Expression], values: Sequence[int]) -> Iterator[tuple[Column, ...]]:
    """Three sides, those of a square twice too, of which each divides the first value."""
    dividing = [column for column in sides if column[0] and values[0] % column[0] == 0]
    return combinations_with_replacement(dividing, 3)


def _sides(points: Points) -> Iterator[tuple[Expression, Column]]:
    """The windows along a side, where they touch and where they overlap: ⌊a/k⌋ and ⌊(a - k)/s⌋ + 1."""
    symbols, columns = points.symbols, points.columns
    for side, step in permutations(range(len(symbols)), 2):
        if min(columns[step]) > 0:
            yield Floor(Quotient(symbols[side], symbols[step])), _each(columns, side, step, lambda one, by: one // by)
            for window in range(len(symbols)):
                if window not in (side, step):
                    starts = Floor(Quotient(Sum((symbols[side], Negative(symbols[window]))), symbols[step]))
                    numbers = zip(columns[side], columns[window], columns[step], strict=True)
                    yield Sum((starts, ONE)), tuple((one - of) // by + 1 for one, of, by in numbers)


def _every(points: Points) -> Expression | None:
    """⌊(L + c)/k⌋ or ⌈(L - c)/k⌉, the number of every k-th of L layers."""
    for symbol, column in zip(points.symbols, points.columns, strict=True):
        if len(set(column)) <= FEWEST_VALUES:
            continue
        for step in range(2, MOST_EVERY):
            low, high = -step, step
            for value, at in zip(points.values, column, strict=True):
                low = max(low, step * value - at)
                high = min(high, step * value + step - 1 - at)
                if low > high:
                    break
            else:
                offset = 0 if low <= 0 <= high else step - 1 if low <= step - 1 <= high else min(low, high, key=abs)
                return _quotient_of(symbol, offset, step)
    return None


def _layers(points: Points) -> Expression | None:
    """Every k-th of L layers, with the first besides, or one at least."""
    least = min(points.values)
    if (found := _every(points)) is not None or least < 1:
        return found
    if (found := _every(points.with_values([value - 1 for value in points.values]))) is not None:
        return Sum((found, ONE))
    for symbol, column in zip(points.symbols, points.columns, strict=True):
        for step in range(2, MOST_EVERY):
            if all(value == max(least, at // step) for value, at in zip(points.values, column, strict=True)):
                every, number = _quotient_of(symbol, 0, step), Number(least)
                return Sum((every, number, Negative(Minimum((every, number)))))
    return None


def _quotient_of(symbol: Expression, offset: int, step: int) -> Expression:
    """⌊(L + c)/k⌋, which is ⌈L/k⌉ for c = k - 1."""
    if offset == step - 1:
        return Ceiling(Quotient(symbol, Number(step)))
    if offset < 0:
        return Floor(Quotient(Sum((symbol, Negative(Number(-offset)))), Number(step)))
    return Floor(Quotient(Sum((symbol, Number(offset))) if offset else symbol, Number(step)))


def _windows(points: Points) -> Expression | None:
    """⌊x/k⌋ or ⌈x/k⌉, k a letter and x of few letters."""
    for place, by in enumerate(points.columns):
        if min(by) <= 0:
            continue
        for whole, column in _wholes(points, place):
            for node in (Floor, Ceiling):
                if all(_round(at, each, node) == value for value, at, each in zip(points.values, column, by, strict=True)):
                    return node(Quotient(whole, points.symbols[place]))
    return None


def _round(at: int, by: int, node: Rounding) -> int:
    return at // by if node is Floor else -(-at // by)


def _wholes(points: Points, but: int) -> Iterator[tuple[Expression, Column]]:
    """What may be divided: a letter, one more or less, the sum, product or difference of two."""
    symbols, columns = points.symbols, points.columns
    for symbol, column in zip(symbols, columns, strict=True):
        if symbol != symbols[but]:
            yield symbol, column
            yield Sum((symbol, ONE)), tuple(at + 1 for at in column)
            yield Sum((symbol, Negative(ONE))), tuple(at - 1 for at in column)
    places = [place for place in range(len(symbols)) if place != but]
    for first, second in permutations(places, 2):
        yield _without(symbols[first], symbols[second]), _each(columns, first, second, lambda one, other: one - other)
        twice = Product((Number(2), symbols[second]))
        yield Sum((symbols[first], twice)), _each(columns, first, second, lambda one, other: one + 2 * other)
    for first, second in combinations(places, 2):
        yield Sum((symbols[first], symbols[second])), _each(columns, first, second, lambda one, other: one + other)
        yield Product((symbols[first], symbols[second])), _each(columns, first, second, lambda one, other: one * other)


def _each(columns: Sequence[Column], first: int, second: int, of: Callable[[int, int], int]) -> Column:
    return tuple(of(one, other) for one, other in zip(columns[first], columns[second], strict=True))


def _stepped(points: Points) -> Expression | None:
    """k·⌈r·m⌉, k·⌊r·m⌋, or k·⌊(r·m + k - 1)/k⌋ of a product m of letters, k a number or a letter."""
    if not points.above_zero or len(set(points.values)) < FEWEST_VALUES:
        return None
    # The largest values leave a ratio the least room, and refute most at once.
    order = sorted(range(points.number), key=lambda row: -points.values[row])
    values = [points.values[row] for row in order]
    columns = [[column[row] for row in order] for column in points.columns]
    inner = [
        (
            powers,
            [prod(at**power for at, power in zip(row, powers, strict=True) if power) for row in zip(*columns, strict=True)],
        )
        for powers in _simple_powers(len(columns))
    ]
    steps: list[tuple[Expression, list[int]]] = [(Number(k), [k] * len(values)) for k in _divisors(gcd(*values))]
    steps += [(symbol, column) for symbol, column in zip(points.symbols, columns, strict=True)]
    exact = list(zip(*columns, strict=True))
    for step, by in steps:
        if any(value % each for value, each in zip(values, by, strict=True)):
            continue
        counts = [value // each for value, each in zip(values, by, strict=True)]
        for powers, at in inner:
            for way in (Ceiling, Floor, None):
                if way is None and step == ONE:
                    continue
                if not _may_be(counts, at, by, way):
                    continue
                ratio = _ratio(counts, [at_point(row, powers) for row in exact], by, way)
                if ratio is not None:
                    return _of_step(step, way, {powers: ratio}, points.symbols)
    return None


@cache
def _simple_powers(number: int) -> list[Monomial]:
    some = (powers for powers in product((0, 1, -1), repeat=number) if 1 in powers and sum(map(abs, powers)) <= 3)
    return sorted(some, key=plainness)


def _divisors(number: int) -> list[int]:
    return [divisor for divisor in range(1, min(number, MOST_STEP) + 1) if number % divisor == 0]


def _bounds(count: int, by: int, way: Rounding | None) -> tuple[Fraction, Fraction]:
    """Between what r·m is, where this many steps came of it."""
    if way is Ceiling:
        return Fraction(count - 1), Fraction(count)
    if way is Floor:
        return Fraction(count), Fraction(count + 1)
    return count - 1 + Fraction(1, by), count + Fraction(1, by)


def _may_be(counts: Sequence[int], inner: Sequence[float], by: Sequence[int], way: Rounding | None) -> bool:
    """False if no ratio can give these counts, found with floats and with a little room."""
    low, high = 0.0, float("inf")
    for count, at, each in zip(counts, inner, by, strict=True):
        below = count - 1.0 if way is Ceiling else float(count) if way is Floor else count - 1 + 1 / each
        low, high = max(low, below / at), min(high, (below + 1) / at)
        if low > high * SLACK:
            return False
    return True


def _ratio(counts: Sequence[int], inner: Sequence[Fraction], by: Sequence[int], way: Rounding | None) -> Fraction | None:
    """The simplest r for which every count is r·m, rounded; None if there is none."""
    low, high = Fraction(0), None
    for count, at, each in zip(counts, inner, by, strict=True):
        lower, upper = _bounds(count, each, way)
        low = max(low, lower / at)
        high = upper / at if high is None else min(high, upper / at)
        if low > high:
            return None
    if high is None:
        return None
    # What is rounded to a number of steps is plain before it is divided by them: 8/3 of a width, to a multiple of 64.
    step = by[0] if len(set(by)) == 1 else 1
    ratio = _simplest(low * step, high * step, closed_low=way is not Ceiling)
    if ratio is None:
        return None
    ratio /= step
    return ratio if ratio.denominator <= MOST_FACTOR and 0 < ratio.numerator <= MOST_FACTOR else None


def _simplest(low: Fraction, high: Fraction, *, closed_low: bool) -> Fraction | None:
    """The fraction of the smallest denominator between two others, one of which is allowed itself."""
    for denominator in range(1, MOST_DENOMINATOR + 1):
        above, rest = divmod(low.numerator * denominator, low.denominator)
        candidate = Fraction(above if closed_low and not rest else above + 1, denominator)
        if (candidate <= high and not closed_low) or (candidate < high and closed_low):
            return candidate
    return None


def _of_step(
    step: Expression, way: Rounding | None, whole: Mapping[Monomial, Fraction], symbols: Sequence[Expression]
) -> Expression:
    """step·⌈whole⌉, or rounded down, or step·⌊(step·whole + step - 1)/step⌋."""
    if way is not None:
        count = way(written(whole, symbols))
    elif isinstance(step, Number):
        many = written({powers: ratio * step.value for powers, ratio in whole.items()}, symbols)
        count = Floor(Quotient(Sum((many, Number(step.value - 1))), step))
    else:
        place = symbols.index(step)
        many = written(
            {(*powers[:place], powers[place] + 1, *powers[place + 1 :]): ratio for powers, ratio in whole.items()}, symbols
        )
        count = Floor(Quotient(Sum((many, step, Negative(ONE))), step))
    return count if step == ONE else Product((step, count))


def _with_another(points: Points) -> Expression | None:
    """A sum of products with one more thing in it, what is rounded or the smaller of two, as (n + 2·kv)·⌊h/n⌋."""
    number = len(points.columns)
    plain = [powers for powers in product((0, 1), repeat=number) if sum(powers) <= 1]
    bases = [
        [*((*powers, 0) for powers in plain), (*(0,) * number, 1)],
        [*((*powers, 0) for powers in plain), *((*powers, 1) for powers in plain), (*(0,) * number, 2)],
    ]
    for symbol, column in _others(points):
        if len(set(column)) > 1:
            found = of_products(points.beside(symbol, column), bases, spare=3, whole=True)
            if found is not None:
                return found
    return None


def _others(points: Points) -> Iterator[tuple[Expression, Column]]:
    """Quotients of two letters or of a letter and a number where they need rounding, and the smaller of two letters."""
    symbols, columns = points.symbols, points.columns
    for first, second in permutations(range(len(symbols)), 2):
        if min(columns[second]) > 0 and _each(columns, first, second, lambda one, other: one % other) != (0,) * points.number:
            whole = Quotient(symbols[first], symbols[second])
            quotients = _each(columns, first, second, lambda one, other: one // other)
            yield Floor(whole), quotients
            if min(quotients) == 0:
                larger = tuple(max(1, quotient) for quotient in quotients)
                yield Sum((Floor(whole), ONE, Negative(Minimum((Floor(whole), ONE))))), larger
            yield Ceiling(whole), _each(columns, first, second, lambda one, other: -(-one // other))
    for first, second in combinations(range(len(symbols)), 2):
        least = _each(columns, first, second, min)
        if least not in (columns[first], columns[second]):
            yield _least(symbols[first], symbols[second]), least
    for symbol, column in zip(symbols, columns, strict=True):
        for number in (2, 3, 4, 8, 16):
            if any(at % number for at in column):
                yield Floor(Quotient(symbol, Number(number))), tuple(at // number for at in column)
                yield Ceiling(Quotient(symbol, Number(number))), tuple(-(-at // number) for at in column)


def _least(one: Expression, other: Expression) -> Minimum:
    """The smaller of two letters, in one order, so that it is the same wherever it stands."""
    return Minimum(tuple(sorted((one, other), key=repr)))

"""Balances: from how many tokens in the cache on one cost is larger than another, found exactly.

Attention of a token that is decoded grows with t, its other products do not; the cache grows, the weights do not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from symparams.derivations.budget import DECODE, Budget, number_of, numbers, total_of
from symparams.derivations.fitting import Bytes, largest
from symparams.expressions.polynomial import Polynomial
from symparams.expressions.symbols import b, max_source, s, s_src, t
from symparams.expressions.written import exact
from symparams.models.calculation import Calculation
from symparams.models.inputs import positions
from symparams.models.model import Model
from symparams.quantities.matrix_flops import ATTENTION


def more_attention(budget: Budget) -> int | None:
    """The first t at which a decoded token takes more FLOPs for attention than for all other products.

    None where there is none, as with windows; where other products grow, too, as those that expand a latent vector; and
    where a letter has no value.
    """
    groups = dict(_decoded(budget))
    attention = groups.pop(ATTENTION, None)
    rest = number_of(total_of(groups))
    return None if attention is None or rest is None else _passed(attention, rest, budget.model)


def more_than_rule(budget: Budget) -> int | None:
    """The first t at which a decoded token takes more than 2·N FLOPs, N all parameters; None where none or the first does.

    A mixture has none: a token uses some of its experts. Nor has what decodes beside an encoder, whose parameters it leaves.
    """
    if budget.model.unbound or budget.model.has_experts or any(has_source(run.calculation) for run in budget.runs):
        return None
    first = _passed(total_of(_decoded(budget)), budget.by_rule("forward_flops") or 0, budget.model)
    return None if first == 1 else first


def more_cache(budget: Budget) -> int | None:
    """The first t at which the cache, of one sequence where nobody says how many, takes more bytes than the weights.

    Both are in the number type in which the model runs; None where nothing says it, where there is no such t, and where a
    letter has no value.
    """
    if budget.cache is None or not budget.dtype or budget.model.unbound:
        return None
    cache = budget.cache.at({b: budget.given.get(b.name, 1)})
    if any(letter not in cache.model.values for letter in cache.written.dimensions if letter != t):
        return None

    def size(number: int) -> Bytes:
        return exact(cache.written, {**cache.model.values, t: number})

    return _first(size, budget.calculate("weight_memory", "e", dtype=budget.dtype).value(), budget.model)


def has_source(calculation: Calculation) -> bool:
    """True if an encoder reads tokens of its own."""
    return not {s_src, max_source}.isdisjoint(calculation.written.dimensions)


def _decoded(budget: Budget) -> Mapping[str, Polynomial]:
    """Each kind of product of the one token that is decoded for one sequence, in t."""
    for run in budget.runs:
        if run.name == DECODE:
            values = {letter: value for letter, value in run.calculation.model.values.items() if letter != t}
            return {kind: numbers(polynomial, {**values, b: 1, s: 1}) for kind, polynomial in run.groups.items()}
    return {}


def _passed(polynomial: Polynomial, bound: Bytes, model: Model) -> int | None:
    """The first t at which a polynomial is above a bound; None where it has other letters than t."""

    def size(number: int) -> Bytes | None:
        return number_of(numbers(polynomial, {t: number}))

    return None if size(1) is None else _first(lambda number: size(number) or 0, bound, model)


def _first(size: Callable[[int], Bytes], bound: Bytes, model: Model) -> int | None:
    """The first t at which a size that grows is above a bound; None where the positions end before, or the growth."""
    last, most = largest(size, bound), positions(model)
    return None if last is None or (most is not None and last >= most) else last + 1

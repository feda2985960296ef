"""Consequences: what a number means: how many tokens fit a card beside the weights, from when on one cost outgrows another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from symparams.components.walks import components
from symparams.derivations.budget import DECODE, Budget, number_of, numbers, total_of
from symparams.derivations.costs import each_token
from symparams.derivations.steps import Note
from symparams.errors import SymparamsError
from symparams.expressions.factoring import factored
from symparams.expressions.nodes import Decimal, Equality, Number
from symparams.expressions.polynomial import Polynomial, multiplied
from symparams.expressions.symbols import b, s, t
from symparams.expressions.written import number
from symparams.models.calculation import Calculation
from symparams.quantities.attention_flops import EXPANDED
from symparams.quantities.matrix_flops import ATTENTION

CARDS = (24, 80)  # gigabytes of a card for games, and of one for data centres
GIGABYTE = 10**9
DIGITS = 100  # a share in percent has two decimals


def consequences(calculation: Calculation) -> list[Note]:
    """Return the readings that the quantity has of its number; [] where a letter has no value."""
    if not calculation.is_bound:
        return []
    quantity = calculation.quantity
    sizes = {letter: value for letter, value in calculation.model.values.items() if letter not in quantity.inputs}
    dtype = calculation.setting.dtype
    budget = Budget(replace(calculation.model, values=sizes), {"dtype": dtype} if dtype else {})
    return [note for name in quantity.consequences for note in READINGS[name](calculation, budget)]


def _fits_beside_weights(calculation: Calculation, budget: Budget) -> Iterator[Note]:
    """The tokens that fit a card beside the weights, on the smallest card that holds the weights."""
    weights, token = _weights(budget), _each_token(calculation)
    for gigabytes in CARDS:
        left = gigabytes * GIGABYTE - (weights or 0)
        if weights and token and left >= token:
            tokens = Number(int(left // token))
            terms = {"room": Number(gigabytes), "weights": number(weights), "tokens": tokens}
            yield Note(("consequences.fits_beside_weights",), terms)
            return


def _cache_outgrows(calculation: Calculation, budget: Budget) -> Iterator[Note]:
    """From how many cached tokens on the cache is larger than the weights."""
    weights, token = _weights(budget), _each_token(calculation)
    if weights and token:
        yield Note(("consequences.cache_outgrows",), {"tokens": Number(int(weights // token) + 1)})


def _each_cached_token(calculation: Calculation, budget: Budget) -> Iterator[Note]:
    """The FLOPs that a token in the cache adds to the next token."""
    per_token = _linear(total_of(_decoded(budget)))
    if per_token is not None and per_token[0]:
        latent = any(part.attending is not None and part.attending.latent for _, part in components(calculation.tree))
        is_expanded = latent and calculation.setting.latent_attention == EXPANDED
        key = "consequences.each_cached_token_expanded" if is_expanded else "consequences.each_cached_token"
        slope = _slope(total_of(_decoded(budget, in_letters=True)))
        flops = number(per_token[0])
        yield Note((key,), {"flops": Equality(factored(slope), flops) if len(slope.terms) == 1 else flops})


def _attention_outgrows(calculation: Calculation, budget: Budget) -> Iterator[Note]:
    """From how many cached tokens on attention takes more FLOPs than all else of a decoded token."""
    groups = dict(_decoded(budget))
    attention, rest = _linear(groups.pop(ATTENTION, Polynomial({}))), number_of(total_of(groups))
    if attention is not None and attention[0] and rest is not None and rest > attention[1]:
        yield Note(("consequences.attention_outgrows",), {"tokens": Number(int((rest - attention[1]) // attention[0]) + 1)})


def _trained_share(calculation: Calculation, budget: Budget) -> Iterator[Note]:
    """The part of a model's parameters that low-rank adapters train, in percent."""
    parameters, trained = calculation.model.count(), calculation.value()
    share = Fraction(round(Fraction(trained, parameters) * 100 * DIGITS), DIGITS)
    if share:
        yield Note(("consequences.trained_share",), {"share": Decimal(share), "parameters": Number(parameters)})


Reading = Callable[[Calculation, Budget], Iterator[Note]]
READINGS: Mapping[str, Reading] = {
    "fits_beside_weights": _fits_beside_weights,
    "cache_outgrows": _cache_outgrows,
    "each_cached_token": _each_cached_token,
    "attention_outgrows": _attention_outgrows,
    "trained_share": _trained_share,
}


def _weights(budget: Budget) -> int | Fraction | None:
    """Return the bytes of the weights in the number type of the model; None where nothing says it."""
    return budget.calculate("weight_memory", "e", dtype=budget.dtype).value() if budget.dtype else None


def _each_token(calculation: Calculation) -> int | Fraction | None:
    """Return the bytes of a token in the cache; None unless every token takes the same, and nothing else is cached."""
    per_token = each_token(calculation, factored(calculation.polynomial))
    return per_token.value if per_token is not None and all(t in term.every.dimensions for term in calculation.terms) else None


def _decoded(budget: Budget, *, in_letters: bool = False) -> Mapping[str, Polynomial]:
    """Return each kind of product of one decoded token of one sequence, in t; {} of a model that decodes nothing.

    The sizes of the model are numbers, or ``in_letters``.
    """
    try:
        runs = budget.runs
    except SymparamsError:
        return {}
    for run in runs:
        if run.name == DECODE:
            sizes = {} if in_letters else run.calculation.model.values
            values = {letter: value for letter, value in sizes.items() if letter != t}
            return {kind: numbers(polynomial, {**values, b: 1, s: 1}) for kind, polynomial in run.groups.items()}
    return {}


def _linear(polynomial: Polynomial) -> tuple[int | Fraction, int | Fraction] | None:
    """Return the slope and the constant of a polynomial in t; None if it is none of the first degree."""
    slope: int | Fraction = 0
    constant: int | Fraction = 0
    for monomial, coefficient in polynomial.terms.items():
        if not monomial:
            constant = coefficient
        elif dict(monomial) == {t: 1}:
            slope = coefficient
        else:
            return None
    return slope, constant


def _slope(polynomial: Polynomial) -> Polynomial:
    """Return what each t adds, of a polynomial in which no t stands with another power than 1."""
    by_token = {monomial: number for monomial, number in polynomial.terms.items() if t in dict(monomial)}
    return Polynomial({multiplied(monomial, ((t, -1),)): number for monomial, number in by_token.items()})

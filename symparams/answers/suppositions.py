"""Suppositions: the other conventions under which a quantity gives a claim, the smallest change first.

A claim is what a quantity becomes under another convention of its sheet (no groups, a window of W tokens, 2·N·T, Megatron's
formula), in another number type or recipe, of one layer, of one head, of keys alone, with a multiplication and its addition
counted once, or with a KB of 1,024 bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from symparams.answers.claims import AS_WRITTEN, Claim, Met, Reading
from symparams.answers.explained import Explanation
from symparams.answers.terms import ConventionTerm
from symparams.derivations.conventions import conventions
from symparams.derivations.steps import Note
from symparams.errors import MissingDimensionError
from symparams.expressions.nodes import Dimension
from symparams.expressions.symbols import L, b, e, n_kv_heads, s, t
from symparams.expressions.written import exact, whole
from symparams.models.calculation import Calculation, calculate, own_dtype
from symparams.models.inputs import check_fixed, refusal, unused_inputs
from symparams.models.model import Model
from symparams.quantities.quantity import FLOPS, Quantity
from symparams.records import frozen

# How much is supposed, and whether zeros at the end of a claim may be rounded: 40 GB are 40 · 2³⁰ bytes before 42.9 · 10⁹ are.
LEVELS = ((0, False), (1, False), (0, True), (2, False), (3, False))
WAYS: Mapping[str, tuple[str, ...]] = {
    "dtype": ("bf16", "fp32", "int8", "int4"),
    "recipe": ("fp32", "bf16", "bf16_fp32_master", "sgd", "sgd_momentum", "amsgrad"),
}


@frozen
class _Base:
    """A quantity as it is asked for or in another number type, and what is supposed for that."""

    calculation: Calculation
    supposed: tuple[ConventionTerm, ...] = ()
    weight: int = 0


def by_suppositions(
    model: Model, claim: Claim, quantity: Quantity, given: Mapping[str, Any]
) -> Iterator[Iterator[Explanation]]:
    """The searches for a claim, by how much they suppose; MissingDimensionError names what has no value."""
    bases = list(_bases(model, quantity, given, is_of_token=claim.is_of_token))
    for most, is_plain in LEVELS:
        yield (explanation for base in bases for explanation in _from(base, claim, most, is_plain=is_plain))


def _bases(model: Model, quantity: Quantity, given: Mapping[str, Any], *, is_of_token: bool) -> Iterator[_Base]:
    check_fixed(model, given)
    letters = (b, s, t) if quantity.name == "kv_cache" else (b, s)
    ones = {letter.name: 1 for letter in letters if letter in quantity.inputs} if is_of_token else {}
    inputs = {**ones, **given}
    choice = next((name for name in WAYS if name in quantity.choices), "")
    own = None
    if choice in given or not choice or (choice == "dtype" and (e.name in given or own_dtype(model))):
        own = calculate(model, quantity, inputs)
        for idle in unused_inputs(own, model, given):
            raise refusal(own, model, inputs, idle)
        yield _Base(own)
    for way in WAYS.get(choice, ()):
        if given.get(choice) != way and e.name not in given and not (own and own.setting.dtype == way):
            supposed = ConventionTerm(Note((f"explain.{choice}",)), words={choice: way})
            yield _Base(calculate(model, quantity, {**inputs, choice: way}), (supposed,), int(own is not None))


def _from(base: _Base, claim: Claim, most: int, *, is_plain: bool) -> Iterator[Explanation]:
    """Yield the explanations with exactly so many suppositions."""
    calculation = base.calculation
    start = _of_token(calculation, calculation.value(), claim)
    for value, convention in _conventions(calculation):
        for factor, part in _factors(calculation, claim):
            for reading in claim.readings:
                unit = (ConventionTerm(Note((f"explain.{reading.supposed}",))),) if reading.supposed != AS_WRITTEN else ()
                number = base.weight + len((*convention, *part, *unit))
                result = whole(Fraction(_of_token(calculation, value, claim)) * factor)
                met = _met(reading, result, number, is_plain=is_plain) if number == most else None
                if met is not None:
                    terms = (*base.supposed, *convention, *part, *unit)
                    yield Explanation(calculation, start, terms, result, reading, met, is_of_token=claim.is_of_token)


def _met(reading: Reading, result: int | Fraction, supposed: int, *, is_plain: bool) -> Met | None:
    """A number rounded to a single digit is met by too many, as soon as anything is supposed."""
    if supposed and not reading.is_exact and not reading.is_precise:
        return None
    return reading.plainly_met_by(result) if is_plain else reading.met_by(result)


def _conventions(calculation: Calculation) -> Iterator[tuple[int | Fraction, tuple[ConventionTerm, ...]]]:
    """The quantity as it is, and as each convention of its sheet counts it."""
    yield calculation.value(), ()
    for convention in conventions(calculation, calculation.written):
        try:
            value = exact(convention.result.written, calculation.model.values)
        except MissingDimensionError:
            continue
        yield value, (ConventionTerm(convention.note, convention.difference),)


def _factors(calculation: Calculation, claim: Claim) -> Iterator[tuple[Fraction, tuple[ConventionTerm, ...]]]:
    """Return the divisors of what people leave out: half of a FLOP, one layer, one head, one sequence, keys alone."""
    yield Fraction(1), ()
    values, name = calculation.model.values, calculation.quantity.name
    if calculation.quantity.unit == FLOPS:
        yield Fraction(1, 2), (ConventionTerm(Note(("explain.macs",))),)
    if name == "kv_cache":
        yield Fraction(1, 2), (ConventionTerm(Note(("explain.keys_alone",))),)
    parts: dict[str, Dimension] = {"one_layer": L} if name in ("kv_cache", "activations") else {}
    parts |= {"one_head": n_kv_heads} if name == "kv_cache" else {}
    for key, letter in {**parts, **({} if claim.is_of_token else {"one_sequence": b})}.items():
        if values.get(letter, 1) != 1:
            yield Fraction(1, values[letter]), (ConventionTerm(Note((f"explain.{key}",), {"letter": letter})),)


def _of_token(calculation: Calculation, value: int | Fraction, claim: Claim) -> int | Fraction:
    """The value, or what it comes to for each token of each sequence."""
    if not claim.is_of_token:
        return value
    values = calculation.model.values
    tokens = values.get(t if calculation.quantity.name == "kv_cache" else s, 1) * values.get(b, 1)
    return whole(Fraction(value, tokens))

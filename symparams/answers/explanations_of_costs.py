"""Explanations of a claimed cost: what has to be supposed for a claim to come out, the least first, each a sum that does.

A claim is what a cost becomes under another convention of its sheet (no groups, a window of W tokens, 2·N·T, Megatron's
formula), in another number type or recipe, of one layer, of one head, of keys alone, with a multiplication and its addition
counted once, or with a KB of 1,024 bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from symparams.answers.claims import Claim, Met
from symparams.answers.cost_claims import AS_WRITTEN, CostClaim, Reading, plain_claim, read_cost_claim
from symparams.derivations.costs import conventions
from symparams.derivations.steps import Note, Step
from symparams.errors import MissingDimensionError, OptionError, quoted
from symparams.expressions.nodes import Dimension, Expression
from symparams.expressions.symbols import L, b, e, n_kv_heads, s, t
from symparams.expressions.written import exact, whole
from symparams.models.calculation import Calculation, calculate, own_dtype
from symparams.models.inputs import check_fixed, refusal, unused_inputs
from symparams.models.model import Model
from symparams.quantities.quantity import FLOPS, find, spelled

Count = int | Fraction
MOST_EXPLANATIONS = 3
# How much is supposed, and whether zeros at the end of a claim may be rounded: 40 GB are 40 · 2³⁰ bytes before 42.9 · 10⁹ are.
LEVELS = ((0, False), (1, False), (0, True), (2, False), (3, False))
TYPES = ("bf16", "fp32", "int8", "int4")
RECIPES = ("fp32", "bf16", "bf16_fp32_master", "sgd", "sgd_momentum", "amsgrad")
BY_UNIT: Mapping[str, tuple[str, ...]] = {FLOPS: ("forward_flops", "training_flops", "backward_flops")}


@dataclass(frozen=True)
class Supposition:
    """One thing that is supposed: its sentence, and what it adds in symbols where it is a convention of the sheet."""

    note: Note
    difference: Step | None = None
    words: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class CostExplanation:
    """How a claim comes out of a cost: ``start`` under our definition, and what it comes to under what is supposed.

    ``claim`` is the claimed number as it is read here; ``is_of_token`` tells that both are of one token.
    """

    calculation: Calculation
    start: Count
    supposed: tuple[Supposition, ...]
    result: Count
    claim: Claim
    met: Met
    is_of_token: bool

    @property
    def is_explained(self) -> bool:
        """Whether all of it is a convention."""
        return True


@dataclass(frozen=True)
class _Base:
    """A cost as it is asked for or in another number type, and what is supposed for that."""

    calculation: Calculation
    supposed: tuple[Supposition, ...]
    weight: int


def explain_cost(model: Model, claim: CostClaim, quantity: str, given: Mapping[str, Any]) -> list[CostExplanation]:
    """The explanations of a claimed cost, those that suppose least first, at most three; [] where nothing explains it.

    Of one token, what is not given of b, s and t is 1. MissingDimensionError names what has no value.
    """
    found: list[CostExplanation] = []
    for name in possible(claim, given, quantity):
        bases = list(_bases(model, name, given, claim.is_of_token))
        for most, is_plain in LEVELS:
            found = [each for base in bases for each in _from(base, claim, most, is_plain=is_plain)]
            if found:
                return _sorted(found)[:MOST_EXPLANATIONS]
    return found


def cost_claim(claimed: int | str, quantity: str) -> CostClaim | None:
    """A claim of a cost; None where it is one of the number of parameters."""
    found = read_cost_claim(claimed)
    if found is None and quantity:
        found = plain_claim(claimed)
        if found is None:
            raise OptionError(f"{quoted(claimed)} is not the number of a cost: write 327680, 320 KB a token or 140 TFLOPs.")
    return found


def possible(claim: CostClaim, given: Mapping[str, Any], quantity: str = "") -> tuple[str, ...]:
    """What the claim can be of: what is named, or what its unit and its words say."""
    if quantity:
        name = spelled(quantity)
        if claim.unit not in ("", find(name).unit):
            raise OptionError(f"{quoted(claim.text)} is no {name}, which counts {find(name).unit}: name another quantity.")
        return (name,)
    if claim.quantity and find(claim.quantity).unit == claim.unit:
        return (claim.quantity,)
    if claim.unit in BY_UNIT:
        return BY_UNIT[claim.unit]
    if claim.is_of_token or t.name in given:
        return ("kv_cache",)
    raise OptionError(
        f"{quoted(claim.text)} of what? Name it: --quantity kv-cache, weight-memory, activations, training-memory."
    )


def _bases(model: Model, name: str, given: Mapping[str, Any], is_of_token: bool) -> Iterator[_Base]:
    check_fixed(model, given)
    cost = find(name)
    ones = {letter.name: 1 for letter in (b, s, t) if letter in cost.inputs} if is_of_token else {}
    if name != "kv_cache":
        ones.pop(t.name, None)
    asked = {**ones, **given}
    choice, ways = (
        ("dtype", TYPES) if "dtype" in cost.choices else ("recipe", RECIPES) if "recipe" in cost.choices else ("", ())
    )
    own = None
    if choice in given or not choice or (choice == "dtype" and (e.name in given or own_dtype(model))):
        own = calculate(model, name, asked)
        for idle in unused_inputs(own, model, given):
            raise refusal(own, model, asked, idle)
        yield _Base(own, (), 0)
    for way in ways:
        if given.get(choice) != way and e.name not in given and not (own and own.setting.dtype == way):
            supposed = Supposition(Note((f"explain.{choice}",)), words={choice: way})
            yield _Base(calculate(model, name, {**asked, choice: way}), (supposed,), int(own is not None))


def _from(base: _Base, claim: CostClaim, most: int, *, is_plain: bool) -> Iterator[CostExplanation]:
    """What comes out under so many suppositions, no fewer and no more."""
    start = _of_token(base.calculation, base.calculation.value(), claim)
    for ways, value, supposed in _ways(base.calculation):
        for factor, note in _factors(base.calculation, claim):
            for reading in claim.readings:
                number = base.weight + ways + len(note) + (reading.supposed != AS_WRITTEN)
                result = whole(Fraction(_of_token(base.calculation, value, claim)) * factor)
                met = _met(reading, result, number, is_plain=is_plain) if number == most else None
                if met is not None:
                    every = (*base.supposed, *supposed, *note, *_of_unit(reading))
                    yield CostExplanation(base.calculation, start, every, result, reading.claim, met, claim.is_of_token)


def _met(reading: Reading, result: Count, supposed: int, *, is_plain: bool) -> Met | None:
    """A number rounded to a single digit is met by too many, as soon as anything is supposed."""
    if supposed and not reading.claim.is_exact and not reading.claim.is_precise:
        return None
    meets = reading.claim.plainly_met_by if is_plain else reading.claim.met_by
    return meets(result)


def _ways(found: Calculation) -> Iterator[tuple[int, Count, tuple[Supposition, ...]]]:
    """The cost as it is, and as each convention of its sheet counts it."""
    yield 0, found.value(), ()
    for each in conventions(found):
        try:
            value = exact(each.result.written, found.model.values)
        except MissingDimensionError:
            continue
        yield 1, value, (Supposition(each.note, each.difference),)


def _factors(found: Calculation, claim: CostClaim) -> Iterator[tuple[Fraction, tuple[Supposition, ...]]]:
    """What is counted so many times less or more: half of a FLOP, one layer, one head, one sequence, keys alone."""
    yield Fraction(1), ()
    values, name = found.model.values, found.quantity.name
    parts: list[tuple[str, Expression | None, Fraction]] = []
    if found.quantity.unit == FLOPS:
        parts.append(("explain.macs", None, Fraction(1, 2)))
    if name == "kv_cache":
        parts += [("explain.keys_alone", None, Fraction(1, 2))]
    if name in ("kv_cache", "activations"):
        parts += [("explain.one_layer", L, Fraction(1))]
    if name == "kv_cache":
        parts += [("explain.one_head", n_kv_heads, Fraction(1))]
    parts += [("explain.one_sequence", b, Fraction(1))]
    for key, letter, factor in parts:
        if isinstance(letter, Dimension) and (values.get(letter, 1) == 1 or (claim.is_of_token and letter == b)):
            continue
        share = Fraction(1, values[letter]) if isinstance(letter, Dimension) else factor
        yield share, (Supposition(Note((key,), {"letter": letter} if letter is not None else {})),)


def _of_unit(reading: Reading) -> tuple[Supposition, ...]:
    return (Supposition(Note((f"explain.{reading.supposed}",))),) if reading.supposed else ()


def _of_token(found: Calculation, value: Count, claim: CostClaim) -> Count:
    """The value, or what it comes to for each token of each sequence."""
    if not claim.is_of_token:
        return value
    values = found.model.values
    tokens = values.get(t if found.quantity.name == "kv_cache" else s, 1) * values.get(b, 1)
    return whole(Fraction(value, tokens))


def _sorted(found: list[CostExplanation]) -> list[CostExplanation]:
    """What meets the claim better first, then what is nearer; of several that suppose the same the first."""
    unlike: dict[tuple[object, ...], CostExplanation] = {}
    for each in sorted(found, key=lambda each: (each.met, abs(each.result - each.claim.value))):
        unlike.setdefault((each.calculation.quantity.name, *(supposed.note.keys for supposed in each.supposed)), each)
    return list(unlike.values())

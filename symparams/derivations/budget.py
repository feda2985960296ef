"""Budgets: everything that a model costs, for one request: weights, cache, FLOPs, training, what fits a card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from symparams.components.flow import layers
from symparams.components.kinds import PartRole
from symparams.components.walks import components, leaves
from symparams.derivations.usual import usual_type
from symparams.display import Displayed
from symparams.errors import MissingDimensionError, OptionError, UnknownNameError, quoted, suggestion
from symparams.expressions.closed_form import as_written, multiply_out
from symparams.expressions.nodes import Dimension, Expression
from symparams.expressions.polynomial import Polynomial, added, multiplied
from symparams.expressions.symbols import D, N, N_active, b, by_reading, s, t
from symparams.expressions.written import evaluate, substitute, total
from symparams.models.calculation import Calculation, calculate, counts_of, longer_name, own_dtype, read_input
from symparams.models.inputs import refuse_unused
from symparams.models.load import as_model
from symparams.models.model import Model
from symparams.quantities.matrix_flops import MATRICES
from symparams.quantities.memory import Room, read_room
from symparams.quantities.quantity import Term, find
from symparams.quantities.recipes import MASTERED, RECIPES
from symparams.quantities.setting import CHOICES
from symparams.records import frozen

PARTS = ("weight_memory", "kv_cache", "forward_flops", "training_flops", "activations", "training_memory")
PREFILL, DECODE, FORWARD, ABSORBED = "prefill", "decode", "forward", "absorbed"
LAYERS, HEAD, OUTSIDE = "layers", "head", "outside"
CHECKPOINT = "checkpoint"
WAYS: Mapping[str, Mapping[str, Any]] = {
    "eager": {"attention": "eager"},
    "flash": {"attention": "flash"},
    CHECKPOINT: {"checkpoint": True},
}
AT_LEAST_ONE = (b, s, D)


@frozen
class ForwardPass:
    """A forward pass: what it is called, its calculation, and its groups of terms, each multiplied out."""

    name: str
    calculation: Calculation

    @cached_property
    def groups(self) -> Mapping[str, Polynomial]:
        """Matrix multiplications in the layers, then outside them, then each other kind of term, such as attention."""
        stacks, terms = [f"{path}." for path, _ in layers(self.calculation.tree)], dict[str, list[Term]]()
        for term in self.calculation.terms:
            inside = any(term.path.startswith(stack) for stack in stacks)
            terms.setdefault(term.kind if term.kind != MATRICES else LAYERS if inside else OUTSIDE, []).append(term)
        parts = {leaf.path: leaf.part.role for leaf in leaves(self.calculation.tree)}
        if {parts.get(term.path) for term in terms.get(OUTSIDE, ())} == {PartRole.OUTPUT_HEAD}:
            terms[HEAD] = terms.pop(OUTSIDE)
        order = sorted(terms, key=lambda kind: (kind != LAYERS, kind not in (HEAD, OUTSIDE)))
        return {kind: multiply_out(_sum(terms[kind]), self.calculation.model.relations) for kind in order}

    def number(self, polynomial: Polynomial) -> Polynomial:
        """With values in the places of letters that have one: a number where all do."""
        return numbers(polynomial, self.calculation.model.values)


@frozen
class Budget(Displayed):
    """A model, what is given of the inputs and choices of its costs, and the memory to fit into, if there is one.

    ``assumed`` names what of it nobody gave: the number type of a model of which none is known.
    """

    model: Model
    given: Mapping[str, Any]
    room: Room | None = None
    shown: tuple[str, ...] = tuple(RECIPES)
    assumed: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"Budget({self.model.name!r}, {', '.join(f'{name}={value!r}' for name, value in self.given.items())})"

    def calculate(self, quantity: str, *without: str, **more: Any) -> Calculation:
        """A quantity with what is given of its own inputs and choices, and ``more``."""
        cost = find(quantity)
        taken = {letter.name for letter in cost.inputs}.union(cost.choices).difference(without)
        return calculate(self.model, quantity, {**{name: value for name, value in self.given.items() if name in taken}, **more})

    def found(self, quantity: str, *without: str, **more: Any) -> Calculation | None:
        """Return the calculation of ``calculate``; None where the model has no such quantity, or it is not derived."""
        try:
            return self.calculate(quantity, *without, **more)
        except OptionError:
            return None

    @property
    def dtype(self) -> str:
        """The number type in which the model runs: the one given, or its config's; "" where neither says."""
        return str(self.given.get("dtype") or own_dtype(self.model))

    def rule(self, quantity: str) -> Expression:
        """The rule of thumb for a token of a quantity, by the parameters that it uses: 2·N, 6·N, of a mixture 2·N_active."""
        letter = N_active if self.model.has_experts else N
        formulas = (rule.formula for rule in find(quantity).rules_of_thumb if rule.formula is not None)
        formula = next(formula for formula in formulas if letter in formula.dimensions)
        per_token = per_letter(multiply_out(formula, {}), b, s)
        assert per_token is not None, f"{formula!r} is not in tokens"
        return as_written(per_token)

    def by_rule(self, quantity: str) -> int | None:
        """The value of that rule; None where the model has no values."""
        return evaluate(self.rule(quantity), counts_of(self.model)) if not self.model.unbound else None

    @property
    def recipes(self) -> Sequence[str]:
        """The recipe that is given, or all that are shown."""
        return [self.given["recipe"]] if "recipe" in self.given else self.shown

    @property
    def ways(self) -> Mapping[str, Mapping[str, Any]]:
        """The ways to compute activations: as is chosen, or each."""
        if self.given.get("checkpoint"):
            return {CHECKPOINT: {}}
        return {self.given["attention"]: {}} if "attention" in self.given else WAYS

    @cached_property
    def cache(self) -> Calculation | None:
        """The KV cache; None of a model that decodes nothing."""
        return self.found("kv_cache")

    @cached_property
    def runs(self) -> Sequence[ForwardPass]:
        """Prefill and the decoding of one token, or of what has no cache the forward pass alone.

        Where nobody says which positions give logits, prefill wants those of the last one, from which the next token is
        drawn, and a forward pass without a cache all.
        """
        if self.cache is None:
            return [ForwardPass(FORWARD, calculation) for calculation in (self.found("forward_flops", "t"),) if calculation]
        logits = {} if "logits" in self.given else {"logits": "last"}
        prefill, decode = (
            self.found("forward_flops", "t", **logits),
            self.found("forward_flops", s=1, **{"t": 1, **self._t, **logits}),
        )
        named = [(PREFILL, prefill), (DECODE, decode if self._t or decode is None else without_value(decode, t))]
        return [ForwardPass(name, calculation) for name, calculation in named if calculation]

    @cached_property
    def absorbed(self) -> ForwardPass | None:
        """The decoding of one token with the up-projections of latent attention absorbed into queries and output.

        None where the request says how latents are read, where there are none, and where t has no value.
        """
        has_latents = any(part.attending is not None and part.attending.latent for _, part in components(self.model.tree))
        if not has_latents or "latent_attention" in self.given or not self._t:
            return None
        logits = {} if "logits" in self.given else {"logits": "last"}
        decode = self.found("forward_flops", s=1, **{**self._t, **logits}, latent_attention=ABSORBED)
        return ForwardPass(ABSORBED, decode) if decode is not None else None

    @property
    def _t(self) -> Mapping[str, Any]:
        return {name: value for name, value in self.given.items() if name == t.name and value}

    def training(self, **more: Any) -> Calculation | None:
        """The FLOPs of a step of training, whatever D is."""
        return self.found("training_flops", "t", D.name, **{"logits": "all", **more})

    def step_memory(self, recipe: str, **how: Any) -> Calculation | None:
        """Return the bytes of a recipe with the activations of b sequences of s tokens, 1 where they are not given.

        Those of embeddings and head are among them where nobody chooses a scope. None where they are not derived.
        """
        if "targets" in self.given:
            return None
        scope = {} if "scope" in self.given else {"scope": "all"}
        placed = {letter.name: 1 for letter in (b, s) if letter.name not in self.given}
        return self.found("training_memory", recipe=recipe, **{**scope, **placed, **how})

    def states(self, recipe: str) -> Calculation:
        """Weights, gradients and the optimizer's states by a recipe, or what LoRA takes; wider gradients where it has any."""
        without = ["b", "s", "s_src", *([] if recipe == MASTERED else ["gradients"])]
        return self.calculate("training_memory", *without, recipe=recipe)

    def activations(self, **how: Any) -> Calculation | None:
        """Return the activations of the forward pass, of scope "all" unless one is given; None where they are not derived."""
        return self.found("activations", **({} if "scope" in self.given else {"scope": "all"}), **how)

    @cached_property
    def valued(self) -> Model:
        """The model with the values of its inputs, for a sheet that explains their letters; N and N_active are counted."""
        letters = {letter.name: letter for part in PARTS for letter in find(part).inputs}
        inputs = {letters[name]: value for name, value in self.given.items() if name in letters}
        values = {**self.calculate("weight_memory").model.values}  # those of windows and of the number type are among them
        values |= self.cache.model.values if self.cache is not None else {}  # and of a source that has one length
        return replace(self.model, values={**values, **counts_of(self.model), **inputs})

    def value(self, calculation: Calculation | None) -> Any:
        """The exact number; None where it is not there, or where letters have no value."""
        try:
            return calculation.value() if calculation else None
        except MissingDimensionError:
            return None

    @property
    def tokens(self) -> int | None:
        """The tokens to train on, D."""
        calculation = self.found("training_flops", "b", "t") if D.name in self.given else None
        return calculation.model.values[D] if calculation else None

    @cached_property
    def missing(self) -> Sequence[Dimension]:
        """The inputs that have no value and stay letters."""
        calculations = [self.cache, *(run.calculation for run in self.runs), self.training()]
        letters = {
            letter
            for calculation in calculations
            if calculation
            for letter in calculation.written.dimensions
            if letter not in calculation.model.values
        }
        return sorted(letters.difference(self.model.dimensions), key=by_reading)


def budget(model: Model | str, given: Mapping[str, Any], fits: str | None = None) -> Budget:
    """Everything that a model costs with what is given; ``fits`` is a memory, "80GB".

    Raises UnknownNameError for an input or a choice of no quantity, and what each quantity raises of a wrong value.
    """
    subject = as_model(model)
    longer = {longer_name(letter).name: letter.name for part in PARTS for letter in find(part).inputs}
    named = {longer.get(name, name): value for name, value in given.items()}
    if twice := [name for name in given if longer.get(name, name) != name and longer[name] in given]:
        raise OptionError(f"{twice[0]} and {longer[twice[0]]} are the same input: give one of the two.")
    read = {name: _read(subject, name, value) for name, value in named.items()}
    refuse_unused(subject, PARTS, read)
    taken = usual_type(subject, read)
    return Budget(subject, {**read, **taken}, read_room(fits) if fits is not None else None, assumed=tuple(taken))


def _read(model: Model, name: str, value: Any) -> Any:
    """The value of an input or a choice, of whichever quantity takes it."""
    costs = [find(part) for part in PARTS]
    letters = {letter.name: letter for cost in costs for letter in cost.inputs}
    choices = [choice for choice in CHOICES if any(choice in cost.choices for cost in costs)]
    if name in choices:
        return CHOICES[name].of(value)
    if name not in letters:
        raise UnknownNameError(f"No quantity takes {quoted(name)}. {suggestion(name, [*letters, *choices])}")
    number = read_input(letters[name], value, model)
    if number == 0 and letters[name] in AT_LEAST_ONE:
        raise OptionError(f"{name} = 0 makes every cost 0: give at least 1, or leave {name} out.")
    return number


def without_value(calculation: Calculation, letter: Dimension) -> Calculation:
    """Return the calculation with a letter in place of its value."""
    values = {other: number for other, number in calculation.model.values.items() if other != letter}
    return replace(calculation, model=replace(calculation.model, values=values))


def numbers(polynomial: Polynomial, values: Mapping[Dimension, int]) -> Polynomial:
    """A polynomial with values in the places of letters that have one."""
    return multiply_out(substitute(as_written(polynomial), values), {})


def per_letter(polynomial: Polynomial, *of: Dimension) -> Polynomial | None:
    """A polynomial divided by letters; None where that leaves a fraction."""
    by = tuple((letter, -1) for letter in of)
    terms = {multiplied(monomial, by): number for monomial, number in polynomial.terms.items()}
    return None if any(power < 0 for monomial in terms for _, power in monomial) else Polynomial(terms)


def total_of(groups: Mapping[str, Polynomial]) -> Polynomial:
    """The sum of all groups."""
    return added(list(groups.values()))


def _sum(terms: Sequence[Term]) -> Any:
    return total([term.every for term in terms])


def number_of(polynomial: Polynomial) -> int | Fraction | None:
    """The number that a polynomial is; None where letters are left."""
    return polynomial.constant if polynomial else 0

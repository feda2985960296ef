"""What one token uses: the steps of the count once more, with the experts that it activates in place of all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from symparams.components.kinds import PartRole
from symparams.derivations.mixtures import ALL_EXPERTS, Mixture, are_one, mixtures
from symparams.derivations.steps import Note, Step, StepKind, StepName, named, renamed, step
from symparams.expressions.nodes import Equality, Expression, Named, Negative, Product, Size, Sum, factors_of
from symparams.expressions.written import ONE, evaluate, times, total
from symparams.models.blocks import ONE_EXPERT
from symparams.models.model import Model
from symparams.quantities.parameters import ACTIVE, PARAMETERS

Used = dict[Expression, Step]  # what one token uses of a step, by the formula of that step


def active_step(model: Model, sections: Sequence[Step], whole: Step, form: Expression) -> Step:
    """The whole count with n_active experts for n_experts of each mixture, and each sum on the way that this changes."""
    found = list(mixtures(model))
    experts = [mixture.experts for mixture in found]
    chosen = {times(each.number, each.one): times(each.active, each.one) for each in experts}
    alone = {leaf.path: leaf.component for leaf in model.leaves for each in found if each.path == leaf.path}
    used: Used = {}
    for each in (each for section in sections for each in section.walk()):
        written = chosen.get(each.written) if each.name == ALL_EXPERTS else _replaced(each.written, used)
        if each.path in alone and each.written == times(alone[each.path].times, PARAMETERS.of(alone[each.path])):
            written = times(alone[each.path].times, ACTIVE.of(alone[each.path]))
        if written is not None and written != each.written and each.kind != StepKind.GROUP:
            used[each.written] = step(model, each.path, _called(each.name), written)
    written, steps = _replaced(whole.written, used), tuple(used.values())
    return step(model, "", "active", written, kind=StepKind.TOTAL, notes=_notes(found), steps=steps, form=form)


def _notes(found: Sequence[Mixture]) -> list[Note]:
    """How many experts of a layer a token uses; mixture by mixture where layers have several, or not as many."""
    terms = [{"n_experts": mixture.experts.number, "n_active": mixture.experts.active} for mixture in found]
    if not found:
        return []
    if are_one(found):
        return [Note(("idle",), terms[0])]
    each = [
        Note(("idle_of",), {**numbers, "name": StepName(mixture.name)}) for numbers, mixture in zip(terms, found, strict=True)
    ]
    besides = "idle_besides" if all(mixture.has_router for mixture in found) else "idle_rest"
    return [*(note for i, note in enumerate(each) if note not in each[:i]), Note((besides,))]


def _called(name: StepName) -> StepName:
    """The active ones of the experts, in one layer or in all; of anything else what is active of it."""
    if name == ALL_EXPERTS:
        return StepName("active_experts")
    return named(name.key, *map(_called, name.of)) if name.of and name.of[-1] == ALL_EXPERTS else named("active", name)


def idle_step(model: Model) -> Step:
    """The experts that lie idle, by which the whole count is larger: L·(n_experts − n_active)·N_expert."""
    idle = [
        Product((*_factors(mixture.copies), Sum((experts.number, Negative(experts.active))), one))
        for mixture in mixtures(model)
        for experts in (mixture.experts,)
        for one in ([experts.one] if mixture.has_router else [count for _, count in experts.arrays])
    ]
    return step(model, "", "idle", total(idle))


@dataclass(frozen=True)
class AsWide:
    """The experts that one token uses are together as wide as a dense network: d_ff = (n_active + n_shared)·d_expert."""

    widths: Equality
    network: Expression


def as_wide_as_dense(model: Model, steps: Sequence[Step]) -> AsWide | None:
    """How every layer comes to activate the same, where there are dense layers beside mixtures and the values say so."""
    expert = next((each for each in steps if each.name == ONE_EXPERT), None)
    dense = [each for each in steps if expert and each.role is PartRole.FEED_FORWARD and each.kind == StepKind.STEP]
    if (
        expert is None
        or not are_one(found := list(mixtures(model)))
        or len(dense) != 1
        or not (letters := renamed(dense[0].polynomial, expert.polynomial))
    ):
        return None
    wide, narrow = letters
    shared = [each.written for each in steps if each.role is PartRole.SHARED_EXPERTS]
    number = total([found[0].experts.active, *(_number(each, expert) for each in shared)])
    written = Size(Product((number, narrow)))
    known = not set(written.dimensions + wide.dimensions) - model.values.keys()
    return AsWide(Equality(wide, written), dense[0].closed) if known and _same(model, wide, written) else None


def _same(model: Model, one: Expression, other: Expression) -> bool:
    return evaluate(one, model.values) == evaluate(other, model.values)


def _number(shared: Expression, expert: Step) -> Expression:
    """How many experts n_shared × N_expert is."""
    factors = shared.factors if isinstance(shared, Product) else (shared,)
    return next((factor for factor in factors if factor != expert.quantity), ONE)


def _replaced(expression: Expression, used: Mapping[Expression, Step]) -> Expression:
    """A formula with what one token uses for each result that it refers to."""
    if isinstance(expression, Named):
        return used[expression.definition].quantity if expression.definition in used else expression
    if not expression.operands:
        return expression
    return expression.of(*(_replaced(operand, used) for operand in expression.operands))


def _factors(copies: Expression) -> tuple[Expression, ...]:
    return factors_of(copies) if copies != ONE else ()

"""The parameters that one token uses: the steps of the count again, with its active experts instead of all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symparams.components.kinds import PartRole
from symparams.components.tree import Component
from symparams.components.walks import leaves
from symparams.derivations.mixtures import ALL_EXPERTS, Mixture, are_one, mixtures
from symparams.derivations.steps import Note, Step, StepKind, StepName, named, renamed, step
from symparams.expressions.closed_form import multiply_out
from symparams.expressions.nodes import Equality, Expression, Named, Negative, Product, Size, Sum, factors_of
from symparams.expressions.written import ONE, evaluate, times, total
from symparams.models.blocks import ONE_EXPERT
from symparams.models.model import Model
from symparams.quantities.parameters import ACTIVE, PARAMETERS
from symparams.records import frozen

Used = dict[Expression, Step]  # what one token uses of a step, by the formula of that step


def active_step(model: Model, sections: Sequence[Step], whole: Step, form: Expression) -> Step:
    """The whole count with n_active experts for n_experts of each mixture, and each sum on the way that this changes."""
    all_mixtures = list(mixtures(model))
    experts = [mixture.experts for mixture in all_mixtures]
    chosen = {times(part.number, part.one): times(part.active, part.one) for part in experts}
    alone = {leaf.path: leaf.component for leaf in model.leaves for part in all_mixtures if part.path == leaf.path}
    groups = {
        leaf.sublayer[0]: list(leaves(leaf.sublayer[1], within=True))
        for leaf in model.leaves
        if leaf.path in alone and leaf.sublayer is not None
    }
    used: Used = {}
    for part in (part for section in sections for part in section.walk()):
        written = chosen.get(part.written) if part.name == ALL_EXPERTS else _replaced(part.written, used)
        if part.path in alone:
            written = _used_of(part, alone[part.path]) or written
        if part.path in groups and part.polynomial == multiply_out(PARAMETERS.over(groups[part.path]), model.relations):
            written = ACTIVE.over(groups[part.path])
        if written is not None and written != part.written and part.kind != StepKind.GROUP:
            used[part.written] = step(model, part.path, _called(part.name), written)
    written, steps = _replaced(whole.written, used), tuple(used.values())
    return step(model, "", "active", written, kind=StepKind.TOTAL, notes=_notes(all_mixtures), steps=steps, form=form)


def _used_of(part: Step, component: Component) -> Expression | None:
    """Return what one token uses of a layer of experts, or of one of its arrays; None for a step of something else."""
    counts = [(tensor.count, tensor.active_count) for tensor in component.tensors]
    counts.append((PARAMETERS.of(component), ACTIVE.of(component)))
    relations = part.subject.relations
    return next(
        (
            times(component.times, active)
            for every, active in counts
            if multiply_out(times(component.times, every), relations) == part.polynomial
        ),
        None,
    )


def _notes(all_mixtures: Sequence[Mixture]) -> list[Note]:
    """Return the sentences on the experts a token uses: one for all mixtures, or one for each where they differ."""
    terms = [{"n_experts": mixture.experts.number, "n_active": mixture.experts.active} for mixture in all_mixtures]
    if not all_mixtures:
        return []
    if are_one(all_mixtures):
        return [Note(("idle",), terms[0])]
    notes = [
        Note(("idle_of",), {**numbers, "name": StepName(mixture.name)})
        for numbers, mixture in zip(terms, all_mixtures, strict=True)
    ]
    besides = "idle_besides" if all(mixture.has_router for mixture in all_mixtures) else "idle_rest"
    return [*(note for i, note in enumerate(notes) if note not in notes[:i]), Note((besides,))]


def _called(name: StepName) -> StepName:
    """The active ones of the experts, in one layer or in all; of anything else what is active of it."""
    if name == ALL_EXPERTS:
        return StepName("active_experts")
    return named(name.key, *map(_called, name.of)) if name.of and name.of[-1] == ALL_EXPERTS else named("active", name)


def idle_step(model: Model) -> Step:
    """The experts that a token does not use, by which the whole count is larger: L·(n_experts − n_active)·N_expert."""
    idle = [
        Product((*_factors(mixture.copies), Sum((experts.number, Negative(experts.active))), expert))
        for mixture in mixtures(model)
        for experts in (mixture.experts,)
        for expert in ([experts.one] if mixture.has_router else [count for _, count in experts.arrays])
    ]
    return step(model, "", "idle", total(idle))


@frozen
class AsWide:
    """The experts that one token uses are together as wide as a dense network: d_ff = (n_active + n_shared)·d_expert."""

    widths: Equality
    network: Expression


def as_wide_as_dense(model: Model, steps: Sequence[Step]) -> AsWide | None:
    """Return the equality of a dense layer's width with that of a token's experts; None where the model has no such thing."""
    expert = next((part for part in steps if part.name == ONE_EXPERT), None)
    dense = [part for part in steps if expert and part.role is PartRole.FEED_FORWARD and part.kind == StepKind.STEP]
    if (
        expert is None
        or not are_one(all_mixtures := list(mixtures(model)))
        or len(dense) != 1
        or not (letters := renamed(dense[0].polynomial, expert.polynomial))
    ):
        return None
    wide, narrow = letters
    shared = [part.written for part in steps if part.role is PartRole.SHARED_EXPERTS]
    number = total([all_mixtures[0].experts.active, *(_number(part, expert) for part in shared)])
    written = Size(Product((number, narrow)))
    known = not set(written.dimensions + wide.dimensions) - model.values.keys()
    return AsWide(Equality(wide, written), dense[0].closed) if known and _same(model, wide, written) else None


def _same(model: Model, size: Expression, other: Expression) -> bool:
    return evaluate(size, model.values) == evaluate(other, model.values)


def _number(shared: Expression, expert: Step) -> Expression:
    """Return the number of experts in a product such as n_shared × N_expert."""
    factors = factors_of(shared)
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

"""What one token uses: the steps of the count once more, with the experts that it activates in place of all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from symparams.derivations.mixtures import ALL_EXPERTS, mixtures
from symparams.derivations.renaming import renamed
from symparams.derivations.steps import Name, Note, Step, StepKind, named, step
from symparams.expressions.marks import Equality, Named, Size
from symparams.expressions.nodes import Expression, Negative, Product, Sum, factors_of
from symparams.expressions.written import ONE, evaluate, times, total
from symparams.models.blocks import ONE_EXPERT
from symparams.models.model import Model

Used = dict[Expression, Step]  # what one token uses of a step, by the formula of that step


def active_step(model: Model, sections: Sequence[Step], whole: Step, form: Expression) -> Step:
    """The whole count with n_active experts for n_experts of each mixture, and each sum on the way that this changes."""
    chosen = {times(each.number, each.one): times(each.active, each.one) for _, each in mixtures(model)}
    used: Used = {}
    for each in (each for section in sections for each in section.walk()):
        written = chosen.get(each.written) if each.name == ALL_EXPERTS else _replaced(each.written, used)
        if written is not None and written != each.written and each.kind != StepKind.GROUP:
            used[each.written] = step(model, each.path, _called(each.name), written)
    terms = [{"n_experts": each.number, "n_active": each.active} for _, each in mixtures(model)]
    notes = [Note(("idle",), each) for i, each in enumerate(terms) if each not in terms[:i]]
    written, steps = _replaced(whole.written, used), tuple(used.values())
    return step(model, "", "active", written, kind=StepKind.TOTAL, notes=notes, steps=steps, form=form)


def _called(name: Name) -> Name:
    """The active ones of the experts, in one layer or in all; of anything else what is active of it."""
    if name == ALL_EXPERTS:
        return Name("active_experts")
    return named(name.key, *map(_called, name.of)) if name.of and name.of[-1] == ALL_EXPERTS else named("active", name)


def idle_step(model: Model) -> Step:
    """The experts that lie idle, by which the whole count is larger: L·(n_experts − n_active)·N_expert."""
    idle = [
        Product((*_factors(copies), Sum((experts.number, Negative(experts.active))), experts.one))
        for copies, experts in mixtures(model)
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
    dense = [each for each in steps if expert and str(each.name).endswith("feed_forward") and each.kind == StepKind.STEP]
    if expert is None or len(dense) != 1 or not (letters := renamed(dense[0].polynomial, expert.polynomial)):
        return None
    wide, narrow = letters
    shared = [each.written for each in steps if each.name == "shared_experts"]
    number = total([next(active.active for _, active in mixtures(model)), *(_number(each, expert) for each in shared)])
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

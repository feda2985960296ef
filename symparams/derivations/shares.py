"""Where the parameters are, or what else is counted: gathered by component over the whole model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType

from symparams.components.kinds import Role
from symparams.components.tree import Component
from symparams.components.walks import Leaf
from symparams.derivations.stacks import stack_of, stacks_of
from symparams.derivations.steps import Step, step
from symparams.expressions.closed_form import as_written, multiply_out
from symparams.expressions.factoring import factored
from symparams.expressions.marks import Named, Size
from symparams.expressions.nodes import Expression, Product
from symparams.expressions.polynomial import Polynomial
from symparams.expressions.printing.plain import plain
from symparams.expressions.written import ONE, ZERO, times, total
from symparams.models.blocks import MOST_EXPANDED, by_blocks
from symparams.models.calculation import Calculation
from symparams.models.model import Model
from symparams.models.stacks import DECODER, ENCODER, of_both
from symparams.quantities.parameters import ACTIVE, PARAMETERS
from symparams.quantities.term import Term

MOST_CHARACTERS = 26  # of a formula in a cell, before it is written by name
TABLES = "embeddings"


@dataclass(frozen=True)
class Share:
    """What one component has of the whole: its step over the model, and its exact part of the count.

    ``stacks`` are what the encoder and the decoder have of it, in a model of both; ``active`` is what one token uses of it in a
    model with experts, and its part of what one token uses of all.
    """

    step: Step
    part: Fraction | None
    stacks: tuple[Step, ...] = ()
    active: Step | None = None
    active_part: Fraction | None = None


def shares(model: Model, names: Mapping[str, Polynomial]) -> Iterator[Share]:
    """Each component that counts: embeddings one by one, attention, feed-forward, norms, and the heads.

    A long formula refers to parts by those ``names`` that stand for them.
    """
    gathered: dict[str, list[Leaf]] = {}
    for leaf in model.leaves:
        owned = PARAMETERS.of(leaf.component)
        if owned != ZERO:
            gathered.setdefault(component_of(leaf), []).append(leaf)
    gathered = _together(model, gathered)
    steps = [_step(model, name, leaves, names) for name, leaves in gathered.items()]
    whole = None if model.unbound else model.count()
    used = [step(model, "", name, ACTIVE.over(leaves)) if model.has_experts else None for name, leaves in gathered.items()]
    active = model.active_count() if whole is not None and model.has_experts else None
    for each, active_step, leaves in zip(steps, used, gathered.values(), strict=True):
        stacks = tuple(_of_stacks(model, each, leaves))
        yield Share(each, _part(each, whole), stacks, active_step, _part(active_step, active))


def shares_of(calculation: Calculation, names: Mapping[str, Polynomial]) -> Iterator[Share]:
    """The same of any quantity: each component with its part of it, the terms of a component together."""
    if calculation.quantity.tensors is not None:
        yield from shares(calculation.model, names)
        return
    for name, terms in parts_of(calculation).items():
        yield share_of(calculation, name, terms)


def parts_of(calculation: Calculation, called: Mapping[str, str] = MappingProxyType({})) -> dict[str, list[Term]]:
    """The terms of a quantity by the component to which they belong, which may be ``called`` otherwise."""
    gathered: dict[str, list[Term]] = {}
    for term in calculation.terms:
        name = _component_of_term(calculation.tree, term)
        gathered.setdefault(called.get(name, name), []).append(term)
    return gathered


def share_of(calculation: Calculation, name: str, terms: Sequence[Term]) -> Share:
    """What these terms are of the whole."""
    each = step(calculation.model, "", name, total([term.every for term in terms]))
    if len(each.polynomial.terms) > MOST_EXPANDED:
        each = replace(each, form=factored(each.polynomial))
    number = calculation.value() if calculation.is_bound else None
    return Share(each, Fraction(each.value) / number if number and each.value is not None else None)


def _part(each: Step | None, whole: int | None) -> Fraction | None:
    return Fraction(each.value, whole) if whole and each is not None and each.value is not None else None


def _step(model: Model, name: str, leaves: Sequence[Leaf], names: Mapping[str, Polynomial]) -> Step:
    """What a component has in the whole model; by name or by blocks where it would have too many terms for its cell."""
    each = step(model, "", name, PARAMETERS.over(leaves))
    if len(plain(each.closed)) <= MOST_CHARACTERS:
        return each
    form = _by_name(model, name, leaves, names)
    if form is None and len(each.polynomial.terms) > MOST_EXPANDED:
        form = by_blocks(leaves, model.relations, names=names).formula
    return replace(each, form=form)


def _by_name(model: Model, name: str, leaves: Sequence[Leaf], names: Mapping[str, Polynomial]) -> Expression | None:
    """So many times a result that the steps have under this name: (L_dense + L_moe)·N_attn."""
    copies: dict[str, Expression] = {leaf.stack: leaf.layers for leaf in leaves}
    once = {stack: total([times(leaf.per_layer, PARAMETERS.of(leaf.component)) for leaf in leaves if leaf.stack == stack])
            for stack in copies}  # fmt: skip
    if "" in copies or {multiply_out(each, model.relations) for each in once.values()} != {names.get(name)}:
        return None
    one = Named(name, next(iter(once.values())))
    return Size(Product((as_written(multiply_out(total(list(copies.values())), model.relations)), one)))


def _of_stacks(model: Model, share: Step, leaves: Sequence[Leaf]) -> Iterator[Step]:
    """What each stack of a model has of these leaves: the encoder, then the decoder."""
    stacks = stacks_of(model)
    if set(stacks) == {ENCODER, DECODER}:
        for stack in (ENCODER, DECODER):
            within = [leaf for leaf in leaves if stack_of(leaf, stacks) == stack]
            yield step(model, stack, share.name, PARAMETERS.over(within))


def _together(model: Model, gathered: Mapping[str, list[Leaf]]) -> dict[str, list[Leaf]]:
    """What both stacks have alike under names of their own, as a table of positions each, under one name."""
    alike: dict[tuple[str, Polynomial], list[str]] = {}
    for name, leaves in gathered.items():
        alike.setdefault((of_both(name), multiply_out(PARAMETERS.over(leaves), model.relations)), []).append(name)
    together: dict[str, list[Leaf]] = {}
    for (both, _), names in alike.items():
        name = both if len(names) > 1 else names[0]
        together[name] = [leaf for each in names for leaf in gathered[each]]
    return together


def _component_of_term(tree: Component, term: Term) -> str:
    """The part of a layer, the table, the head; what stands in no part of the tree is itself."""
    if not term.path:
        return term.name
    names, here = term.path.split("."), tree
    at = 1 if names[0] == TABLES and len(names) > 1 else 0
    for i, name in enumerate(names):
        here = here.child(name)
        if here.role is Role.NORM:
            return f"{here.kind}s"
        if here.role is Role.BLOCK and here.times != ONE and i + 1 < len(names):
            at = i + 1
    return names[at]


def component_of(leaf: Leaf) -> str:
    """What stands in a sublayer belongs to it, a norm beside it to the norms, an embedding to itself, a matrix to its head."""
    names = leaf.path.split(".")
    if leaf.sublayer:
        return leaf.sublayer[0].rpartition(".")[2]
    if leaf.component.role is Role.NORM:
        return f"{leaf.component.kind}s"
    if leaf.component.role is Role.TABLE or names[-2:-1] == [TABLES]:
        return names[-1]
    return names[-2] if len(names) > 2 else names[0]

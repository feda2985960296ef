"""Where the parameters are, or what else is counted: gathered by component over the whole model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from symparams.components.kinds import PartRole, Role
from symparams.components.tree import Component
from symparams.components.walks import Leaf, Part
from symparams.components.walks import leaves as leaves_of
from symparams.derivations.stacks import stack_of
from symparams.derivations.steps import Step, step
from symparams.expressions.closed_form import as_written, multiply_out
from symparams.expressions.factoring import factored
from symparams.expressions.nodes import Expression, Named, Product, Size
from symparams.expressions.polynomial import Polynomial
from symparams.expressions.printing.printer import plain
from symparams.expressions.written import ONE, ZERO, times, total
from symparams.models.blocks import MOST_EXPANDED, by_blocks
from symparams.models.calculation import Calculation
from symparams.models.model import Model
from symparams.models.stacks import DECODER, ENCODER, encoder_and_decoder
from symparams.quantities.parameters import ACTIVE, PARAMETERS
from symparams.quantities.quantity import Term

PartKey = tuple[PartRole, str, int]
MOST_CHARACTERS = 26  # of a formula in a cell, before it is written by name


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
    gathered = by_part(leaf for leaf in model.leaves if PARAMETERS.of(leaf.component) != ZERO)
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


def parts_of(calculation: Calculation, called: Callable[[Part], str] | None = None) -> dict[str, list[Term]]:
    """The terms of a quantity by the part to which they belong, which may be ``called`` otherwise than in its definition."""
    leaves = list(leaves_of(calculation.tree))
    own = {} if called else _own_names(_together(leaves))
    within: dict[str, set[str]] = {}
    for leaf in leaves:
        part = called(leaf.part) if called else own[leaf.part.key]
        for path in (leaf.path, *(above for above, _ in leaf.ancestors[1:])):
            within.setdefault(path, set()).add(part)
    gathered: dict[str, list[Term]] = {}
    for term in calculation.terms:
        parts = within.get(term.path, set())
        gathered.setdefault(next(iter(parts)) if len(parts) == 1 else _of_several(calculation.tree, term), []).append(term)
    return gathered


def _of_several(tree: Component, term: Term) -> str:
    """What a term is of that stands in several parts or in none: the part of a layer, or what it stands in, or itself."""
    if not term.path:
        return term.name
    names, here, at = term.path.split("."), tree, 0
    for i, name in enumerate(names):
        here = here.child(name)
        if here.role is Role.BLOCK and here.times != ONE and i + 1 < len(names):
            at = i + 1
    return names[at]


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
    both = encoder_and_decoder(model.tree)
    for name, stack in zip((ENCODER, DECODER), both or (), strict=False):
        within = [leaf for leaf in leaves if stack_of(model, leaf) == stack]
        yield step(model, name, share.name, PARAMETERS.over(within))


def by_part(leaves: Iterable[Leaf]) -> dict[str, list[Leaf]]:
    """The leaves by the part to which they belong, each under what it is called, or the term for it if it has several names.

    Two parts of one name, as a mixer that is attention here and a state space there, are each called by their term, too.
    """
    gathered = _together(leaves)
    own = _own_names(gathered)
    parts: dict[str, list[Leaf]] = {}
    for key, those in gathered.items():
        parts.setdefault(own[key], []).extend(those)
    return parts


def _together(leaves: Iterable[Leaf]) -> dict[PartKey, list[Leaf]]:
    gathered: dict[PartKey, list[Leaf]] = {}
    for leaf in leaves:
        gathered.setdefault(leaf.part.key, []).append(leaf)
    return gathered


def _own_names(gathered: Mapping[PartKey, Sequence[Leaf]]) -> dict[PartKey, str]:
    called = {key: _called(those) for key, those in gathered.items()}
    taken = Counter(called.values())
    return {key: name if taken[name] == 1 else key[0].value or gathered[key][0].part.path for key, name in called.items()}


def _called(those: Sequence[Leaf]) -> str:
    part = those[0].part
    if part.role is PartRole.NORM:
        return f"{those[0].component.kind}s"
    names = {leaf.part.name for leaf in those}
    return part.name if len(names) == 1 else part.role.value or part.name

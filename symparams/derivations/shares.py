"""Where the parameters are: the leaves gathered by component over the whole model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from symparams.components.kinds import PartRole
from symparams.components.walks import Leaf
from symparams.derivations.stacks import stack_of
from symparams.derivations.steps import Step, step
from symparams.expressions.closed_form import as_written, multiply_out
from symparams.expressions.marks import Named, Size
from symparams.expressions.nodes import Expression, Product
from symparams.expressions.polynomial import Polynomial
from symparams.expressions.printing.plain import plain
from symparams.expressions.written import ZERO, times, total
from symparams.models.blocks import MOST_EXPANDED, by_blocks
from symparams.models.model import Model
from symparams.models.stacks import DECODER, ENCODER, encoder_and_decoder
from symparams.quantities.parameters import ACTIVE, PARAMETERS

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
    gathered: dict[tuple[PartRole, str, int], list[Leaf]] = {}
    for leaf in leaves:
        gathered.setdefault(leaf.part.key, []).append(leaf)
    called = {key: _called(those) for key, those in gathered.items()}
    taken = Counter(called.values())
    unique = {key: name if taken[name] == 1 else key[0].value or those[0].part.path
              for (key, name), those in zip(called.items(), gathered.values(), strict=True)}  # fmt: skip
    found: dict[str, list[Leaf]] = {}
    for key, those in gathered.items():
        found.setdefault(unique[key], []).extend(those)
    return found


def _called(those: Sequence[Leaf]) -> str:
    part = those[0].part
    if part.role is PartRole.NORM:
        return f"{those[0].component.kind}s"
    names = {leaf.part.name for leaf in those}
    return part.name if len(names) == 1 else part.role.value or part.name

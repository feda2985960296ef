"""Two stacks of one size: a model whose encoder and decoder agree in a size, said with one letter for both."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType

from symparams.architectures import Architecture, Published
from symparams.components.kinds import Role
from symparams.components.letters import in_letters, written_in
from symparams.components.tree import Component
from symparams.components.walks import components
from symparams.expressions.closed_form import multiply_out
from symparams.expressions.nodes import Dimension
from symparams.expressions.symbols import (
    L,
    L_dec,
    L_enc,
    d_ff,
    d_ff_dec,
    d_ff_enc,
    d_head,
    d_head_dec,
    d_head_enc,
    n_heads,
    n_heads_dec,
    n_heads_enc,
)
from symparams.expressions.written import ONE
from symparams.models.model import Model

ENCODER, DECODER = "encoder", "decoder"

# What the encoder's size, the decoder's and that of both are called.
COMMON: Mapping[Dimension, tuple[Dimension, Dimension]] = MappingProxyType(
    {
        L: (L_enc, L_dec),
        n_heads: (n_heads_enc, n_heads_dec),
        d_head: (d_head_enc, d_head_dec),
        d_ff: (d_ff_enc, d_ff_dec),
    }
)


def in_common_letters(model: Model, kept: Collection[str] = ()) -> Model:
    """The model with one letter where its stacks agree: 12·L·h² + 16·L·h² for 12·L_enc·h² + 16·L_dec·h².

    The model itself where they agree in nothing; a letter that is ``kept``, by its name, stays as it is.
    """
    letters = {
        size: common
        for common, pair in COMMON.items()
        if common not in model.architecture.dimensions and not {d.name for d in pair} & set(kept) and _agree(model, *pair)
        for size in pair
    }
    if not letters:
        return model
    given = frozenset(letters.get(dimension, dimension) for dimension in model.given)
    own = model.origin.sizes or {}
    # Sizes that did not agree by themselves and do now have no common one that would be the target's own.
    sizes = {
        letters.get(size, size): value
        for size, value in own.items()
        if size not in letters or all(own.get(other, value) == value for other in COMMON[letters[size]])
    }
    return replace(
        model,
        architecture=_lettered(model.architecture, tuple(letters.items())),
        values={letters.get(dimension, dimension): value for dimension, value in model.values.items()},
        origin=replace(model.origin, given=given, sizes=sizes),
        broken=frozenset(letters.get(dimension, dimension) for dimension in model.broken),
        own_relations={letters.get(d, d): written_in(value, letters) for d, value in model.own_relations.items()},
    )


def in_shared_letters(models: Sequence[Model]) -> tuple[Model, ...]:
    """Models in one set of letters: sizes in which the stacks of one agree have the letter that another has for its layers.

    d_ff for BART's d_ff_enc = d_ff_dec beside a model with d_ff. A number of layers keeps its letter: all layers of a model
    with two stacks are neither the encoder's nor the decoder's.
    """
    met = {dimension for model in models for dimension in model.dimensions}
    counted = {
        d for model in models for _, part in components(model.tree) if part.role is Role.BLOCK for d in part.times.dimensions
    }
    kept = {size.name for common, pair in COMMON.items() if common in counted or common not in met for size in pair}
    return tuple(in_common_letters(model, kept) for model in models)


def _agree(model: Model, first: Dimension, second: Dimension) -> bool:
    """True if two sizes that the model speaks of are the same, by their values or by a relation where they have none."""
    if not {first, second} <= {*model.dimensions, *model.values}:
        return False
    if first in model.values or second in model.values:
        return model.values.get(first) == model.values.get(second)
    return multiply_out(first, model.relations) == multiply_out(second, model.relations)


@lru_cache(maxsize=64)
def _lettered(family: Architecture, letters: tuple[tuple[Dimension, Dimension], ...]) -> Architecture:
    """Return the family with one letter for several, {L_enc: L, L_dec: L} as pairs, and its published models that agree."""
    to = dict(letters)
    laws = (replace(law, subject=written_in(law.subject, to), value=written_in(law.value, to)) for law in family.laws)
    relations, identities = (
        {to.get(d, d): written_in(value, to) for d, value in known.items() if to.get(d, d) != written_in(value, to)}
        for known in (family.relations, family.identities)
    )
    return family.changed(
        tree=in_letters(family.tree, to),
        laws=tuple(dict.fromkeys(law for law in laws if law.subject != law.value)),
        relations=relations,
        identities=identities,
        models={name: known for name, of in family.models.items() if (known := _in_letters(of, to)) is not None},
    )


def _in_letters(published: Published, letters: Mapping[Dimension, Dimension]) -> Published | None:
    """Return a published model with one letter for several; None if these sizes differ in it."""
    values = {letters.get(dimension, dimension): value for dimension, value in published.values.items()}
    is_told = all(values[letters.get(dimension, dimension)] == value for dimension, value in published.values.items())
    return replace(published, values=values) if is_told else None


def stacks_of(tree: Component) -> list[str]:
    """The names of the stacks that stand side by side in a tree; none where there are not several."""
    stacks = [name for name, part in tree.children if part.role is Role.BLOCK and part.times != ONE]
    return stacks if len(stacks) > 1 else []


def encoder_and_decoder(tree: Component) -> tuple[str, str] | None:
    """The names of the stack that reads and of the one that writes and attends to it; None where there are not both."""
    children, stacks = dict(tree.children), stacks_of(tree)
    writing = [name for name in stacks if any(part.attending and part.reads for _, part in components(children[name]))]
    if len(stacks) != 2 or len(writing) != 1:
        return None
    [reading] = set(stacks) - set(writing)
    return reading, writing[0]


def layers_of_both(model: Model) -> Dimension | None:
    """The letter for the layers of the encoder and of the decoder where it is one."""
    children = dict(model.tree.children)
    times = {children[name].times for name in encoder_and_decoder(model.tree) or ()}
    number = times.pop() if len(times) == 1 else None
    return number if isinstance(number, Dimension) else None

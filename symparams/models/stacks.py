"""Two stacks of one size: a model whose encoder and decoder agree in a size, said with one letter for both."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from types import MappingProxyType

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
        each: common
        for common, pair in COMMON.items()
        if common not in model.architecture.dimensions and not {d.name for d in pair} & set(kept) and _agree(model, *pair)
        for each in pair
    }
    if not letters:
        return model
    from symparams.architectures._lettered import lettered
    from symparams.components.letters import written_in

    given = frozenset(letters.get(dimension, dimension) for dimension in model.given)
    own = model.origin.sizes or {}
    # Sizes that did not agree by themselves and do now have no common one that would be the target's own.
    sizes = {
        letters.get(each, each): value
        for each, value in own.items()
        if each not in letters or all(own.get(other, value) == value for other in COMMON[letters[each]])
    }
    return replace(
        model,
        architecture=lettered(model.architecture, tuple(letters.items())),
        values={letters.get(dimension, dimension): value for dimension, value in model.values.items()},
        origin=replace(model.origin, given=given, sizes=sizes),
        broken=frozenset(letters.get(dimension, dimension) for dimension in model.broken),
        own_relations={letters.get(d, d): written_in(value, letters) for d, value in model.own_relations.items()},
    )


def _agree(model: Model, one: Dimension, other: Dimension) -> bool:
    """Whether two sizes that the model speaks of are the same, by their values or by a relation where they have none."""
    if not {one, other} <= {*model.dimensions, *model.values}:
        return False
    if one in model.values or other in model.values:
        return model.values.get(one) == model.values.get(other)
    return multiply_out(one, model.relations) == multiply_out(other, model.relations)


def layers_of_both(model: Model) -> Dimension | None:
    """The letter for the layers of the encoder and of the decoder where it is one."""
    times = [stack.times for name, stack in model.tree.children if name in (ENCODER, DECODER)]
    is_one = len(times) == 2 and times[0] == times[1]
    return times[0] if is_one and isinstance(times[0], Dimension) else None


def of_both(name: str) -> str:
    """A name without that of the stack to which it belongs: encoder_embeddings and decoder_embeddings are embeddings."""
    return next((name.removeprefix(f"{stack}_") for stack in (ENCODER, DECODER) if name.startswith(f"{stack}_")), name)

"""Where the parameters are: the leaves gathered by component over the whole model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from symparams.components.kinds import Role
from symparams.components.walks import Leaf
from symparams.derivations.steps import Step, step
from symparams.expressions.polynomial import Polynomial
from symparams.expressions.written import ZERO
from symparams.models.blocks import MOST_EXPANDED, by_blocks
from symparams.models.model import Model
from symparams.quantities.parameters import PARAMETERS


@dataclass(frozen=True)
class Share:
    """What one component has of the whole: its step over the model, and its exact part of the count."""

    step: Step
    part: Fraction | None


def shares(model: Model, names: Mapping[str, Polynomial]) -> Iterator[Share]:
    """Each component that counts: embeddings one by one, attention, feed-forward, norms, and the heads.

    A long formula refers to parts by those ``names`` that stand for them.
    """
    gathered: dict[str, list[Leaf]] = {}
    for leaf in model.leaves:
        owned = PARAMETERS.of(leaf.component)
        if owned != ZERO:
            gathered.setdefault(component_of(leaf), []).append(leaf)
    steps = [_step(model, name, leaves, names) for name, leaves in gathered.items()]
    whole = None if model.unbound else model.count()
    for each in steps:
        yield Share(each, Fraction(each.value, whole) if whole and each.value is not None else None)


def _step(model: Model, name: str, leaves: Sequence[Leaf], names: Mapping[str, Polynomial]) -> Step:
    """What a component has in the whole model; by blocks where it would have too many terms."""
    each = step(model, "", name, PARAMETERS.over(leaves))
    is_long = len(each.polynomial.terms) > MOST_EXPANDED
    return replace(each, form=by_blocks(leaves, model.relations, names=names).formula) if is_long else each


def component_of(leaf: Leaf) -> str:
    """What stands in a sublayer belongs to it, a norm beside it to the norms, an embedding to itself, a matrix to its head."""
    names = leaf.path.split(".")
    if leaf.sublayer:
        return leaf.sublayer[0].rpartition(".")[2]
    if leaf.component.role is Role.NORM:
        return f"{leaf.component.kind}s"
    if leaf.component.role is Role.TABLE or names[-2:-1] == ["embeddings"]:
        return names[-1]
    return names[-2] if len(names) > 2 else names[0]

"""Where the parameters are: the leaves gathered by component over the whole model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from symparams.components.kinds import Role
from symparams.components.walks import Leaf
from symparams.derivations.steps import Step, step
from symparams.expressions.nodes import Expression
from symparams.expressions.written import ZERO, times, total
from symparams.models.model import Model
from symparams.quantities.parameters import PARAMETERS


@dataclass(frozen=True)
class Share:
    """What one component has of the whole: its step over the model, and its exact part of the count."""

    step: Step
    part: Fraction | None


def shares(model: Model) -> Iterator[Share]:
    """Each component that counts: embeddings one by one, attention, feed-forward, norms, and the heads."""
    gathered: dict[str, list[Expression]] = {}
    for leaf in model.leaves:
        owned = PARAMETERS.of(leaf.component)
        if owned != ZERO:
            gathered.setdefault(_group(leaf), []).append(times(leaf.times, owned))
    steps = [step(model, "", name, total(terms)) for name, terms in gathered.items()]
    whole = None if model.unbound else model.count()
    for each in steps:
        yield Share(each, Fraction(each.value, whole) if whole and each.value is not None else None)


def _group(leaf: Leaf) -> str:
    """A norm belongs to the norms, an embedding to itself, a matrix to its sublayer or its head."""
    names = leaf.path.split(".")
    if leaf.component.role is Role.NORM:
        return f"{leaf.component.kind}s"
    if leaf.component.role is Role.TABLE or names[-2:-1] == ["embeddings"]:
        return names[-1]
    if leaf.sublayer:
        return leaf.sublayer[0].rpartition(".")[2]
    return names[-2] if len(names) > 2 else names[0]

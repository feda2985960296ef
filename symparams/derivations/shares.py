"""Where the parameters are: the leaves gathered by component over the whole model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from symparams.components import EMBEDDING, NORMS, Component
from symparams.derivations.layers import formula
from symparams.derivations.steps import Step, Workings
from symparams.expressions.nodes import Expression
from symparams.expressions.written import ZERO, times, total


@dataclass(frozen=True)
class Share:
    """What one component has of the whole: its step over the model, and its exact part of the count."""

    step: Step
    part: Fraction | None


def shares(workings: Workings) -> Iterator[Share]:
    """Each component that counts: embeddings one by one, attention, feed-forward, norms, and the heads."""
    gathered: dict[str, list[Expression]] = {}
    for leaf in workings.model.leaves:
        owned = formula([tensor for tensor in leaf.component.tensors if not tensor.tied_to])
        if owned != ZERO:
            gathered.setdefault(_group(leaf.path, leaf.component), []).append(times(leaf.times, owned))
    steps = [workings.step("", name, total(terms)) for name, terms in gathered.items()]
    whole = None if workings.model.unbound else workings.model.count()
    for step in steps:
        yield Share(step, Fraction(step.value, whole) if whole and step.value is not None else None)


def _group(path: str, leaf: Component) -> str:
    """A norm belongs to the norms, an embedding to itself, a matrix to its sublayer or its head."""
    names = path.split(".")
    if leaf.kind in NORMS:
        return f"{leaf.kind}s"
    if leaf.kind == EMBEDDING or names[-2:-1] == ["embeddings"]:
        return names[-1]
    return names[-2] if len(names) > 2 else names[0]

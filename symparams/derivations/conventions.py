"""Counting conventions: the other counts that people give for a model, each as a difference from its own.

Which there are follows from the tree and the features: a shared matrix can be counted at each use, embedding tables
can be left out, and a part that a feature switches can be switched.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from symparams.components import EMBEDDING
from symparams.derivations.layers import formula
from symparams.derivations.steps import Note, Step, Workings
from symparams.expressions.closed_form import as_written, multiply_out
from symparams.expressions.marks import Quantity
from symparams.expressions.nodes import Expression, Negative
from symparams.expressions.written import ZERO, times, total
from symparams.models.model import Model


@dataclass(frozen=True)
class Convention:
    """A way to count: the sentence that says it, its difference from the model's count, and what it comes to."""

    note: Note
    difference: Step
    result: Step


def conventions(workings: Workings) -> Iterator[Convention]:
    """The conventions that give another count than the model's own, each difference once."""
    seen: set[Expression] = {ZERO}
    model = workings.model
    for note, difference in differences(model):
        step = workings.step("", "difference", difference)
        if step.value is None and not model.unbound:
            continue  # a part with a size that this model has no value for, such as the labels of a classifier
        if step.closed not in seen:
            seen.add(step.closed)
            result = workings.step("", "total", total([Quantity("total", model.formula), difference]))
            yield Convention(note, step, result)


def differences(model: Model) -> Iterator[tuple[Note, Expression]]:
    """The sentence of each convention with what it adds to the count or takes away."""
    tied = [leaf for leaf in model.leaves if any(tensor.tied_to for tensor in leaf.component.tensors)]
    if tied:
        shared = [times(leaf.times, formula([t for t in leaf.component.tensors if t.tied_to])) for leaf in tied]
        key = "convention.each_head" if [leaf.path for leaf in tied] == ["lm_head"] else "convention.each"
        yield Note((key,)), total(shared)
    tables = [leaf for leaf in model.leaves if leaf.component.kind == EMBEDDING]
    owned = [formula([t for t in leaf.component.tensors if not t.tied_to]) for leaf in tables]
    if tables:
        yield Note(("convention.no_embeddings",)), Negative(total([count for count in owned if count != ZERO]))
    if model.has_experts:
        active = multiply_out(model.active_formula, model.relations)
        yield Note(("convention.active",)), as_written(active - model.polynomial)
    if model.frozen_formula != ZERO:
        yield Note(("convention.frozen",)), model.frozen_formula
    for feature in sorted(_switches(model)):
        changed = model.with_features(model.present ^ {feature})
        key = "convention.without" if feature in model.present else "convention.with"
        yield Note((key,), {"part": f"part:{feature}"}), as_written(changed.polynomial - model.polynomial)


def _switches(model: Model) -> set[str]:
    """The features that switch a whole part of the model, a child of its root."""
    return {feature.name for _, child in model.architecture.tree.children for feature in child.when}

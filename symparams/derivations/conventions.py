"""Counting conventions: the other counts that people give for a model, each as a difference from its own.

Which there are follows from the tree and the features: a shared matrix can be counted at each use, embedding tables
can be left out, and a part that a feature switches can be switched.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from symparams.components.kinds import Role
from symparams.derivations.steps import Note, Step, named, step
from symparams.expressions.closed_form import as_written, multiply_out
from symparams.expressions.marks import Named
from symparams.expressions.nodes import Expression, Negative
from symparams.expressions.polynomial import Polynomial
from symparams.expressions.written import ZERO, times, total
from symparams.models.model import Model
from symparams.quantities.parameters import ACTIVE, FROZEN, PARAMETERS, SHARED


@dataclass(frozen=True)
class Convention:
    """A way to count: the sentence that says it, its difference from the model's count, and what it comes to."""

    note: Note
    difference: Step
    result: Step


def conventions(model: Model) -> Iterator[Convention]:
    """The conventions that give another count than the model's own, each difference once."""
    seen: list[Polynomial] = [Polynomial({})]
    for note, difference in differences(model):
        each = step(model, "", "difference", difference)
        if each.value is None and not model.unbound:
            continue  # a part with a size that this model has no value for, such as the labels of a classifier
        if each.polynomial not in seen:
            seen.append(each.polynomial)
            result = step(model, "", "total", total([Named("total", model.formula()), difference]))
            yield Convention(note, each, result)


def differences(model: Model) -> Iterator[tuple[Note, Expression]]:
    """The sentence of each convention with what it adds to the count or takes away."""
    tied = [leaf for leaf in model.leaves if SHARED.terms(leaf.component)]
    if tied:
        is_head = [leaf.path for leaf in tied] == ["lm_head"]
        shared = total([times(leaf.times, SHARED.of(leaf.component)) for leaf in tied])
        yield Note(("convention.each_head" if is_head else "convention.each",)), shared
    owned = [(leaf, PARAMETERS.of(leaf.component)) for leaf in model.leaves if leaf.component.role is Role.TABLE]
    tables = [times(leaf.times, count) for leaf, count in owned if count != ZERO]
    if tables:
        yield Note(("convention.no_embeddings",)), Negative(total(tables))
    if model.has_experts:
        yield Note(("convention.active",)), as_written(model.polynomial(ACTIVE) - model.polynomial())
    if model.formula(FROZEN) != ZERO:
        yield Note(("convention.frozen",)), model.formula(FROZEN)
    for feature in sorted(_switches(model)):
        changed = model.with_features(model.present ^ {feature})
        key = "convention.without" if feature in model.present else "convention.with"
        yield Note((key,), {"part": named("part", feature)}), as_written(_gained(model, changed))


def _gained(model: Model, changed: Model) -> Polynomial:
    """What a model with other features has more, from the leaves that are not in both: the others are the same objects."""
    ours, theirs = ({(leaf.path, id(leaf.component)): leaf for leaf in each.leaves} for each in (model, changed))
    more = PARAMETERS.over(leaf for at, leaf in theirs.items() if at not in ours)
    less = PARAMETERS.over(leaf for at, leaf in ours.items() if at not in theirs)
    return multiply_out(more, changed.relations) - multiply_out(less, model.relations)


def _switches(model: Model) -> set[str]:
    """The features that switch a whole part of the model, a child of its root."""
    return {feature.name for _, child in model.architecture.tree.body for feature in child.when}

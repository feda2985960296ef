"""The rule of thumb 12·L·h²: how far it is off for a model, and where the difference comes from, exactly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from symparams.components import ATTENTION, EMBEDDING, FEED_FORWARD, Component, Tensor
from symparams.derivations.steps import Step, Workings
from symparams.expressions.marks import Size
from symparams.expressions.nodes import Expression, Negative, Number, Power, Product
from symparams.expressions.symbols import L, h
from symparams.expressions.written import ZERO, times, total

ATTENTION_MATRICES, FEED_FORWARD_MATRICES = 4, 8
SOURCES = ("embedding_tables", "attention_matrices", "feed_forward_matrices", "biases_and_norms", "other_matrices")


@dataclass(frozen=True)
class RuleOfThumb:
    """12·L·h² for a model, its error as an exact part of the count, and the sources of what it misses."""

    estimate: Step
    error: Fraction | None
    sources: tuple[Step, ...]


def rule_of_thumb(workings: Workings) -> RuleOfThumb | None:
    """The rule for this model; None where its tree has no stack of L layers of width h with attention."""
    model = workings.model
    if not {L, h}.issubset(model.dimensions) or not any(leaf.component.heads for leaf in model.leaves):
        return None
    estimate = workings.step("", "estimate", _layers(ATTENTION_MATRICES + FEED_FORWARD_MATRICES))
    gathered: dict[str, list[Expression]] = {source: [] for source in SOURCES}
    for path, tensor, count in _owned(workings):
        gathered[_source(model.tree, path, tensor)].append(count)
    gathered["attention_matrices"].append(Negative(_layers(ATTENTION_MATRICES)))
    gathered["feed_forward_matrices"].append(Negative(_layers(FEED_FORWARD_MATRICES)))
    steps = [workings.step("", source, total(terms)) for source, terms in gathered.items()]
    sources = tuple(step for step in steps if step.closed != ZERO)
    error = Fraction(estimate.value, model.count()) - 1 if estimate.value is not None and not model.unbound else None
    return RuleOfThumb(estimate, error, sources)


def _layers(matrices: int) -> Expression:
    return Size(Product((Number(matrices), L, Power(h, 2))))


def _owned(workings: Workings) -> Iterator[tuple[str, Tensor, Expression]]:
    for leaf in workings.model.leaves:
        for tensor in leaf.component.tensors:
            if tensor.trained and not tensor.tied_to:
                yield leaf.path, tensor, times(leaf.times, tensor.count)


def _source(tree: Component, path: str, tensor: Tensor) -> str:
    if tensor.role != "weight":
        return "biases_and_norms"
    kinds = _kinds(tree, path.split("."))
    if kinds[-1] == EMBEDDING:
        return "embedding_tables"
    if any(kind.endswith(ATTENTION) for kind in kinds):
        return "attention_matrices"
    if any(kind.endswith(FEED_FORWARD) for kind in kinds):
        return "feed_forward_matrices"
    return "other_matrices"


def _kinds(tree: Component, names: list[str]) -> list[str]:
    kinds = []
    for name in names:
        tree = tree.child(name)
        kinds.append(tree.kind)
    return kinds
